/** From node's requests and responses to those of the service and back. */
import type * as http from "node:http"
import type * as stream from "node:stream"
import * as Admin from "../Admin.ts"
import * as Contract from "../Contract.ts"
import { type Answer, refusal } from "../Exchange.ts"
import type { FakeService } from "../FakeService.ts"
import type { Entry } from "../Journal.ts"
import * as Site from "../Site.ts"
import { send } from "./send.ts"

/** The longest body that is read, in bytes: enough to insert ten thousand transfers at once. */
const longestBody = 16 * 1024 * 1024

/** The longest path with query, in characters: no search needs a quarter of it. */
const longestTarget = 8 * 1024

export interface Listener {
  readonly onRequest: http.RequestListener
  readonly onClientError: (error: Error, socket: stream.Duplex) => void
  /** Ends what would never end by itself. */
  readonly stop: () => void
}

/** Answers the contract's requests at once, and those for the fake itself when their body has come. */
export const make = (service: FakeService, options: { readonly adminToken: string | undefined }): Listener => {
  const streams = new Set<http.ServerResponse>()
  let own = 0
  const onRequest: http.RequestListener = (incoming, outgoing) => {
    const { method = "GET", headers } = incoming
    const target = pathOf(incoming.url ?? "/")
    const answer = (answered: Answer): void => {
      own += 1
      const named = { ...answered.headers, "x-request-id": `fake-${own}` }
      send(outgoing, { ...answered, headers: named }, headers)
    }
    if (target.length > longestTarget) {
      incoming.resume()
      answer(uriTooLong)
    } else if (target.startsWith(Admin.prefix)) {
      readBody(incoming, (body) => {
        if (body === undefined) answer(tooLarge)
        else {
          const answered = Admin.answer(service, { method, target, headers, body }, options.adminToken)
          if (answered === "events") streamEvents(service, streams, outgoing)
          else answer(answered)
        }
      })
    } else {
      incoming.resume()
      if (Site.has(target)) {
        Site.answer(method, target).then(answer, () =>
          answer(refusal(500, [{ code: "no_page", message: "The page cannot be read." }])),
        )
      } else send(outgoing, Contract.answer(service, { method, target, headers }), headers)
    }
  }
  return {
    onRequest,
    onClientError,
    stop: () => {
      for (const outgoing of streams) outgoing.end()
    },
  }
}

/** A proxy's absolute form means the same as its path. */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, "") || "/"

const uriTooLong = refusal(414, [
  { code: "uri_too_long", message: `The path with its query is longer than ${longestTarget} characters.` },
])

const tooLarge = refusal(413, [{ code: "too_large", message: `The body is longer than ${longestBody} bytes.` }], {
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

/** Every request that the journal takes down, as a server-sent event. */
const streamEvents = (service: FakeService, streams: Set<http.ServerResponse>, outgoing: http.ServerResponse): void => {
  const tell = (entry: Entry): void => void outgoing.write(`event: request\ndata: ${JSON.stringify(entry)}\n\n`)
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
  outgoing.write(": the requests as they come\n\n")
  streams.add(outgoing)
  service.journal.listeners.add(tell)
  outgoing.on("close", () => {
    streams.delete(outgoing)
    service.journal.listeners.delete(tell)
  })
}

/** What cannot be read as HTTP is refused in the shape of all refusals, and the connection ends. */
const onClientError = (error: Error, socket: stream.Duplex): void => {
  if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) {
    socket.destroy()
    return
  }
  const code = "code" in error ? error.code : ""
  const [status, reason] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The headers are too long."]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request did not come in time."]
        : ["400 Bad Request", "This is not HTTP."]
  const body = JSON.stringify({ errors: [{ code: "bad_request", message: reason }] })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}
