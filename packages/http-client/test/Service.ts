/** A service for tests: `node:http` on a free port, which keeps the requests it receives. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Http.IncomingHttpHeaders
}

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** The number of connections opened so far. */
  readonly connections: () => number
}

export type Responder = (request: Http.IncomingMessage, response: Http.ServerResponse, number: number) => unknown

/** Starts a service that responds with these in order, and then with the last one again and again. */
export const start = async (...responders: ReadonlyArray<Responder>): Promise<Service> => {
  const requests: Array<ReceivedRequest> = []
  let connections = 0
  const server = Http.createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers })
    responders[Math.min(requests.length, responders.length) - 1]?.(request, response, requests.length)
  })
  server.on("connection", () => connections++)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const emptyPage = '{"results":[],"page_info":{"has_next_page":false}}'

export const respond =
  (status: number, body: string | Buffer, headers: Http.OutgoingHttpHeaders = {}): Responder =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-1", ...headers }).end(body)
