/** From node's requests and responses to those of the service and back. */
import type * as http from "node:http"
import * as FakeService from "../FakeService.ts"

/** Answers every request, each with an `x-request-id` of its own. */
export const listener = (service: FakeService.FakeService): http.RequestListener => {
  let requests = 0
  return (incoming, outgoing) => {
    incoming.resume()
    requests += 1
    const method = incoming.method ?? "GET"
    const answer = FakeService.answer(service, { method, target: incoming.url ?? "/", headers: incoming.headers })
    outgoing.writeHead(answer.status, {
      ...answer.headers,
      "content-length": answer.body.byteLength,
      "x-request-id": `req-${requests}`,
    })
    outgoing.end(method === "HEAD" ? undefined : answer.body)
  }
}
