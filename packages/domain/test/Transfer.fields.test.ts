/** The table of fields is the one of docs/partner-api.md, 2.3, and nothing else decides what a field is. */
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Money from "../src/Money.ts"
import * as Timestamp from "../src/Timestamp.ts"
import * as Transfer from "../src/Transfer.ts"
import { transferJson } from "./fixtures/service.ts"

const contract = readFileSync(new URL("../../../docs/partner-api.md", import.meta.url), "utf8")
const [, section = ""] = /^### 2\.3 (.*?)^Gaps:/ms.exec(contract) ?? []
const rows = [...section.matchAll(/^\| (\w+) \| (string|money object) \| (.+) \|$/gm)].map(
  ([, name = "", type, notes = ""]) => ({
    name,
    isMoney: type === "money object",
    isInstant: notes.startsWith("Timestamp"),
  }),
)

test("has the fields of the contract, in its order", () => {
  expect(Object.keys(Transfer.fields)).toEqual(rows.map(({ name }) => name))
  expect(Object.keys(Transfer.Wire.fields)).toEqual(rows.map(({ name }) => name))
})

test("names the money fields of the contract, in its order", () => {
  expect(Transfer.moneyFields).toEqual(rows.filter(({ isMoney }) => isMoney).map(({ name }) => name))
})

test.each(rows)("decodes $name as the contract types it", ({ name, isMoney, isInstant }) => {
  const text = isInstant ? "2024-09-01T00:00:00Z" : "order-1"
  const sent = { [name]: isMoney ? { amount: "1.10", currency_code: "fiat/USD" } : text, ...JSON.parse(transferJson) }
  const transfer = Result.getOrThrow(Transfer.fromJson(JSON.stringify(sent)))
  const value: unknown = Reflect.get(transfer, name)
  expect(Money.isMoney(value)).toBe(isMoney)
  expect(Timestamp.isTimestamp(value)).toBe(isInstant)
  expect(typeof value === "string").toBe(!isMoney && !isInstant)
})

test.each(rows)("rejects a number as $name", ({ name }) => {
  const text = JSON.stringify({ ...JSON.parse(transferJson), [name]: 1 })
  expect(Result.mapError(Transfer.fromJson(text), ({ pointer }) => pointer)).toEqual(Result.fail(`/${name}`))
})
