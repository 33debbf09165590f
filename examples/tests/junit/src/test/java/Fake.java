import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The transfer service in memory: one for all tests of a class, as it was at the start for each of them. */
public final class Fake implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process;
  private String url;

  public String url() {
    return url;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    var program = System.getenv().getOrDefault("TRANSFERS_FAKE", "npx -y @transferkit/fake-server");
    var command = new ArrayList<>(List.of(program.split(" ")));
    command.addAll(List.of("--port", "0", "--json", "--transfers", "45", "--now", "2025-01-01"));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // {"event":"listening","url":"http://127.0.0.1:40123","now":"2025-01-01"}
    url = process.inputReader().readLine().replaceFirst(".*\"url\":\"([^\"]+)\".*", "$1");
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    call("POST", "reset", "");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    process.destroy();
  }

  /** Calls one of the fake's own operations, such as {@code POST faults}. */
  public String call(String method, String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + "/_fake/" + path))
            .header("content-type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) throw new IOException(response.body());
    return response.body();
  }
}
