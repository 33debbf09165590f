/** A service of the test's own: `node:http` on a free port, which keeps what it was asked. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Http.IncomingHttpHeaders
}

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
  /** Connections that were ever opened. */
  readonly connections: () => number
}

export type Answer = (request: Http.IncomingMessage, response: Http.ServerResponse, number: number) => unknown

/** Starts a service that gives these answers in order, the last of them again and again. */
export const start = async (...answers: ReadonlyArray<Answer>): Promise<Service> => {
  const asked: Array<Asked> = []
  let connections = 0
  const server = Http.createServer((request, response) => {
    asked.push({ method: request.method, url: request.url, headers: request.headers })
    answers[Math.min(asked.length, answers.length) - 1]?.(request, response, asked.length)
  })
  server.on("connection", () => connections++)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
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
  (status: number, body: string | Buffer, headers: Http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-1", ...headers }).end(body)
