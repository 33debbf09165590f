/** A listener on a socket, with or without TLS, until the scope closes. */
import * as http from "node:http"
import * as https from "node:https"
import type * as net from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { CannotListen, defaultLimits, type FakeOptions } from "../../FakeOptions.ts"
import * as Connections from "./Connections.ts"
import type { Listener } from "./Listener.ts"

interface Limits {
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** Node's own limits, in milliseconds: a slower request gets 408. */
export const limitsOf = ({
  headTimeLimit = defaultLimits.headTimeLimit,
  requestTimeLimit = defaultLimits.requestTimeLimit,
}: FakeOptions): Limits => ({
  headersTimeout: Duration.toMillis(headTimeLimit),
  requestTimeout: Duration.toMillis(requestTimeLimit),
})

interface Options extends Limits {
  readonly host: string
  readonly port: number
  readonly certificate: { readonly key: string; readonly cert: string } | undefined
}

/** Listens until the scope closes, and gives the URL. */
export const serve = Effect.fnUntraced(function* (listener: Listener, options: Options) {
  const { server } = yield* Effect.acquireRelease(listen(listener, options), (open) => close(open, listener))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : options.port
  return `${options.certificate === undefined ? "http" : "https"}://${nameOf(options.host)}:${port}`
})

/** The host of the URL. A wildcard address is not one to connect to. */
const nameOf = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/** Longer headers get 431. */
const maxHeaderSize = 16 * 1024

/** A server, and its TCP connections: it knows none itself that is in a TLS handshake. */
interface Open {
  readonly server: http.Server
  readonly connections: ReadonlySet<net.Socket>
}

const listen = (listener: Listener, { host, port, certificate, ...limits }: Options) =>
  Effect.callback<Open, CannotListen>((resume) => {
    const connectionsCheckingInterval = Math.min(1000, limits.headersTimeout)
    // The listener rejects a missing Host, in the shape of all errors.
    const options = {
      ...limits,
      maxHeaderSize,
      connectionsCheckingInterval,
      keepAliveTimeout: 60_000,
      requireHostHeader: false,
    }
    const server =
      certificate === undefined
        ? http.createServer(options, listener.onRequest)
        : Connections.track(https.createServer({ ...options, ...certificate }, listener.onRequest))
    const connections = new Set<net.Socket>()
    server.on("connection", (connection: net.Socket) => {
      connections.add(connection)
      connection.once("close", () => connections.delete(connection))
    })
    server.on("checkExpectation", listener.onExpectation)
    server.on("connect", listener.onConnect)
    server.on("clientError", listener.onClientError)
    server.once("error", (error) => resume(Effect.fail(new CannotListen({ host, port, reason: error.message }))))
    server.listen(port, host, () => resume(Effect.succeed({ server, connections })))
  })

/** The time limit of requests under way when the fake stops, and the interval of checks, in milliseconds. */
const graceMs = 5000
const checkMs = 20

/** Closes connections as they become idle, and all of them when the time limit is over. */
const close = ({ server, connections }: Open, listener: Listener) =>
  Effect.callback<void>((resume) => {
    const watch = setInterval(() => server.closeIdleConnections(), checkMs)
    const end = setTimeout(() => {
      for (const connection of connections) connection.destroy()
    }, graceMs)
    server.close(() => {
      clearInterval(watch)
      clearTimeout(end)
      resume(Effect.void)
    })
    listener.stop()
    server.closeIdleConnections()
  })
