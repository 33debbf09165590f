import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransfersTest {
  @RegisterExtension static final Fake fake = new Fake();

  private static HttpResponse<String> search(String query) throws Exception {
    var credentials = Base64.getEncoder().encodeToString("demo:demo-secret".getBytes());
    var request =
        HttpRequest.newBuilder(URI.create(fake.url() + "/v1/transfers/search?" + query))
            .header("authorization", "Basic " + credentials)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  @Test
  void readsAPage() throws Exception {
    assertEquals(20, search("limit=20").body().split("\"wallet_address\"").length - 1);
    assertEquals(1, fake.call("GET", "requests?limit=20", "").split("\"id\"").length - 1);
  }

  @Test
  void meetsAServiceThatIsDown() throws Exception {
    fake.call("POST", "faults", "{\"times\":1,\"faults\":[{\"fault\":\"status\",\"status\":503}]}");
    assertEquals(503, search("").statusCode());
    assertEquals(200, search("").statusCode());
  }
}
