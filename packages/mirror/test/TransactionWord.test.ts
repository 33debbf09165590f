import { expect, test } from "vitest"
import * as TransactionWord from "../src/internal/TransactionWord.ts"

test.each([
  ["rollback", "ROLLBACK"],
  [" ; Begin", "BEGIN"],
  ["/* a /* b */ c */ end", "END"],
  ["-- commit\nabort and chain", "ABORT"],
  ["/**/prepare p as select 1", "PREPARE"],
  ["deallocate all", "DEALLOCATE"],
])("%s is no query", (text, word) => {
  expect(TransactionWord.of(text)).toBe(word)
})

test.each([
  "select 1",
  "",
  "-- rollback",
  "/* rollback",
  "with rollback as (select 1) select * from rollback",
  "(select 1)",
  "ended",
  "begin_ok",
])("%j may be one", (text) => {
  expect(TransactionWord.of(text)).toBeUndefined()
})

test("a statement that begins with a million comments takes linear time", () => {
  const start = performance.now()
  expect(TransactionWord.of(`${"--\n/**/".repeat(300_000)}commit`)).toBe("COMMIT")
  expect(performance.now() - start).toBeLessThan(5000)
})
