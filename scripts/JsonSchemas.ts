/** JSON Schemas of the documents that people and programs write or read, made of the schemas of the packages. */
import * as S from "effect/Schema"
import * as Certificate from "../packages/conformance/src/certificate/Certificate.ts"
import * as FeeSchedule from "../packages/domain/src/FeeSchedule.ts"
import * as RuleReport from "../packages/domain/src/RuleReport.ts"
import { Rule } from "../packages/fake/src/FaultRule.ts"
import * as ExportManifest from "../packages/files/src/exports/ExportManifest.ts"
import * as FileReport from "../packages/files/src/FileReport.ts"
import { LedgerProfile } from "../packages/files/src/ledgers/LedgerProfile.ts"
import * as MonthSchema from "../packages/report/src/MonthSchema.ts"

/** What editors look for. */
const $schema = S.optionalKey(S.String)

const FaultRules = S.Union([Rule, S.Array(Rule), S.Struct({ $schema, rules: S.Array(Rule) })]).annotate({
  title: "Fault rules",
  description: "Faults of a fake, for transfers-fake --faults",
})

/** Whether fields that are not named are errors: in what people write they are misspelt, in reports they are newer. */
const sources: ReadonlyArray<readonly [file: string, schema: S.Constraint, unknownFields: "error" | "ignore"]> = [
  ["packages/domain/schemas/proposals.json", RuleReport.Proposals, "ignore"],
  ["packages/domain/schemas/validation-report.json", RuleReport.ValidationReport, "ignore"],
  ["packages/domain/schemas/audit-report.json", RuleReport.AuditReport, "ignore"],
  ["packages/domain/schemas/summary-report.json", RuleReport.SummaryReport, "ignore"],
  ["packages/domain/schemas/fee-schedule.json", FeeSchedule.FeeSchedule, "error"],
  ["packages/conformance/schemas/certificate.json", Certificate.Schema, "ignore"],
  ["packages/fake/schemas/fault-rules.json", FaultRules, "error"],
  ["packages/files/schemas/export-manifest.json", ExportManifest.Schema, "ignore"],
  ["packages/files/schemas/ledger-profile.json", LedgerProfile, "error"],
  ["packages/files/schemas/reconciliation-report.json", FileReport.ReconciliationReport, "ignore"],
  ["packages/files/schemas/verification-report.json", FileReport.VerificationReport, "ignore"],
  ["packages/files/schemas/comparison-report.json", FileReport.ComparisonReport, "ignore"],
  ["packages/report/schemas/month-report.json", MonthSchema.MonthDocument, "ignore"],
]

/** The texts of all, by file. */
export const all = (): ReadonlyMap<string, string> =>
  new Map(sources.map(([file, schema, onExcessProperty]) => [file, render(schema, onExcessProperty)]))

const render = (source: S.Constraint, onExcessProperty: "error" | "ignore"): string => {
  const { schema, definitions } = S.toJsonSchemaDocument(source, { onExcessProperty })
  const document = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
  return `${JSON.stringify(document, undefined, 2)}\n`
}
