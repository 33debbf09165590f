/**
 * Numbers keep their text: 9007199254740993, 1.10 and 1e400 are no numbers of JavaScript, or are written otherwise. Such
 * a number becomes raw JSON, which `JSON.stringify` writes as it came; any other stays a number. A runtime without raw
 * JSON (Safari before 18.4, Firefox before 135) reads all of them as numbers.
 */

/** What TypeScript does not yet know of JSON. */
interface RawJson {
  rawJSON?: (text: string) => object
  isRawJSON?: (value: unknown) => boolean
}
const { rawJSON, isRawJSON } = JSON as typeof JSON & RawJson

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const isKept = (number: number, text: string): boolean => JSON.stringify(number) === text

const revive: Reviver = (_, value, context) =>
  typeof value === "number" && context?.source !== undefined && rawJSON !== undefined && !isKept(value, context.source)
    ? rawJSON(context.source)
    : value

/** Whether a value is a number that kept its text. */
export const is = (value: object): boolean => isRawJSON?.(value) ?? false

/** `JSON.parse`, at several times its cost. */
export const parse = (text: string): unknown => JSON.parse(text, revive as (key: string, value: unknown) => unknown)

/** What may be a number of a JSON text. In a text within it, what looks like one costs time and nothing else. */
const numbers = /(?<=[[:,\s])-?\d[-+.\dEe]*(?=[,\]}\s])/g

/** Whether {@link parse} may find more than `JSON.parse` in an object. */
export const isNeeded = (text: string): boolean => {
  for (const [number] of text.matchAll(numbers)) if (!isKept(Number(number), number)) return true
  return false
}
