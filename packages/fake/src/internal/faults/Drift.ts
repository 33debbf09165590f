/** Changes at a JSON Pointer into JSON text, `*` standing for every element or field. Touches own properties only. */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonPointer from "effect/JsonPointer"
import * as Result from "effect/Result"

/** JSON that is nested more deeply can be parsed, but not written again: that recurses. */
export const maxDepth = 1000

/** The most text that one change may add, in characters. */
const maxAdded = 2 * 1024 * 1024

/** The text with another value at a place, or without one there. Fails with the reason why it cannot be changed. */
export const drift = (text: string, pointer: string, value: unknown): Result.Result<string, string> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return Result.fail("the body is not JSON")
  }
  if (JsonDepth.findDeeper(body, maxDepth) !== undefined) return Result.fail("the body is nested too deeply")
  const places = placesAt(body, pointer.slice(1).split("/").map(JsonPointer.unescapeToken), value !== undefined)
  if (places.length === 0) return Result.fail(`there is nothing at ${pointer.slice(0, 200)}`)
  if (places.length * (JSON.stringify(value)?.length ?? 0) > maxAdded) return Result.fail("the body would be too large")
  // From the end, so that removing an element leaves the places before it.
  for (const { target, key } of places.toReversed()) {
    if (value !== undefined) Object.defineProperty(target, key, { ...writable, value })
    else if (Array.isArray(target)) target.splice(Number(key), 1)
    else Reflect.deleteProperty(target, key)
  }
  return Result.succeed(JSON.stringify(body))
}

/** Not set by assignment, which would reach the prototype through `__proto__`. */
const writable = { writable: true, enumerable: true, configurable: true }

interface Place {
  readonly target: object
  readonly key: string
}

const placesAt = (target: unknown, path: ReadonlyArray<string>, isSet: boolean, at = 0): ReadonlyArray<Place> => {
  const token = path[at]
  if (token === undefined || typeof target !== "object" || target === null) return []
  const keys = token === "*" ? Object.keys(target) : [token]
  return at + 1 < path.length
    ? keys
        .filter((key) => hasElement(target, key))
        .flatMap((key) => placesAt(Object.getOwnPropertyDescriptor(target, key)?.value, path, isSet, at + 1))
    : keys.filter((key) => hasElement(target, key) || (isSet && canAdd(target, key))).map((key) => ({ target, key }))
}

/** The length of an array is not one of its elements. */
const hasElement = (target: object, key: string): boolean =>
  Object.hasOwn(target, key) && !(Array.isArray(target) && key === "length")

/** A field, or the next element of an array. */
const canAdd = (target: object, key: string): boolean => !Array.isArray(target) || key === String(target.length)
