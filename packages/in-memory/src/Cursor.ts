/**
 * Cursors as a service issues them: opaque, tamper-evident, and valid for one partner and one filter only. A cursor
 * holds a place in the order of results, not a count, so it stays valid when transfers are inserted or deleted.
 */
import * as crypto from "node:crypto"
import * as Data from "effect/Data"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { hashText } from "./Draw.ts"
import { hex32 } from "./internal/generator/bytes/ByteWriters.ts"
import type { Position } from "./TransferStore.ts"

/** The cursor cannot be used here. */
export class InvalidCursor extends Data.TaggedError("InvalidCursor")<{
  readonly reason: "not issued here" | "issued for another search"
}> {}

/** What cursors are bound to. */
export interface Scope {
  /** Signs cursors: those signed with another key are rejected. */
  readonly key: string
  /** Partner and filter, in any unambiguous form. */
  readonly search: string
}

/** The lengths of the first parts of a cursor: its search and its signature. The place follows. */
const searchLength = 8
const signatureLength = 22

/** A place in a search, `undefined` for its start. */
export type Place = Position | undefined

/**
 * The cursor of a place. Cursors with another `detour` differ, but lead to the same place.
 *
 * @example
 * const scope = { key: "k", search: "demo" }
 * Cursor.decode(Cursor.encode({ rank: 5n, id: "tr_1" }, scope), scope) // => Result.succeed({ rank: 5n, id: "tr_1" })
 * Cursor.decode(Cursor.encode(undefined, scope, 3), scope) // => Result.succeed(undefined)
 */
export const encode = (position: Place, scope: Scope, detour = 0): string => {
  const text = `${detour === 0 ? "" : detour},${position === undefined ? "" : toText(position)}`
  const place = Base64Url.encode(text)
  const search = hex32(hashText(scope.search))
  return search + sign(place, search, scope.key) + place
}

/**
 * The place of a cursor that {@link encode} made in the same scope.
 *
 * @example
 * Result.isFailure(Cursor.decode("2", { key: "k", search: "demo" })) // => true
 */
export const decode = (text: string, scope: Scope): Result.Result<Place, InvalidCursor> => {
  const search = text.slice(0, searchLength)
  const place = text.slice(searchLength + signatureLength)
  if (!isSame(text.slice(searchLength, searchLength + signatureLength), sign(place, search, scope.key))) {
    return Result.fail(new InvalidCursor({ reason: "not issued here" }))
  }
  if (search !== hex32(hashText(scope.search))) {
    return Result.fail(new InvalidCursor({ reason: "issued for another search" }))
  }
  // What was signed here was encoded here.
  const position = Result.getOrThrow(Base64Url.decodeString(place))
  return Result.succeed(fromText(position.slice(position.indexOf(",") + 1)))
}

const toText = ({ rank, id, late }: Position): string => `${late === true ? lateMark : ""}${rank}:${id}`

const fromText = (text: string): Place => {
  if (text === "") return undefined
  const late = text.startsWith(lateMark)
  const colon = text.indexOf(":")
  return { rank: BigInt(text.slice(late ? 1 : 0, colon)), id: text.slice(colon + 1), ...(late && { late }) }
}

const lateMark = "+"

/** Half of a SHA-256: truncation prevents length extension. */
const sign = (place: string, search: string, key: string): string =>
  crypto.hash("sha256", `${key}\n${search}\n${place}`, "base64url").slice(0, signatureLength)

const isSame = (given: string, signature: string): boolean => {
  const [a, b] = [Buffer.from(given, "utf8"), Buffer.from(signature, "utf8")]
  return a.byteLength === b.byteLength && crypto.timingSafeEqual(a, b)
}
