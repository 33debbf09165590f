/** From node's requests and responses to those of the service and back. */
import type * as http from "node:http"
import type * as stream from "node:stream"
import type { Entry } from "../../Journal.ts"
import * as Admin from "../admin/operations.ts"
import * as Site from "../site/site.ts"
import type { FakeState } from "../state/fakeState.ts"
import * as Contract from "../v1/contract.ts"
import { type Response, rejection } from "./exchange.ts"
import { send, sendBare } from "./send.ts"

/** The longest body that is read, in bytes: enough to insert ten thousand transfers at once. */
const longestBody = 16 * 1024 * 1024

/** The longest path with query, in characters: no search needs a quarter of it. */
const longestTarget = 8 * 1024

export interface Listener {
  readonly onRequest: http.RequestListener
  readonly onExpectation: http.RequestListener
  readonly onConnect: (incoming: http.IncomingMessage, socket: stream.Duplex) => void
  readonly onClientError: (error: Error, socket: stream.Duplex) => void
  /** Ends what would never end by itself. */
  readonly stop: () => void
}

/** Answers the contract's requests at once, and those for the fake itself when their body has come. */
export const make = (
  service: FakeState,
  options: { readonly adminToken: string | undefined; readonly consoleFolder: URL | undefined },
): Listener => {
  const site = Site.make(options.consoleFolder)
  const streams = new Set<http.ServerResponse>()
  let own = 0
  /** With an `x-request-id` of its own, where the journal gives it none. */
  const named = (answered: Response): Response => {
    own += 1
    return { ...answered, headers: { ...answered.headers, "x-request-id": `fake-${own}` } }
  }
  const onRequest: http.RequestListener = (incoming, outgoing) => {
    const { method = "GET", headers } = incoming
    const target = pathOf(incoming.url ?? "/")
    const answer = (answered: Response): void => send(outgoing, named(answered), headers)
    if (headers.host === undefined && incoming.httpVersion === "1.1") {
      incoming.resume()
      answer(noHost)
    } else if (target.length > longestTarget) {
      incoming.resume()
      answer(uriTooLong)
    } else if (target.startsWith(Admin.prefix)) {
      readBody(incoming, (body) => {
        if (body === undefined) answer(tooLarge)
        else {
          const answered = Admin.answer(service, { method, target, headers, body }, options.adminToken)
          if (answered !== "events") answer(answered)
          else if (method === "HEAD") answer(noEvents)
          else streamEvents(service, streams, outgoing, named(noEvents))
        }
      })
    } else {
      incoming.resume()
      if (Site.has(site, target)) {
        Site.answer(site, method, target).then(answer, () =>
          answer(rejection(500, [{ code: "no_page", message: "The page cannot be read." }])),
        )
      } else send(outgoing, Contract.answer(service, { method, target, headers }), headers)
    }
  }
  return {
    onRequest,
    onExpectation: (incoming, outgoing) => send(outgoing, named(expectationFailed), incoming.headers),
    onConnect: (_, socket) => {
      // Node does not listen for errors of this socket any more.
      socket.on("error", () => socket.destroy())
      sendBare(socket, named(Contract.methodNotAllowed("CONNECT", "GET, HEAD")))
    },
    onClientError: (error, socket) => {
      if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) socket.destroy()
      else sendBare(socket, named(notUnderstood("code" in error ? error.code : "")))
    },
    stop: () => {
      for (const outgoing of streams) outgoing.end()
    },
  }
}

/** A proxy's absolute form means the same as its path. */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, "") || "/"

const noHost = rejection(
  400,
  [{ code: "bad_request", message: "HTTP/1.1 asks for a Host header, and there is none." }],
  {
    connection: "close",
  },
)

const expectationFailed = rejection(417, [
  { code: "expectation_failed", message: "Expect can be 100-continue here, and nothing else." },
])

const uriTooLong = rejection(414, [
  { code: "uri_too_long", message: `The path with its query is longer than ${longestTarget} characters.` },
])

const tooLarge = rejection(413, [{ code: "too_large", message: `The body is longer than ${longestBody} bytes.` }], {
  connection: "close",
})

/** The body as text, or nothing where it is too long. */
const readBody = (incoming: http.IncomingMessage, done: (body: string | undefined) => void): void => {
  const chunks: Array<Buffer> = []
  let length = 0
  incoming.on("data", (chunk: Buffer) => {
    if (length > longestBody) return
    length += chunk.byteLength
    if (length <= longestBody) chunks.push(chunk)
    else {
      chunks.length = 0
      done(undefined)
    }
  })
  incoming.on("end", () => {
    if (length <= longestBody) done(Buffer.concat(chunks).toString("utf8"))
  })
}

/** What may wait to be sent to one who reads too slowly, in bytes; it misses the events beyond. */
const longestQueue = 1024 * 1024

/** The head of a stream of events. */
const noEvents: Response = {
  status: 200,
  headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  body: [],
}

/** Every request that the journal takes down, as a server-sent event. */
const streamEvents = (
  service: FakeState,
  streams: Set<http.ServerResponse>,
  outgoing: http.ServerResponse,
  { status, headers }: Response,
): void => {
  const tell = (entry: Entry): void => {
    if (outgoing.writableLength > longestQueue) return
    outgoing.write(`event: request\ndata: ${JSON.stringify(entry)}\n\n`)
  }
  outgoing.writeHead(status, headers)
  outgoing.write(": the requests as they come\n\n")
  streams.add(outgoing)
  service.journal.listeners.add(tell)
  outgoing.on("close", () => {
    streams.delete(outgoing)
    service.journal.listeners.delete(tell)
  })
}

/** What cannot be read as HTTP is refused in the shape of all refusals, and the connection ends. */
const notUnderstood = (code: unknown): Response => {
  const refused = (status: number, message: string): Response => rejection(status, [{ code: "bad_request", message }])
  if (code === "HPE_HEADER_OVERFLOW") return refused(431, "The headers are too long.")
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refused(408, "The request did not come in time.")
  return refused(400, "This is not HTTP.")
}
