/** Writes a response: compressed if the client accepts it, and late, in pieces or truncated if it is to be. */
import * as http from "node:http"
import type * as stream from "node:stream"
import * as zlib from "node:zlib"
import type { Delivery, Response } from "../Exchange.ts"
import * as Connections from "./Connections.ts"

/** Bodies of other sizes are not compressed: shorter ones do not shrink, longer ones are not copied into one piece. */
const compressed = { from: 1024, to: 16 * 1024 * 1024 }

/** Sends a response to a request with these headers. `onException` gets any exception, now or later. */
export const send = (
  outgoing: http.ServerResponse,
  response: Response,
  headers: http.IncomingHttpHeaders,
  onException: (error: unknown) => void,
): void => {
  const { delayMs = 0, isWithheld = false } = response.delivery ?? whole
  if (isWithheld) return
  if (delayMs > 0) {
    const timer = setTimeout(
      guarded(onException, () => deliver(outgoing, response, headers, onException)),
      delayMs,
    )
    outgoing.once("close", () => clearTimeout(timer))
  } else deliver(outgoing, response, headers, onException)
}

const guarded =
  <Arguments extends ReadonlyArray<unknown>>(
    onException: (error: unknown) => void,
    run: (...args: Arguments) => void,
  ) =>
  (...args: Arguments): void => {
    try {
      run(...args)
    } catch (error) {
      onException(error)
    }
  }

/** Sends a response over a connection without a valid request, and ends it. */
export const sendBare = (socket: stream.Duplex, { status, headers, body }: Response): void => {
  const bytes = joined(body)
  const head = Object.entries({ ...headers, "content-length": bytes.byteLength, connection: "close" })
  socket.write(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`)
  for (const [name, value] of head) socket.write(`${name}: ${value}\r\n`)
  socket.write("\r\n")
  socket.end(bytes)
}

const deliver = (
  outgoing: http.ServerResponse,
  response: Response,
  headers: http.IncomingHttpHeaders,
  onException: (error: unknown) => void,
): void => {
  const accepted = headers["accept-encoding"]
  const size = sizeOf(response.body)
  const isBad = response.delivery?.hasBadGzip === true
  const isAnySize = size >= compressed.from && size <= compressed.to
  const isPlain = response.isPlain === true || accepted === undefined || !isAnySize || !acceptsGzip(accepted)
  if (isPlain && !isBad) {
    write(outgoing, response)
    return
  }
  zlib.gzip(
    joined(response.body),
    { level: 1 },
    guarded(onException, (error, bytes) => {
      if (error !== null) throw error
      if (isBad) bytes.writeUInt32LE(~bytes.readUInt32LE(bytes.byteLength - 8) >>> 0, bytes.byteLength - 8)
      const { vary } = response.headers
      const encoding = {
        "content-encoding": "gzip",
        vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`,
      }
      write(outgoing, { ...response, headers: { ...response.headers, ...encoding }, body: [bytes] })
    }),
  )
}

/** `gzip` or else `*` is named, and not with a weight of zero. */
const acceptsGzip = (accepted: string): boolean => {
  const parts = accepted.split(",").map((part) => part.trim())
  const part = parts.find((each) => /^(?:x-)?gzip\s*(?:;|$)/i.test(each)) ?? parts.find((each) => each.startsWith("*"))
  return part !== undefined && /^[^;]+(?:;\s*q=(?:1(?:\.0*)?|0\.0*[1-9]\d*))?$/i.test(part)
}

const write = (outgoing: http.ServerResponse, { status, headers, body, delivery = whole, free }: Response): void => {
  const { socket } = outgoing
  if (delivery.instead !== undefined) {
    socket?.end(delivery.instead)
    return
  }
  if (delivery.reset === "before" || delivery.reset === "headers") {
    const head = delivery.reset === "before" ? "" : `HTTP/1.1 ${status} OK\r\ncontent-ty`
    socket?.write(head, () => Connections.reset(socket))
    return
  }
  const hasNoBody = status === 204 || status === 304
  if (hasNoBody) outgoing.writeHead(status, headers)
  else if (delivery.hasBadChunk === true) outgoing.writeHead(status, { ...headers, "transfer-encoding": "chunked" })
  else outgoing.writeHead(status, { ...headers, "content-length": sizeOf(body) })
  if (outgoing.req.method === "HEAD" || hasNoBody) {
    if (delivery.reset === undefined) outgoing.end(free)
    else outgoing.write("", () => Connections.reset(socket))
  } else if (delivery !== whole && isOdd(delivery)) writeOddly(outgoing, joined(body), delivery)
  else if (sizeOf(body) <= compressed.to) outgoing.end(joined(body), free)
  else {
    for (const part of body) outgoing.write(part)
    outgoing.end(free)
  }
}

/** At once and without a change. */
const whole: Delivery = {}

const isOdd = ({ reset, truncateTo, drip, hasBadChunk }: Delivery): boolean =>
  reset !== undefined || truncateTo !== undefined || drip !== undefined || hasBadChunk === true

const sizeOf = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((sum, part) => sum + part.byteLength, 0)

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
}

/** Writes a body in pieces, or a part of it with an end that is not its own. */
const writeOddly = (
  outgoing: http.ServerResponse,
  body: Uint8Array,
  { truncateTo, reset: resetAt, hasBadChunk = false, drip }: Delivery,
): void => {
  const { socket } = outgoing
  const isCut = truncateTo !== undefined || resetAt !== undefined || hasBadChunk
  const half = Math.floor(body.byteLength / 2)
  const length = typeof truncateTo === "number" ? Math.min(truncateTo, body.byteLength - 1) : half
  const end = (): void => {
    if (resetAt !== undefined) Connections.reset(socket)
    else if (hasBadChunk) socket?.end("not a size\r\n")
    else if (isCut) socket?.end()
    else outgoing.end()
  }
  inPieces(outgoing, Buffer.from(isCut ? body.subarray(0, Math.max(0, length)) : body), drip ?? atOnce, end)
}

const atOnce = { bytes: Infinity, every_ms: 0 }

const inPieces = (
  outgoing: http.ServerResponse,
  body: Buffer,
  { bytes, every_ms }: NonNullable<Delivery["drip"]>,
  end: () => void,
): void => {
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    const piece = body.subarray(sent, sent + bytes)
    sent += bytes
    const isLast = sent >= body.byteLength
    outgoing.write(piece, () => isLast && end())
    if (!isLast) timer = setTimeout(next, every_ms)
  }
  outgoing.once("close", () => clearTimeout(timer))
  next()
}
