/**
 * Schemas of the reports about files: a reconciliation of a ledger, the verification of an export, and the comparison of
 * two. The commands do without them; JSON Schemas for other languages are made of them.
 */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as RuleReport from "@transferkit/domain/RuleReport"
import * as S from "effect/Schema"
import * as LedgerColumns from "./ledgers/LedgerColumns.ts"
import * as LedgerDate from "./ledgers/LedgerDate.ts"
import * as LedgerProfile from "./ledgers/LedgerProfile.ts"
import * as LedgerText from "./ledgers/LedgerText.ts"
import * as NoBooking from "./ledgers/NoBooking.ts"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })

const Money = S.Struct({
  amount: describe(S.String, "Decimal digits as text, exact"),
  currency_code: describe(S.String, "Such as fiat/USD"),
}).annotate({ identifier: "Money" })

const Outcome = describe(
  S.Literals(Reconciliation.outcomeTags),
  "Payout: the row pays others that name its key. NotSettled: booked, and failed or open at the service. Expected: in transit. NothingToBook: failed, open, or left out by a filter",
)

const Totals = S.Struct({
  outcomes: S.Int,
  breaks: describe(S.Int, "How many of them need attention"),
  entries: describe(S.Int, "Rows of the ledger"),
  transfers: S.Int,
  ledger: describe(S.Array(Money), "What the rows add up to, in each currency"),
  service: describe(S.Array(Money), "What the transfers add up to, in each currency"),
}).annotate({ identifier: "Totals" })

const parts = S.Literals([
  "key",
  "amount",
  "currency",
  "status",
  "date",
  "in",
  "out",
  "sign",
  "balance",
] satisfies ReadonlyArray<LedgerColumns.Part>)

/** How a ledger was read. */
export const Reading = S.Struct({
  file: S.String,
  sha256: describe(S.String, "Of the file"),
  format: S.Literals(LedgerText.formats),
  rows: describe(S.Int, "Bookings"),
  header: S.optionalKey(describe(S.String, "The place of the header, if it is not the first row")),
  left_out: S.optionalKey(
    describe(
      S.Array(
        S.Struct({
          reason: S.Literals(NoBooking.reasons),
          rows: S.Int,
          places: describe(S.Array(S.String), "Of the first of them"),
        }),
      ),
      "Rows that are no bookings: titles, repeats of the header, totals, and those named by --skip-row",
    ),
  ),
  sums: S.optionalKey(
    describe(
      S.Array(S.Struct({ place: S.String, key: S.String, rows: S.Int })),
      "Bookings whose amount is the sum of that many rows above: totals, perhaps",
    ),
  ),
  outside: S.optionalKey(describe(S.Int, "Rows left out because their date is outside the period")),
  pending: S.optionalKey(describe(S.Int, "Entries of a statement left out because they are not booked")),
  hidden: S.optionalKey(describe(S.Int, "Rows that a workbook hides or has filtered out, and that count all the same")),
  gaps: S.optionalKey(
    describe(
      S.Array(S.Struct({ account: S.String, after: S.Int, before: S.Int })),
      "Where statements of an account are missing, by their numbers",
    ),
  ),
  repeated: S.optionalKey(
    describe(
      S.Array(S.Struct({ account: S.String, day: S.String, place: S.String })),
      "Reports of an account and a day whose transactions are those of one above, and count again",
    ),
  ),
  unequal: S.optionalKey(
    describe(
      S.Array(S.Struct({ account: S.String, day: S.String, place: S.String, difference: S.String })),
      "Reports whose transactions do not lead from the opening to the closing ledger balance, and by how much they differ",
    ),
  ),
  same_as: S.optionalKey(describe(S.String, "Another ledger with the same bytes, which was read before it")),
  unbalanced: S.optionalKey(
    describe(
      S.Int,
      "Statements without an account, an opening or a closing balance: nothing shows if they are complete",
    ),
  ),
  numbers: S.optionalKey(describe(S.Int, "Amounts that are numbers of a spreadsheet")),
  rounded: S.optionalKey(describe(S.Int, "How many of those were rounded to the 15 digits that spreadsheets keep")),
  balances: S.optionalKey(describe(S.Int, "How many running balances followed from the one before")),
  sheet: S.optionalKey(S.String),
  encoding: S.optionalKey(S.String),
  delimiter: S.optionalKey(S.String),
  columns: describe(S.Record(S.String, S.String), `The name of the column of ${LedgerColumns.parts.join(", ")}`),
  markers: S.optionalKey(
    describe(S.Struct({ in: S.Array(S.String), out: S.Array(S.String) }), "The texts that stand for money in and out"),
  ),
  decimal: S.optionalKey(S.Literals([".", ","])),
  date_order: S.optionalKey(S.Literals(LedgerDate.orders)),
  utc_times: S.optionalKey(describe(S.Literal(true), "Times without an offset were taken as UTC")),
  detected: describe(
    S.Array(S.Union([S.Literals(["sheet", "encoding", "delimiter", "decimal", "date_order", "header"]), parts])),
    "Which of these were detected, not given",
  ),
}).annotate({ identifier: "Reading", description: "How a ledger was read" })

