/**
 * The schema of the JSON of a month report. The command does without it; the JSON Schema for other languages is made of it.
 */
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Money from "@transferkit/domain/Money"
import * as RuleReport from "@transferkit/domain/RuleReport"
import * as Transfer from "@transferkit/domain/Transfer"
import * as FileReport from "@transferkit/files/FileReport"
import * as S from "effect/Schema"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })

const FeeTotal = S.Struct({
  fee: S.Literals(FeeSchedule.feeFields),
  currency: S.String,
  compared: describe(S.Int, "Fees that were compared"),
  off: describe(S.Int, "How many of them are further off than the schedule accepts"),
  charged: Money.Wire,
  expected: Money.Wire,
  difference: describe(Money.Wire, "charged less expected: above zero if the service took more than was agreed"),
}).annotate({ identifier: "FeeTotal" })

/** The JSON that `transfers report` prints. */
export const MonthDocument = S.Struct({
  settings: FileReport.Settings,
  ledgers: describe(S.Array(FileReport.Reading), "How the ledgers were read"),
  created_at: describe(S.Array(S.String), "The period, as values of created_at"),
  transfers: S.Int,
  statuses: describe(S.Record(S.String, S.Int), "How many transfers have each status"),
  totals: describe(S.Array(RuleReport.Group), "By status and currency"),
  open: describe(S.Array(Transfer.Wire), "Those that may still change, the oldest first"),
  largest: describe(S.Array(Transfer.Wire), "The largest of each currency that have not failed"),
  findings: describe(S.NullOr(S.Array(RuleReport.Finding)), "Null if there was nothing to audit by"),
  fees: describe(S.NullOr(S.Array(FeeTotal)), "Null without a fee schedule"),
  sha256: describe(S.String, "Of the transfers as an NDJSON export"),
  breaks: describe(S.NullOr(S.Int), "Of the reconciliation; null without a ledger"),
  source: RuleReport.Source,
}).annotate({ title: "Month report", description: "The JSON of transfers report --output json" })
