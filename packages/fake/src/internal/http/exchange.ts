/** A request and its answer as plain values, so that everything between them is an ordinary function. */
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as ErrorBody from "@transferkit/http-api/ErrorBody"

/** A request as it came: `target` is the path with its query, undecoded. Header names are in lower case. */
export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** An answer. The body's pieces are sent one after the other, as they are. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadonlyArray<Uint8Array>
  /** How it is sent, where that is not at once and whole. */
  readonly delivery?: Delivery
  /** Gives the memory of the body back. Called once the answer is sent, at most once. */
  readonly free?: () => void
}

/** What happens to an answer on its way. */
export interface Delivery {
  readonly delayMs?: number | undefined
  readonly reset?: "before" | "headers" | "body" | undefined
  /** The connection ends after so many bytes of the body; a half of it where it says so. */
  readonly truncateTo?: number | "half" | undefined
  readonly drip?: { readonly bytes: number; readonly every_ms: number } | undefined
}

const json = { "content-type": "application/json" }

/** An answer with a body that is JSON already. */
export const ok = (body: ReadonlyArray<Uint8Array>, status = 200): Response => ({ status, headers: json, body })

/** An answer with a value as JSON. */
export const okJson = (value: unknown, status = 200): Response =>
  ok([Buffer.from(JSON.stringify(value), "utf8")], status)

/** A rejection in the shape of the contract's error body. */
export const rejection = (
  status: number,
  errors: ReadonlyArray<ServiceError>,
  headers: Readonly<Record<string, string>> = {},
): Response => ({ status, headers: { ...json, ...headers }, body: [Buffer.from(ErrorBody.toText(errors), "utf8")] })

/** The path and the query of a target. */
export const split = (target: string): { readonly path: string; readonly query: string } => {
  const mark = target.indexOf("?")
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
