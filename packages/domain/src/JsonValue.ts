/**
 * The values of JSON that this program wrote. A number that JavaScript would write otherwise, such as 9007199254740993 or
 * 1.10, keeps its text, as raw JSON, which `JSON.stringify` writes as it came. JSON of others is read within bounds, see
 * JsonText and JsonDepth.
 */
import * as NumberText from "./internal/decimal/NumberText.ts"

/**
 * The value of a JSON text. Throws a `SyntaxError` if it is none.
 *
 * @example
 * JSON.stringify(JsonValue.parse('{"a":9007199254740993}')) // => '{"a":9007199254740993}'
 */
export const parse = (text: string): unknown => NumberText.parse(text)

/**
 * What `JSON.stringify` makes of a value, such as texts of the instants and amounts of a transfer.
 *
 * @example
 * JsonValue.of({ at: new Date(0), b: undefined }) // => { at: "1970-01-01T00:00:00.000Z" }
 */
export const of = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : parse(text)
}

/**
 * Whether a value is a number that kept its text, rather than an object.
 *
 * @example
 * JsonValue.isNumberText(JsonValue.parse("1.10")) // => true
 * JsonValue.isNumberText(JsonValue.parse("1.5")) // => false
 */
export const isNumberText = (value: unknown): boolean =>
  typeof value === "object" && value !== null && NumberText.is(value)
