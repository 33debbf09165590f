import * as Result from "effect/Result"
import { afterAll, expect, test } from "vitest"
import * as KeyPattern from "../src/ledgers/KeyPattern.ts"
import * as Ledgers from "./Ledgers.ts"

const { read, remove } = Ledgers.folder()
afterAll(remove)

const keyIn = (pattern: string, text: string) => Result.flatMap(KeyPattern.make(pattern), (keyOf) => keyOf(text))

test.each([
  ["INV-[0-9]+", "Payment INV-17, thank you", "INV-17"],
  ["INV-([0-9]+)", "Payment INV-17, thank you", "17"],
  ["INV-[0-9]+", "INV-17 and again INV-17", "INV-17"],
  ["INV-[0-9]+", "no key", ""],
  ["(?i)inv-[0-9]+", "INV-17", "INV-17"],
  ["x*", "abc", ""],
])("%s finds in %j the key %j", (pattern, text, key) => {
  expect(keyIn(pattern, text)).toEqual(Result.succeed(key))
})

test("rejects a pattern that is longer than any that people write: its states count beside the text", () => {
  expect(KeyPattern.make("a{1,1000}".repeat(100))).toMatchObject({ failure: expect.stringContaining("256 characters") })
})

test("rejects a pattern of many states, and a text that is longer than any cell", () => {
  const nested = `${Array.from({ length: 20 }, (_, index) => `[ab]{0,${999 - index}}`).join("")}[^abd]d[ab]`
  expect(KeyPattern.make(nested)).toMatchObject({ failure: expect.stringContaining("39585 states, of at most 512") })
  const started = process.cpuUsage()
  expect(keyIn("[ab]{0,100}[ab]{0,100}[^abd]d[ab]", `${"ab".repeat(64 * 1024 - 3)}bdcdd`)).toEqual(Result.succeed(""))
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10)
  expect(keyIn("INV-[0-9]+", "x".repeat(128 * 1024 + 1))).toMatchObject({
    failure: expect.stringContaining("at most 131072 characters, and this one has 131073"),
  })
})

test("asks about different keys in one text, and rejects what RE2 does not have", () => {
  expect(keyIn("INV-[0-9]+", "INV-17 INV-18")).toMatchObject({
    failure: '--key-pattern finds several keys, "INV-17" and "INV-18". Make it more exact',
  })
  for (const pattern of ["(?=a)", "(a)\\1", "("]) {
    expect(keyIn(pattern, "a")).toMatchObject({ failure: expect.stringContaining("is no pattern of RE2") })
  }
})

test("takes time linear in the text, whatever the pattern", () => {
  const keyOf = Result.getOrThrow(KeyPattern.make("(a+)+$"))
  const started = process.cpuUsage()
  expect(keyOf(`${"a".repeat(100_000)}b`)).toEqual(Result.succeed(""))
  // RegExp takes a second for 22 letters, and doubles with each.
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(5)
})

test("finds the keys of a ledger, names the row that has several, and takes a total for one", async () => {
  const options = { currency: "EUR", keyPattern: "INV-[0-9]+", columns: { key: "text" } }
  const ledger = "text,amount\nfor INV-1,10\nfor INV-2,20\nTotal,30\n"
  const found = await read(ledger, options)
  expect(found.rows).toEqual(["line 2 | INV-1 | 10 fiat/EUR", "line 3 | INV-2 | 20 fiat/EUR"])
  expect(found.reading?.left_out).toMatchObject([{ reason: "total" }])
  expect((await read(`${ledger}INV-3 INV-4,1\n`, options)).reason).toContain("line 5: --key-pattern finds several keys")
  expect((await read(ledger, { ...options, keyPattern: "(" })).reason).toContain("is no pattern of RE2")
})
