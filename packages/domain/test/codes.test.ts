/** docs/codes.md and the source name the same codes, in the same order, with one meaning each. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import * as Audit from "../src/Audit.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Validation from "../src/Validation.ts"

const page = readFileSync(new URL("../../../docs/codes.md", import.meta.url), "utf8")
const [findings = "", outcomes = ""] = page.split("## Outcomes of a reconciliation")
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \|(?: ([^|]+) \|)?$/gm)].map(([, code, ...cells]) => ({ code, cells }))
const foundBy = (rule: string) =>
  rowsOf(findings)
    .filter(({ cells: [, by] }) => by?.split(", ").includes(rule))
    .map(({ code }) => code)

test("lists the codes of findings", () => {
  expect(foundBy("validation")).toEqual([...Validation.codes])
  expect(foundBy("audit").toSorted()).toEqual([...Audit.codes].toSorted())
})

test("lists the outcomes of a reconciliation with their words", () => {
  const rows = rowsOf(outcomes)
  const words = rows.filter(({ cells }) => cells[1] !== undefined).map(({ code, cells }) => [code, cells[0]])
  expect(Object.fromEntries(words)).toEqual(Reconciliation.outcomeWords)
  const differences: Record<Reconciliation.Difference["_tag"], true> = {
    AmountDiffers: true,
    CurrencyDiffers: true,
    AmountMissing: true,
    StatusDiffers: true,
  }
  expect(rows.map(({ code }) => code)).toEqual([...Reconciliation.outcomeTags, ...Object.keys(differences)])
})

test("gives each code one meaning", () => {
  const rows = rowsOf(page)
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
  expect(new Set(rows.map(({ cells }) => cells.join())).size).toBe(rows.length)
})
