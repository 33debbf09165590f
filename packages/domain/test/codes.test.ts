/** docs/codes.md and the source name the same codes, in the same order, with one meaning each. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import * as Audit from "../src/Audit.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Validation from "../src/Validation.ts"

const page = readFileSync(new URL("../../../docs/codes.md", import.meta.url), "utf8")
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|(?: ([^|]+) \|)?$/gm)].map(([, code, meaning, by]) => ({
  code,
  meaning,
  by,
}))
const foundBy = (rule: string) => rows.filter(({ by }) => by?.split(", ").includes(rule)).map(({ code }) => code)

test("lists the codes of findings", () => {
  expect(foundBy("validation")).toEqual([...Validation.codes])
  expect(foundBy("audit").toSorted()).toEqual([...Audit.codes].toSorted())
})

test("lists the outcomes of a reconciliation", () => {
  const outcomes = rows.filter(({ by }) => by === undefined).map(({ code }) => code)
  const differences: Record<Reconciliation.Difference["_tag"], true> = {
    AmountDiffers: true,
    CurrencyDiffers: true,
    AmountMissing: true,
    StatusDiffers: true,
  }
  expect(outcomes).toEqual([...Reconciliation.outcomeTags, ...Object.keys(differences)])
})

test("gives each code one meaning", () => {
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
  expect(new Set(rows.map(({ meaning }) => meaning)).size).toBe(rows.length)
})
