/** From node's requests and responses to those of the service and back. */
import type * as http from "node:http"
import * as FakeService from "../FakeService.ts"
import * as pageBuffers from "./pageBuffers.ts"

/** Answers every request, each with an `x-request-id` of its own. */
export const listener = (service: FakeService.FakeService): http.RequestListener => {
  let requests = 0
  return (incoming, outgoing) => {
    incoming.resume()
    requests += 1
    const method = incoming.method ?? "GET"
    const answer = FakeService.answer(service, { method, target: incoming.url ?? "/", headers: incoming.headers })
    const { body, free } = pageBuffers.join(answer.body)
    outgoing.writeHead(answer.status, {
      ...answer.headers,
      "content-length": body.byteLength,
      "x-request-id": `req-${requests}`,
    })
    if (method === "HEAD") outgoing.end(free)
    else outgoing.end(body, free)
  }
}