/** A line of a reconciliation. */
export const Line = S.Struct({
  outcome: Outcome,
  break: describe(S.Boolean, "Whether it needs attention"),
  continues: S.optionalKey(describe(S.Literal(true), "It is a further row of the outcome before it")),
  fingerprint: S.optionalKey(describe(S.String, "The same for equal breaks, in any run")),
  state: S.optionalKey(
    describe(S.Literals(["new", "known", "expired", "resolved"]), "Of a break, if some have been accepted"),
  ),
  key: S.String,
  reference: S.optionalKey(describe(S.String, "The place of the row in its ledger")),
  date: S.optionalKey(S.String),
  transfer_id: S.optionalKey(S.String),
  ledger: S.optionalKey(Money),
  service: S.optionalKey(Money),
  difference: S.optionalKey(describe(Money, "The transfer's amount minus the ledger's")),
  usd: S.optionalKey(describe(Money, "What a break is worth in US dollars, at the rate of its transfer")),
  why: describe(S.String, "For people; empty for a match"),
  open_since: S.optionalKey(describe(S.String, "The day since which it is open")),
  age_days: S.optionalKey(describe(S.Int, "The days from then to the as-of day")),
}).annotate({ identifier: "Line" })

/** Transfers that may add up to a row, or why none are proposed. */
export const Proposal = S.Struct({
  key: S.String,
  reference: S.String,
  ledger: Money,
  step: S.optionalKey(describe(S.Literals(["days", "sets"]), "Whole consecutive days, or a set of few transfers")),
  transfers: S.optionalKey(S.Array(S.Struct({ transfer_id: S.String, service: S.optionalKey(Money) }))),
  fingerprint: S.optionalKey(describe(S.String, "What confirms it in a file of accepted breaks")),
  why: describe(S.String, "For people"),
}).annotate({ identifier: "Proposal" })

/** The open items of an outcome, a currency and an age. */
const AgeLine = S.Struct({
  outcome: Outcome,
  currency_code: S.String,
  age: describe(S.Literals(["0-7", "8-30", "31-60", "61-90", "over 90", "no date"]), "In days"),
  items: S.Int,
  ledger: Money,
  service: Money,
}).annotate({ identifier: "AgeLine" })

const Sum = S.Struct({ rows: S.Int, amount: Money }).annotate({ identifier: "Sum" })

/** The movement of open rows of a side and a currency. */
const RollForwardLine = S.Struct({
  side: S.Literals(["ledger", "service"]),
  currency_code: S.String,
  open_at_start: Sum,
  new: Sum,
  cleared: Sum,
  open_at_end: Sum,
}).annotate({ identifier: "RollForwardLine" })

