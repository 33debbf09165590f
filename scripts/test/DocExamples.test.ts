/** What counts as an example, and as an export that must have one. */
import { describe, expect, test } from "vitest"
import * as DocExamples from "../DocExamples.ts"

const source = `
export type { Relayed, Another as Renamed } from "./internal/Part.ts"
export { value, type Given } from "./internal/Other.ts"

/**
 * A type.
 *
 * @example
 * const amount = 1
 * amount + 1 // => 2
 */
export interface Documented {}

/** No example. */
export type Bare = string
export class Undocumented {}
const inner = 1
`

describe("DocExamples", () => {
  test("finds the examples of types", () => {
    expect(DocExamples.find(source)).toEqual([
      { member: "Documented", expression: "amount + 1", expected: "2", setup: expect.stringContaining("amount = 1") },
    ])
  })

  test("lists every export, of types and of other modules too", () => {
    const own = ["Documented", "Bare", "Undocumented"]
    expect(DocExamples.exportsOf(source)).toEqual([...own, "Relayed", "Renamed", "value", "Given"])
  })
})
