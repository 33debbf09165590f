/** A finding is never much larger than its subject. */
import { expect, test } from "vitest"
import * as Finding from "../src/Finding.ts"

const shortened = (message: string, actual?: unknown) =>
  Finding.shortened({ code: "x", path: "", message, ...(actual === undefined ? {} : { actual }) })

test("keeps a message of 320 characters, and cuts the middle out of a longer one", () => {
  expect(shortened("m".repeat(320)).message).toBe("m".repeat(320))
  expect(shortened(`${"a".repeat(300)}${"b".repeat(21)}`).message).toBe(
    `${"a".repeat(240)}…${"a".repeat(39)}${"b".repeat(21)}`,
  )
})

test("keeps a value of 260 characters, and the start of a longer one", () => {
  expect(shortened("", "x".repeat(260)).actual).toBe("x".repeat(260))
  expect(shortened("", "x".repeat(261)).actual).toBe(`${"x".repeat(256)}…`)
  expect(shortened("", ["x".repeat(300)]).actual).toBe(`["${"x".repeat(254)}…`)
  expect(shortened("", { a: 1 }).actual).toEqual({ a: 1 })
  expect(shortened("")).not.toHaveProperty("actual")
})