/** How the books were kept. */
export const Settings = describe(
  S.Struct({
    version: S.String,
    created_at: describe(S.Array(S.String), "The period, in the service's words; empty for all times"),
    time_zone: S.String,
    key: S.Literals(Reconciliation.keyFields),
    amount: S.String,
    tolerance: S.Array(S.String),
    group: S.Boolean,
    settled: describe(S.Array(S.String), "The statuses of transfers whose money has moved"),
    failed: describe(S.Array(S.String), "The statuses of transfers whose money will not move; all others are open"),
    grace_days: S.Int,
    as_of_day: S.optionalKey(S.String),
    look_ups: S.Int,
    batches: S.Boolean,
    ledger: describe(LedgerProfile.LedgerProfile, "What is given of how to read the ledgers, as a ledger profile"),
  }),
  "After defaults: with them and the same files, the result is the same",
)

/** The JSON that `transfers reconcile` prints. */
export const ReconciliationReport = S.Struct({
  settings: Settings,
  ledgers: S.Array(Reading),
  statuses: describe(
    S.Array(S.Struct({ status: S.String, class: S.Literals(["settled", "failed", "open"]), transfers: S.Int })),
    "The statuses of the transfers of the period",
  ),
  breaks: describe(S.Int, "Outcomes that need attention; the exit code is 1 unless it is 0"),
  states: S.optionalKey(
    describe(
      S.Struct({ new: S.Int, known: S.Int, expired: S.Int, resolved: S.Int }),
      "With accepted breaks: the exit code is 1 if there are new or expired ones",
    ),
  ),
  totals: S.Struct(Reconciliation.byTag(() => Totals)),
  proposals: S.optionalKey(
    describe(S.Array(Proposal), "With --batches, for each row that is left: never matches, and not in the totals"),
  ),
  ageing: S.optionalKey(describe(S.Array(AgeLine), "How long items have been open, as of a day")),
  roll_forward: S.optionalKey(
    describe(S.Array(RollForwardLine), "From what earlier books left open to what is open now"),
  ),
  source: RuleReport.Source,
  outcomes: describe(
    S.Array(Line),
    "The breaks and what is in transit; with --matched all. One with several rows on a side has several lines",
  ),
}).annotate({ title: "Reconciliation report", description: "The JSON of transfers reconcile --output json" })

/** The JSON that `transfers verify` prints. */
export const VerificationReport = S.Struct({
  ok: describe(S.Boolean, "Whether every check is. It says nothing of a signature that was not checked"),
  signature: S.optionalKey(
    describe(
      S.Literals(["valid", "wrong", "not checked", "none"]),
      "Of a close: only valid proves who wrote it, and is that of the key that was given",
    ),
  ),
  checks: S.Array(S.Struct({ check: S.String, expected: S.String, found: S.String, ok: S.Boolean })),
}).annotate({ title: "Verification report", description: "The JSON of transfers verify --output json" })

const transfer = { id: S.String, external_id: S.optionalKey(S.String), created_at: S.String }

/** The JSON that `transfers diff` prints. */
export const ComparisonReport = S.Struct({
  same: describe(S.Int, "Transfers that are the same on both sides"),
  not_compared: describe(S.Int, "Transfers of one side that the other does not hold, so that nothing is said of them"),
  source: S.Struct({ older: RuleReport.Source, newer: RuleReport.Source }),
  differences: S.Array(
    S.Union([
      S.Struct({ kind: S.Literals(["added", "removed"]), ...transfer }),
      S.Struct({
        kind: S.Literal("changed"),
        ...transfer,
        changes: S.Array(
          S.Struct({
            field: S.String,
            from: S.optionalKey(describe(S.String, "Absent if the field was")),
            to: S.optionalKey(describe(S.String, "Absent if the field is")),
          }),
        ),
      }),
    ]),
  ),
}).annotate({ title: "Comparison report", description: "The JSON of transfers diff --output json" })
