import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import type * as S from "effect/Schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Cli from "../../apps/cli/test/Cli.ts"
import type * as Audit from "../../packages/domain/src/Audit.ts"
import type * as RuleReport from "../../packages/domain/src/RuleReport.ts"
import * as Summary from "../../packages/domain/src/Summary.ts"
import { moneyFields } from "../../packages/domain/src/Transfer.ts"
import type * as Validation from "../../packages/domain/src/Validation.ts"
import { proposal } from "../../packages/domain/test/fixtures/service.ts"
import { Fault } from "../../packages/fake/src/Fault.ts"
import * as FaultRule from "../../packages/fake/src/FaultRule.ts"
import * as FileReport from "../../packages/files/src/FileReport.ts"
import * as MonthSchema from "../../packages/report/src/MonthSchema.ts"
import * as JsonSchemas from "../JsonSchemas.ts"
import * as Repository from "../Repository.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transferkit-schemas-"))
})

afterAll(() => rm(folder, { recursive: true }))

const validator = (name: string) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  return ajv.compile(JSON.parse(readFileSync(join(Repository.root, "packages", name), "utf8")))
}

/** Runs the command, and parses what it prints. */
const transfers = (...args: ReadonlyArray<string>): unknown => {
  const { stdout } = spawnSync(process.execPath, [Cli.bin, ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: Cli.cache },
  })
  return JSON.parse(stdout)
}

const september = ["--sandbox", "--now", "2025-01-01", "--since", "2024-09", "--until", "2024-09"]

test("each is a draft 2020-12", () => {
  const all = JsonSchemas.all()
  expect(all.size).toBe(13)
  for (const text of all.values()) expect(text).toContain("https://json-schema.org/draft/2020-12/schema")
})

test("the schemas of the rules' documents have their types", () => {
  type Same<A, B> = [A, B] extends [B, A] ? true : false
  type Result = S.Schema.Type<typeof RuleReport.ValidationReport>["results"][number]
  const verdict: Same<keyof Result, keyof Validation.Verdict> = true
  const violation: Same<Result["violations"][number]["code"], Validation.Code> = true
  const finding: Same<S.Schema.Type<typeof RuleReport.AuditReport>["findings"][number]["code"], Audit.Code> = true
  const proposal: Same<keyof S.Schema.Type<typeof RuleReport.Proposal>, keyof Validation.Proposal> = true
  expect([verdict, violation, finding, proposal]).toEqual([true, true, true, true])
})

describe("proposals.json", () => {
  const isValid = validator("domain/schemas/proposals.json")

  test.each([proposal, [proposal, { ...proposal, note: "kept" }], { transfers: [proposal] }, []])(
    "accepts %j",
    (value) => {
      expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
    },
  )

  test.each([
    { ...proposal, source: { amount: 100, currency_code: "fiat/USD" } },
    { ...proposal, source: { amount: "1,00", currency_code: "fiat/USD" } },
    { ...proposal, country_code: undefined },
    { ...proposal, external_id: "" },
    { transfers: proposal },
    "text",
  ])("rejects %j", (value) => {
    expect(isValid(JSON.parse(JSON.stringify(value)))).toBe(false)
  })
})

