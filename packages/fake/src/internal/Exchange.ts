/** A request and its response as plain values, so that everything between them is an ordinary function. */
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as ErrorBody from "@transferkit/http-api/ErrorBody"

/** A request: `target` is the path with its query, not decoded. Header names are in lower case. */
export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** A response. The pieces of its body are sent in order, unchanged. Header names are in lower case. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadonlyArray<Uint8Array>
  /** How it is sent, unless at once and whole. */
  readonly delivery?: Delivery
  /** It is not compressed, whatever the client accepts. */
  readonly isPlain?: boolean
  /** Returns the memory of the body. Called once the response is sent, at most once. */
  readonly free?: () => void
}

/** What happens to a response on its way. */
export interface Delivery {
  readonly delayMs?: number | undefined
  /** No response; the connection stays open. */
  readonly isWithheld?: boolean | undefined
  /** Bytes instead of a response; then the connection ends. */
  readonly instead?: Uint8Array | undefined
  readonly reset?: "before" | "headers" | "body" | undefined
  /** The connection ends after this many bytes of the body, or after half of it. */
  readonly truncateTo?: number | "half" | undefined
  readonly drip?: { readonly bytes: number; readonly every_ms: number } | undefined
  /** The body is compressed, and does not match its checksum. */
  readonly hasBadGzip?: boolean | undefined
  /** Half of the body is followed by a chunk without a valid size. */
  readonly hasBadChunk?: boolean | undefined
}

const json = { "content-type": "application/json" }

/** A response with a body that is JSON already. */
export const ok = (body: ReadonlyArray<Uint8Array>, status = 200): Response => ({ status, headers: json, body })

/** A response with a value as JSON. */
export const okJson = (value: unknown, status = 200): Response =>
  ok([Buffer.from(JSON.stringify(value), "utf8")], status)

/** An error response, in the shape of the contract's error body. */
export const rejection = (
  status: number,
  errors: ReadonlyArray<ServiceError>,
  headers: Readonly<Record<string, string>> = {},
): Response => ({ status, headers: { ...json, ...headers }, body: [Buffer.from(ErrorBody.toText(errors), "utf8")] })

/** The response for a path that does not have the method, which may be any word, of any length. */
export const methodNotAllowed = (method: string, allow: string): Response => {
  const named = /^[A-Z-]{1,20}$/.test(method) ? method : "The method"
  return rejection(405, [{ code: "method_not_allowed", message: `${named} is not allowed here, only ${allow}.` }], {
    allow,
  })
}

/** The path and the query of a target. */
export const split = (target: string): { readonly path: string; readonly query: string } => {
  const mark = target.indexOf("?")
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
