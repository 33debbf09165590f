/** Puts an answer on the wire: compressed where that is accepted, and late, in pieces or cut off where it is to be. */
import * as http from "node:http"
import type * as stream from "node:stream"
import * as zlib from "node:zlib"
import type { Response, Delivery } from "./exchange.ts"

/** Shorter bodies are not worth compressing. */
const shortestToCompress = 1024

/** Sends an answer to a request with these headers. */
export const send = (outgoing: http.ServerResponse, answer: Response, headers: http.IncomingHttpHeaders): void => {
  const { delivery } = answer
  const delayMs = delivery?.delayMs ?? 0
  if (delayMs > 0) {
    const timer = setTimeout(() => deliver(outgoing, answer, headers), delayMs)
    outgoing.once("close", () => clearTimeout(timer))
  } else deliver(outgoing, answer, headers)
}

/** Sends an answer over a bare connection, where there is no request that was understood, and ends it. */
export const sendBare = (socket: stream.Duplex, { status, headers, body }: Response): void => {
  const bytes = joined(body)
  const head = Object.entries({ ...headers, "content-length": bytes.byteLength, connection: "close" })
  socket.write(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`)
  for (const [name, value] of head) socket.write(`${name}: ${value}\r\n`)
  socket.write("\r\n")
  socket.end(bytes)
}

const deliver = (outgoing: http.ServerResponse, answer: Response, headers: http.IncomingHttpHeaders): void => {
  const accepted = headers["accept-encoding"]
  const isLong = answer.body.length > 1 || (answer.body[0]?.byteLength ?? 0) >= shortestToCompress
  if (accepted === undefined || !isLong || !acceptsGzip(accepted)) {
    write(outgoing, answer)
    return
  }
  zlib.gzip(joined(answer.body), { level: 1 }, (error, compressed) => {
    if (error !== null) write(outgoing, answer)
    else {
      const encoding = { "content-encoding": "gzip", vary: "accept-encoding" }
      write(outgoing, { ...answer, headers: { ...answer.headers, ...encoding }, body: [compressed] })
    }
  })
}

/** `gzip` or else `*` is named, and not with a weight of zero. */
const acceptsGzip = (accepted: string): boolean => {
  const parts = accepted.split(",").map((part) => part.trim())
  const part = parts.find((each) => /^(?:x-)?gzip\s*(?:;|$)/i.test(each)) ?? parts.find((each) => each.startsWith("*"))
  return part !== undefined && /^[^;]+(?:;\s*q=(?:1(?:\.0*)?|0\.0*[1-9]\d*))?$/i.test(part)
}

const write = (outgoing: http.ServerResponse, answer: Response): void => {
  const { status, headers, delivery, free } = answer
  const body = joined(answer.body)
  const hasNoBody = status === 204 || status === 304
  const head = hasNoBody ? { ...headers } : { ...headers, "content-length": body.byteLength }
  if (delivery?.reset !== undefined) {
    reset(outgoing, status, delivery.reset, { head, body })
    return
  }
  outgoing.writeHead(status, head)
  if (outgoing.req.method === "HEAD" || hasNoBody) outgoing.end(free)
  else if (delivery?.truncateTo !== undefined) truncate(outgoing, body, delivery.truncateTo)
  else if (delivery?.drip !== undefined) drip(outgoing, Buffer.from(body), delivery.drip)
  else outgoing.end(body, free)
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
}

const truncate = (outgoing: http.ServerResponse, body: Uint8Array, to: number | "half"): void => {
  const length = to === "half" ? Math.floor(body.byteLength / 2) : Math.min(to, body.byteLength - 1)
  outgoing.write(Buffer.from(body.subarray(0, length)), () => outgoing.socket?.end())
}

const drip = (
  outgoing: http.ServerResponse,
  body: Buffer,
  { bytes, every_ms }: NonNullable<Delivery["drip"]>,
): void => {
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    outgoing.write(body.subarray(sent, sent + bytes))
    sent += bytes
    if (sent < body.byteLength) timer = setTimeout(next, every_ms)
    else outgoing.end()
  }
  outgoing.once("close", () => clearTimeout(timer))
  next()
}

const reset = (
  outgoing: http.ServerResponse,
  status: number,
  at: NonNullable<Delivery["reset"]>,
  { head, body }: { readonly head: http.OutgoingHttpHeaders; readonly body: Uint8Array },
): void => {
  const { socket } = outgoing
  if (socket === null) return
  if (at === "before") socket.resetAndDestroy()
  else if (at === "headers") socket.write(`HTTP/1.1 ${status} OK\r\ncontent-ty`, () => socket.resetAndDestroy())
  else {
    outgoing.writeHead(status, head)
    outgoing.write(Buffer.from(body.subarray(0, Math.ceil(body.byteLength / 2))), () => socket.resetAndDestroy())
  }
}
