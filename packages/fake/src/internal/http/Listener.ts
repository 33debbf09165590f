/** Routes Node's requests to the contract, the operations of the fake, and its pages. No request ends the process. */
import type * as http from "node:http"
import type * as stream from "node:stream"
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Result from "effect/Result"
import * as Journal from "../../Journal.ts"
import * as Operations from "../admin/Operations.ts"
import { methodNotAllowed, type Response, rejection } from "../Exchange.ts"
import * as Metrics from "../site/Metrics.ts"
import * as Site from "../site/Site.ts"
import type { FakeState } from "../state/FakeState.ts"
import * as V1 from "../v1/Contract.ts"
import * as CallerCheck from "./CallerCheck.ts"
import * as Cors from "./Cors.ts"
import { send, sendBare } from "./Send.ts"

/** The maximum size of a body, in bytes: enough to insert ten thousand transfers at once. */
const maxBody = 16 * 1024 * 1024

/** The maximum length of a path with its query, in characters: four times what a search needs. */
const maxTarget = 8 * 1024

export interface Listener {
  readonly onRequest: http.RequestListener
  readonly onExpectation: http.RequestListener
  readonly onConnect: (incoming: http.IncomingMessage, socket: stream.Duplex) => void
  readonly onClientError: (error: Error, socket: stream.Duplex) => void
  /** Ends the responses that have no end of their own: streams of events, and those that a fault withholds. */
  readonly stop: () => void
}

export interface Options {
  readonly adminToken: string | undefined
  readonly callers: CallerCheck.CallerCheck
  readonly corsOrigins: ReadonlyArray<string>
  /** Reports an exception, in one line. */
  readonly report: (line: string) => void
}

