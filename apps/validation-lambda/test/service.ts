/** A small service over real HTTP, scripted by a test. */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Its capabilities, as text. */
export const capabilitiesText = readFileSync(new URL("fixtures/capabilities.json", import.meta.url), "utf8")

/** A running service. */
export interface Service {
  readonly url: string
  /** The requests so far: method, path and query. */
  readonly requests: ReadonlyArray<string>
  /** Ends its connections, by a reset or in good order. */
  readonly dropConnections: (abruptly: boolean) => void
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Responds to a request. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** Sends a JSON text. */
export const sendJson = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(text)
}

/** Sends the capabilities to a caller with the credentials of `partner:key`. */
export const sendCapabilities: Respond = (request, response) => {
  const isAllowed = request.headers.authorization === `Basic ${Buffer.from("partner:key").toString("base64")}`
  response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json", "x-request-id": "req-1" })
  response.end(isAllowed ? capabilitiesText : "{}")
}

/** Forwards requests to another service, each after some milliseconds. */
export const forwardTo =
  (target: string, millis = 0): Respond =>
  (request, response) => {
    setTimeout(async () => {
      const headers = { authorization: request.headers.authorization ?? "" }
      // A caller that ran out of time may have closed the target by now.
      const forwarded = await fetch(`${target}${request.url}`, { headers }).catch(() => undefined)
      if (forwarded === undefined) return void response.destroy()
      response.writeHead(forwarded.status, { "content-type": "application/json" }).end(await forwarded.text())
    }, millis)
  }

/** Starts one on a free port. */
export const startService = async (respond: Respond = sendCapabilities): Promise<Service> => {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => sockets.add(socket.once("close", () => sockets.delete(socket))))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    dropConnections: (abruptly) => {
      for (const socket of sockets) {
        if (abruptly) socket.resetAndDestroy()
        else socket.destroy()
      }
    },
    [Symbol.asyncDispose]: () => close(server),
  }
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the server listens on no port")
  return address.port
}

const close = (server: Server): Promise<void> => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
