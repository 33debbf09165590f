/** Writes a response: compressed if the client accepts it, and late, in pieces or truncated if it is to be. */
import * as http from "node:http"
import type * as stream from "node:stream"
import * as zlib from "node:zlib"
import type { Delivery, Response } from "./exchange.ts"

/** Bodies of other sizes are not compressed: shorter ones do not shrink, longer ones are not copied into one piece. */
const compressed = { from: 1024, to: 16 * 1024 * 1024 }

/** Sends a response to a request with these headers. `onException` is told what goes wrong, now or later. */
export const send = (
  outgoing: http.ServerResponse,
  response: Response,
  headers: http.IncomingHttpHeaders,
  onException: (error: unknown) => void,
): void => {
  const delayMs = response.delivery?.delayMs ?? 0
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
  if (accepted === undefined || size < compressed.from || size > compressed.to || !acceptsGzip(accepted)) {
    write(outgoing, response)
    return
  }
  zlib.gzip(
    joined(response.body),
    { level: 1 },
    guarded(onException, (error, bytes) => {
      if (error !== null) throw error
      const encoding = { "content-encoding": "gzip", vary: "accept-encoding" }
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

const write = (outgoing: http.ServerResponse, { status, headers, body, delivery, free }: Response): void => {
  const hasNoBody = status === 204 || status === 304
  const head = hasNoBody ? { ...headers } : { ...headers, "content-length": sizeOf(body) }
  if (delivery?.reset !== undefined) {
    reset(outgoing, status, delivery.reset, { head, body })
    return
  }
  outgoing.writeHead(status, head)
  if (outgoing.req.method === "HEAD" || hasNoBody) outgoing.end(free)
  else if (delivery?.truncateTo !== undefined) truncate(outgoing, joined(body), delivery.truncateTo)
  else if (delivery?.drip !== undefined) drip(outgoing, Buffer.from(joined(body)), delivery.drip)
  else if (sizeOf(body) <= compressed.to) outgoing.end(joined(body), free)
  else {
    for (const part of body) outgoing.write(part)
    outgoing.end(free)
  }
}

const sizeOf = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((sum, part) => sum + part.byteLength, 0)

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
  { head, body }: { readonly head: http.OutgoingHttpHeaders; readonly body: ReadonlyArray<Uint8Array> },
): void => {
  const { socket } = outgoing
  if (socket === null) return
  if (at === "before") socket.resetAndDestroy()
  else if (at === "headers") socket.write(`HTTP/1.1 ${status} OK\r\ncontent-ty`, () => socket.resetAndDestroy())
  else {
    const bytes = joined(body)
    outgoing.writeHead(status, head)
    outgoing.write(Buffer.from(bytes.subarray(0, Math.ceil(bytes.byteLength / 2))), () => socket.resetAndDestroy())
  }
}
