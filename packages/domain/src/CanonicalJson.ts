/** JSON without blanks whose objects have their keys in order: one text for each value, which can be hashed. */
import * as Predicate from "effect/Predicate"
import * as JsonValue from "./JsonValue.ts"

/**
 * The text of a value. Keys are compared by their UTF-16 code units. Undefined for a value that JSON cannot express.
 *
 * @example
 * CanonicalJson.stringify({ b: 1, a: [{ d: 2, c: 3 }] }) // => '{"a":[{"c":3,"d":2}],"b":1}'
 * CanonicalJson.stringify(JsonValue.parse('{"b":1.10,"a":1}')) // => '{"a":1,"b":1.10}'
 * CanonicalJson.stringify(undefined) // => undefined
 */
export const stringify: {
  (value: object): string
  (value: unknown): string | undefined
} = (value: unknown): string => JSON.stringify(value, (_name, inner: unknown) => inOrder(inner))

const inOrder = (value: unknown): unknown =>
  Predicate.isObject(value) && !JsonValue.isNumberText(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value