describe("the reports that the command prints", () => {
  test("validation-report.json describes transfers validate", async () => {
    const file = join(folder, "proposals.json")
    await writeFile(file, JSON.stringify([proposal, { ...proposal, country_code: "AQ", source: 5 }, {}, 7]))
    const report = transfers("validate", file, "--sandbox", "--output", "json")
    const isValid = validator("domain/schemas/validation-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    expect(report).toMatchObject({ valid: false })
    expect(isValid({ valid: true })).toBe(false)
  })

  test("audit-report.json describes transfers audit", () => {
    const report = transfers("audit", ...september, "--output", "json")
    const isValid = validator("domain/schemas/audit-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    const found = { id: "tr_1", code: "negative_amount", path: "/source_total/amount", message: "m" }
    expect(isValid(Object.assign({}, report, { transfers: 1, findings: [found] }))).toBe(true)
    expect(isValid(Object.assign({}, report, { transfers: 1, findings: [{ ...found, code: "made_up" }] }))).toBe(false)
  })

  test("summary-report.json describes transfers summary, whatever it groups by", () => {
    const isValid = validator("domain/schemas/summary-report.json")
    const report = transfers("summary", ...september, "--by", Summary.dimensions.join(), "--output", "json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    const [{ key, totals }] = Object(report).groups
    expect(Object.keys(key)).toEqual([...Summary.dimensions])
    expect(moneyFields).toEqual(expect.arrayContaining(Object.keys(totals)))
    expect(isValid({ ...Object(report), source: undefined })).toBe(false)
    expect(isValid({ ...Object(report), by: ["colour"] })).toBe(false)
  })

  test("month-report.json describes transfers report, with a ledger and fees", async () => {
    const row = { fee: "service_fee", currency: "fiat/USD", fixed: "0" }
    await writeFile(join(folder, "fees.json"), JSON.stringify({ fee_schedule: 1, rows: [row] }))
    await writeFile(join(folder, "books.csv"), "external_id,amount,currency\nnone,1.00,USD\n")
    const ledger = ["--ledger", "books.csv", "--key", "external_id", "--amount", "source_total"]
    const report = transfers(
      "report",
      ...september,
      "--html",
      "m.html",
      "--fees",
      "fees.json",
      ...ledger,
      "--output",
      "json",
    )
    const isValid = validator("report/schemas/month-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    expect(Object.keys(Object(report)).toSorted()).toEqual(Object.keys(MonthSchema.MonthDocument.fields).toSorted())
    const { breaks, fees, findings } = Object(report)
    expect([breaks, fees.length, findings.length].every((count) => count > 0)).toBe(true)
    expect(isValid({ ...Object(report), sha256: null })).toBe(false)
  })

  test("export-manifest.json describes the manifest of an export", () => {
    const manifest = transfers("export", ...september, "--out", "s.csv", "--output", "json")
    const isValid = validator("files/schemas/export-manifest.json")
    expect(isValid(manifest), JSON.stringify(isValid.errors)).toBe(true)
    expect(isValid({ ...Object(manifest), transfers: "many" })).toBe(false)
  })

  test("reconciliation-report.json describes transfers reconcile, and names every field", async () => {
    await writeFile(
      join(folder, "ledger.csv"),
      "external_id,amount,currency,date\norder-6034b5f6,280.60,EUR,2024-09-30\norder-6034b5f6,1.00,EUR,2024-09-30\nnone,1.00,EUR,2024-09-30\n",
    )
    const report = transfers("reconcile", "ledger.csv", ...september, "--matched", "--output", "json")
    const isValid = validator("files/schemas/reconciliation-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    expect(isValid({ ...Object(report), breaks: "many" })).toBe(false)
    const { ledgers, outcomes } = Object(report)
    expect(new Set(outcomes.map((line: { outcome: string }) => line.outcome)).size).toBeGreaterThan(2)
    for (const line of outcomes)
      expect(Object.keys(FileReport.Line.fields)).toEqual(expect.arrayContaining(Object.keys(line)))
    expect(Object.keys(FileReport.Reading.fields)).toEqual(expect.arrayContaining(Object.keys(ledgers[0])))
  })

  test("verification-report.json describes transfers verify", () => {
    const report = transfers("verify", "s.csv", "--output", "json")
    const isValid = validator("files/schemas/verification-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    expect(report).toMatchObject({ ok: true })
    expect(isValid({ ok: true })).toBe(false)
  })

  test("comparison-report.json describes transfers diff", async () => {
    const [header, first = "", second = "", ...others] = readFileSync(join(folder, "s.csv"), "utf8").split("\n")
    const changed = second.replace("declined", "complete").replace("executing", "complete")
    const added = first.replace(/^[^,]*/, "tr_new")
    await writeFile(join(folder, "t.csv"), [header, changed, added, ...others].join("\n"))
    const report = transfers("diff", "s.csv", "t.csv", "--output", "json")
    const isValid = validator("files/schemas/comparison-report.json")
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    const kinds = Object(report).differences.map(({ kind }: { kind: string }) => kind)
    expect(new Set(kinds)).toEqual(new Set(["added", "changed", "removed"]))
    expect(isValid({ same: 1, differences: [{ kind: "moved", id: "tr_1", created_at: "" }] })).toBe(false)
  })
})

describe("fault-rules.json", () => {
  const isValid = validator("fake/schemas/fault-rules.json")

  test("has every fault, and accepts what the fake accepts", () => {
    const rule = {
      when: { path: "/v1/transfers/search", request: { every: 3 } },
      times: 2,
      faults: [{ fault: "status", status: 503 }],
    }
    for (const value of [rule, [rule], { rules: [rule] }, { $schema: "./faults.json", rules: [rule] }]) {
      expect(FaultRule.parse(value)._tag).toBe("Success")
      expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
    }
    const text = JSON.stringify(isValid.schema)
    for (const { fields } of Fault.members) expect(text).toContain(`"${fields.fault.literal}"`)
  })

  test.each([
    { faults: [] },
    { faults: [{ fault: "made_up" }] },
    { faults: [{ fault: "status", status: 99 }] },
    { faults: [{ fault: "status", status: 503, colour: "red" }] },
    { fault: "status", status: 503 },
    { rules: [], more: 1 },
  ])("rejects %j, as the fake does", (value) => {
    expect(FaultRule.parse(value)._tag).toBe("Failure")
    expect(isValid(value)).toBe(false)
  })
})