/** Responds to requests of the contract at once, and to those for the fake itself when their body is complete. */
export const make = (state: FakeState, options: Options): Listener => {
  const site = Site.make(state.options)
  const endless = new Set<http.ServerResponse>()
  let own = 0
  /** With an `x-request-id`, for requests that the journal does not number. */
  const named = (response: Response): Response => {
    own += 1
    return { ...response, headers: { ...response.headers, "x-request-id": `fake-${own}` } }
  }

  const fail = (incoming: http.IncomingMessage, outgoing: http.ServerResponse, error: unknown): void => {
    const { method = "GET", url = "/" } = incoming
    const problem = `exception: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
    const response = named(failed)
    options.report(`${method} ${url.slice(0, 200)}: ${problem.replaceAll(/\s+/g, " ")}`)
    Journal.record(state.journal, {
      id: response.headers["x-request-id"] ?? "",
      at: state.clock(),
      method,
      target: url,
      partner: undefined,
      status: response.status,
      durationMs: 0,
      bytes: 0,
      faults: [],
      end_cursor: undefined,
      problems: [problem],
    })
    if (outgoing.headersSent) outgoing.destroy()
    else send(outgoing, response, {}, () => outgoing.destroy())
  }
  /** With the headers that let a page read it. */
  const shared = ({ url = "", headers }: http.IncomingMessage, response: Response): Response => {
    if (pathOf(url).startsWith(Operations.prefix)) return response
    const allowed = Cors.headersFor(options.corsOrigins, headers)
    return { ...response, headers: { ...response.headers, vary: "origin", ...allowed } }
  }
  const sendWhole = (incoming: http.IncomingMessage, outgoing: http.ServerResponse, response: Response): void => {
    if (response.delivery?.isWithheld === true) keep(endless, outgoing)
    const sent = options.corsOrigins.length === 0 ? response : shared(incoming, response)
    send(outgoing, sent, incoming.headers, (error) => fail(incoming, outgoing, error))
  }

  const route = (incoming: http.IncomingMessage, outgoing: http.ServerResponse): void => {
    const { method = "GET", headers } = incoming
    const target = pathOf(incoming.url ?? "/")
    const respond = (response: Response): void => sendWhole(incoming, outgoing, named(response))
    const rejected = rejectionOf(target, incoming, options.callers)
    if (rejected !== undefined) {
      incoming.resume()
      respond(rejected)
    } else if (target.startsWith(Operations.prefix)) {
      readBody(incoming, (bytes) => {
        try {
          if (bytes === undefined) return respond(tooLarge)
          const body = Utf8.decode(bytes)
          if (Result.isFailure(body)) return respond(notUtf8)
          const request = { method, target, headers, body: body.success }
          const response = Operations.respond(state, request, options.adminToken)
          if (response !== "events") respond(response)
          else if (method === "HEAD") respond(noEvents)
          else if (state.journal.listeners.size >= mostReaders) respond(tooManyReaders)
          else streamEvents(state, endless, outgoing, named(noEvents))
        } catch (error) {
          fail(incoming, outgoing, error)
        }
      })
    } else {
      incoming.resume()
      const preflight = Cors.preflight(options.corsOrigins, method, headers)
      if (preflight !== undefined) respond(preflight)
      else if (target === Metrics.path) respond(Metrics.respond(state, method))
      else if (Site.has(site, target)) {
        Site.respond(site, method, target)
          .then(respond)
          .catch((error: unknown) => fail(incoming, outgoing, error))
      } else {
        const foreign = Cors.headersFor(options.corsOrigins, headers) ? undefined : CallerCheck.rejectOrigin(headers)
        if (foreign === undefined) sendWhole(incoming, outgoing, V1.respond(state, { method, target, headers }))
        else respond(foreign)
      }
    }
  }

  return {
    onRequest: (incoming, outgoing) => {
      try {
        route(incoming, outgoing)
      } catch (error) {
        fail(incoming, outgoing, error)
      }
    },
    onExpectation: (incoming, outgoing) => sendWhole(incoming, outgoing, named(expectationFailed)),
    ...outsideOfRequests(named),
    stop: () => {
      for (const outgoing of endless) {
        if (outgoing.headersSent) outgoing.end()
        else outgoing.destroy()
      }
    },
  }
}

/** The handlers for what is not a request. `named` adds an id to a response. */
export const outsideOfRequests = (
  named: (response: Response) => Response,
): Pick<Listener, "onConnect" | "onClientError"> => ({
  onConnect: (_, socket) => {
    // Node no longer listens for errors of this socket.
    socket.on("error", () => socket.destroy())
    sendBare(socket, named(methodNotAllowed("CONNECT", "GET, HEAD")))
  },
  onClientError: (error, socket) => {
    const code = "code" in error ? String(error.code) : ""
    // A failure before TLS is established cannot be reported over it.
    if (!socket.writable || code === "ECONNRESET" || code.startsWith("ERR_SSL_")) socket.destroy()
    else sendBare(socket, named(malformed(code)))
  },
})

const keep = (endless: Set<http.ServerResponse>, outgoing: http.ServerResponse): void => {
  endless.add(outgoing)
  outgoing.on("close", () => endless.delete(outgoing))
}

/** A proxy's absolute form means the same as its path. */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, "") || "/"

const rejectionOf = (
  target: string,
  { headers, httpVersion }: http.IncomingMessage,
  callers: CallerCheck.CallerCheck,
): Response | undefined => {
  if (headers.host === undefined && httpVersion === "1.1") return noHost
  if (target.length > maxTarget) return uriTooLong
  const unknownHost = CallerCheck.rejectHost(callers, headers.host)
  if (unknownHost !== undefined || !target.startsWith(Operations.prefix)) return unknownHost
  return CallerCheck.rejectOrigin(headers)
}

const failed = rejection(500, [
  { code: "exception", message: "The fake failed on this request. Its stderr and its journal say why." },
])

const noHost = rejection(400, [{ code: "bad_request", message: "HTTP/1.1 requires a Host header." }], {
  connection: "close",
})

export const expectationFailed = rejection(417, [
  { code: "expectation_failed", message: "The only supported Expect is 100-continue." },
])

const uriTooLong = rejection(414, [
  { code: "uri_too_long", message: `The path with its query is longer than ${maxTarget} characters.` },
])

const notUtf8 = rejection(400, [{ code: "invalid_request", message: "The body is not UTF-8: a character was lost." }])

const tooLarge = rejection(413, [{ code: "too_large", message: `The body is larger than ${maxBody} bytes.` }], {
  connection: "close",
})

/** Gives the body once, or `undefined` if it is too large. */
const readBody = (incoming: http.IncomingMessage, done: (body: Uint8Array | undefined) => void): void => {
  const parts = ByteParts.make(maxBody)
  let isAccepted = true
  incoming.on("data", (part: Buffer) => {
    if (!isAccepted) return
    isAccepted = parts.add(part)
    if (!isAccepted) done(undefined)
  })
  incoming.on("end", () => {
    if (isAccepted) done(parts.whole())
  })
}

/** How many bytes may wait for a slow reader of events; it misses further events. */
const maxQueue = 1024 * 1024

/** How many may read events at a time. */
const mostReaders = 100

const tooManyReaders = rejection(503, [
  { code: "too_many_readers", message: `${mostReaders} connections read the events already. Close one of them.` },
])

/** The head of a stream of events. */
const noEvents: Response = {
  status: 200,
  headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  body: [],
}

/** Every request that the journal records, as a server-sent event: one line, so no encoder is needed. */
const streamEvents = (
  state: FakeState,
  endless: Set<http.ServerResponse>,
  outgoing: http.ServerResponse,
  { status, headers }: Response,
): void => {
  const write = (entry: Journal.Entry): void => {
    if (outgoing.writableLength > maxQueue) return
    outgoing.write(`event: request\ndata: ${JSON.stringify(entry)}\n\n`)
  }
  outgoing.writeHead(status, headers)
  outgoing.write(": the requests as they arrive\n\n")
  keep(endless, outgoing)
  state.journal.listeners.add(write)
  outgoing.on("close", () => state.journal.listeners.delete(write))
}

/** The response to bytes that are not a valid request; the connection ends. */
const malformed = (code: string): Response => {
  const rejected = (status: number, message: string): Response => rejection(status, [{ code: "bad_request", message }])
  if (code === "HPE_HEADER_OVERFLOW") return rejected(431, "The headers are too long.")
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return rejected(408, "The request did not arrive in time.")
  return rejected(400, "This is not HTTP.")
}
