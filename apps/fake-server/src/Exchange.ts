/** A request and its answer as plain values, so that everything between them is an ordinary function. */
import type { ServiceError } from "@transferkit/domain/TransferApiError"

/** A request as it came: `target` is the path with its query, undecoded. Header names are in lower case. */
export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** An answer. The body's pieces are sent one after the other, as they are. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadonlyArray<Uint8Array>
}

const json = { "content-type": "application/json" }

/** A success with a body that is JSON already. */
export const ok = (body: ReadonlyArray<Uint8Array>): Answer => ({ status: 200, headers: json, body })

/** A refusal in the shape of the contract's error body. */
export const refusal = (
  status: number,
  errors: ReadonlyArray<ServiceError>,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, headers: { ...json, ...headers }, body: [Buffer.from(JSON.stringify({ errors }), "utf8")] })
