/**
 * The body of every response that is not a success: `{"errors":[{"code":"…","message":"…"}]}`. The contract is silent
 * on it; the fake sends this shape, and clients look for it first.
 */
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Option from "effect/Option"

/** The reasons: each has a code for programs and a message for people. */
export interface ErrorBody {
  readonly errors: ReadonlyArray<ServiceError>
}

/**
 * The body for some errors.
 *
 * @example
 * ErrorBody.toText([{ code: "not_found", message: "?" }]) // => '{"errors":[{"code":"not_found","message":"?"}]}'
 */
export const toText = (errors: ErrorBody["errors"]): string => JSON.stringify({ errors })

/** The maximum number of errors that are read from a body. */
export const maxErrors = 20

/**
 * Reads a body from any service: entries without a message are skipped, a missing code is `unknown`, and long texts
 * are truncated. `None` if there is no entry.
 *
 * @example
 * Option.map(ErrorBody.fromText('{"errors":[{"code":"not_found","message":"?"}]}'), (body) => body.errors.length) // => Option.some(1)
 * Option.isNone(ErrorBody.fromText("<html>")) // => true
 */
export const fromText = (text: string): Option.Option<ErrorBody> => {
  const errors = entriesOf(text).slice(0, maxErrors).flatMap(readEntry)
  return errors.length === 0 ? Option.none() : Option.some({ errors })
}

const entriesOf = (text: string): ReadonlyArray<unknown> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return []
  }
  return typeof body === "object" && body !== null && "errors" in body && Array.isArray(body.errors) ? body.errors : []
}

const readEntry = (entry: unknown): ReadonlyArray<ServiceError> => {
  if (typeof entry !== "object" || entry === null || !("message" in entry)) return []
  const code = "code" in entry && typeof entry.code === "string" ? entry.code : "unknown"
  return typeof entry.message === "string" ? [{ code: code.slice(0, 128), message: entry.message.slice(0, 1024) }] : []
}
