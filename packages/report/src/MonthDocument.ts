/** The figures of a month report as a JSON document. Its schema is `MonthSchema`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { MonthReport } from "./MonthReport.ts"
import * as SourceWords from "./SourceWords.ts"

/** What a document says beside the report. */
export interface Options {
  /** How the books were kept, as JSON. */
  readonly settings: object
  /** How the ledgers were read. */
  readonly ledgers: ReadonlyArray<object>
  readonly period: CreatedAt.CreatedAt
  readonly breaks: number | undefined
  readonly asked: SourceWords.Asked
  /** Of the program. */
  readonly version: string
}

/** The document, to be written as JSON. */
export const make = (report: MonthReport, { settings, ledgers, period, breaks, asked, version }: Options) => ({
  settings,
  ledgers,
  created_at: CreatedAt.ranges(period).flatMap(CreatedAt.printRange),
  transfers: report.transfers,
  statuses: Object.fromEntries(report.statuses),
  totals: report.byStatus.groups,
  open: report.open,
  largest: report.largest,
  findings: report.findings ?? null,
  fees: report.fees ?? null,
  sha256: report.sha256,
  breaks: breaks ?? null,
  source: SourceWords.toJson(asked, version),
})
