import type * as Audit from "@transferkit/domain/Audit"
import * as Transfer from "@transferkit/domain/Transfer"
import { expect, test } from "vitest"
import * as AuditTable from "../src/AuditTable.ts"
import * as TextReport from "../src/TextReport.ts"

const plain = (text: string): string => text
const id = (index: number) => Transfer.TransferId.make(`0191ec29-25b1-7000-800d-${String(index).padStart(12, "0")}`)

const finding = (code: Audit.Code, path: string, message: string): Audit.Finding => ({ code, path, message })
const fee = finding(
  "fee_off_schedule",
  "/service_fee",
  "service_fee is 29.49 fiat/EUR, and 20.62 fiat/EUR by the schedule.",
)

/** Every third transfer has a second finding, which audits report first. */
const records = Array.from({ length: 60 }, (_, index) => {
  const own =
    index % 3 === 0 ? [finding("below_minimum", "/source_total/amount", "1 fiat/EUR is too little."), fee] : [fee]
  return own.map((one): AuditTable.Audited => ({ id: id(index), external_id: `order-${index}`, ...one }))
}).flat()

const shown = (width: number, some = records): string => {
  const options = { width, title: plain, heading: plain, whole: "All of them: elsewhere." }
  return [...TextReport.make(AuditTable.sections(some), options).texts].join("")
}

test("a finding is said once, above its transfers, each of which has one line of 140 columns", () => {
  const text = shown(140)
  expect(text.match(/below_minimum|fee_off_schedule/g)).toHaveLength(2)
  expect(text).toMatch(/^below_minimum at \/source_total\/amount \(20\)\nID +EXTERNAL ID +DETAIL\n/)
  expect(text).toContain("\n\nfee_off_schedule at /service_fee (60)\nID ")
  // A line for each finding, two for the head of each group, and one between them.
  expect(text.split("\n")).toHaveLength(80 + 4 + 1 + 1)
  expect(text.match(/^0191ec29-25b1-7000-800d-\d{12} {2}order-\d+ .*(?:schedule|little)\.$/gm)).toHaveLength(80)
})

test("on 80 columns a long sentence is on the line below its identifiers, not beside them in four", () => {
  const lines = shown(80).split("\n")
  expect(lines.filter((line) => /^0191ec29-25b1-7000-800d-\d{12} {2}order-\d+$/.test(line))).toHaveLength(60)
  expect(lines).toHaveLength(20 + 2 * 60 + 3 + 2 + 1 + 1)
  expect(lines).toContain(`  ${fee.message}`)
})

test("all findings of an audit together end after 100 rows on a terminal, and in a file never", () => {
  const many = Array.from({ length: 5 }, () => records).flat()
  expect(shown(140, many).match(/^0191/gm)).toHaveLength(100)
  expect(shown(140, many)).toMatch(/The first 50 of 300 rows\. All of them: elsewhere\.\n$/)
  expect(shown(Number.POSITIVE_INFINITY, many).match(/^0191/gm)).toHaveLength(400)
})

test("in CSV, a row has all of a finding", () => {
  expect([...AuditTable.csv([{ id: id(1), ...fee, actual: { amount: "1" } }])]).toEqual([
    ["id", "external_id", "code", "path", "message", "actual", "limit"],
    [id(1), "", "fee_off_schedule", "/service_fee", fee.message, '{"amount":"1"}', ""],
  ])
})
