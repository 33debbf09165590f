/**
 * Cursors as a service hands them out: opaque, tamper-evident, and good for one partner and one filter only. A cursor
 * holds a place in the order of results, not a count, so that it stays right when transfers are inserted or deleted.
 */
import * as crypto from "node:crypto"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { Position } from "./TransferStore.ts"

/** The cursor is not one that can be used here. */
export class InvalidCursor extends Data.TaggedError("InvalidCursor")<{
  readonly reason: "not issued here" | "issued for another search"
}> {}

/** What cursors are bound to. */
export interface Scope {
  /** Signs cursors: those of another key are not accepted. */
  readonly key: string
  /** Partner and filter, in any unambiguous form. */
  readonly search: string
}

const signatureLength = 22

/**
 * The cursor of a place.
 *
 * @example
 * const scope = { key: "k", search: "demo" }
 * Cursor.decode(Cursor.encode({ at: 5n, id: "tr_1" }, scope), scope) // => Result.succeed({ at: 5n, id: "tr_1" })
 */
export const encode = (position: Position, scope: Scope): string => {
  const place = `${digest(scope.search).slice(0, 8)}${position.at}:${position.id}`
  const payload = Buffer.from(place, "utf8").toString("base64url")
  return sign(payload, scope.key) + payload
}

/**
 * The place of a cursor that {@link encode} made in the same scope.
 *
 * @example
 * Result.isFailure(Cursor.decode("2", { key: "k", search: "demo" })) // => true
 */
export const decode = (text: string, scope: Scope): Result.Result<Position, InvalidCursor> => {
  const payload = text.slice(signatureLength)
  if (!isSame(text.slice(0, signatureLength), sign(payload, scope.key))) {
    return Result.fail(new InvalidCursor({ reason: "not issued here" }))
  }
  const place = Buffer.from(payload, "base64url").toString("utf8")
  if (!isSame(place.slice(0, 8), digest(scope.search).slice(0, 8))) {
    return Result.fail(new InvalidCursor({ reason: "issued for another search" }))
  }
  const colon = place.indexOf(":")
  return Result.succeed({ at: BigInt(place.slice(8, colon)), id: place.slice(colon + 1) })
}

/** Half of a SHA-256: what is cut off keeps the key from being used to extend a payload. */
const sign = (payload: string, key: string): string => digest(`${key}\n${payload}`).slice(0, signatureLength)

const digest = (text: string): string => crypto.hash("sha256", text, "base64url")

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && crypto.timingSafeEqual(Buffer.from(a, "latin1"), Buffer.from(b, "latin1"))
