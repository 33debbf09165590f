/** A reconciliation as rows: one per outcome, and the totals of each kind of outcome. */
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { MoneyField } from "@transferkit/domain/Transfer"
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import type * as LargeReconciliation from "@transferkit/files/partitions/LargeReconciliation"
import * as Iterable from "effect/Iterable"
import { counted } from "../../output/Quantity.ts"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"

/** A row of an outcome. An ambiguous outcome has one for each entry and transfer. */
export interface Line {
  readonly outcome: Reconciliation.OutcomeTag
  readonly key: string
  readonly reference: string | undefined
  /** The day of the ledger's row, if the ledger has dates. */
  readonly date: string | undefined
  readonly transfer_id: string | undefined
  readonly ledger: Money.Money | undefined
  readonly service: Money.Money | undefined
  readonly difference: Money.Money | undefined
  readonly why: string
}

/** A reconciliation as lines, which may be more than fit in memory. */
export interface Reconciled {
  readonly totals: Reconciliation.Reconciliation["totals"]
  /** In the order of the report. */
  readonly lines: Iterable<Line>
}

const goodOutcomes: ReadonlySet<string> = new Set<Reconciliation.OutcomeTag>(["Matched", "NothingToBook"])

const goodWords: ReadonlySet<string> = new Set(
  Reconciliation.outcomeTags.filter((tag) => goodOutcomes.has(tag)).map((tag) => Reconciliation.outcomeWords[tag]),
)

/** Whether an outcome needs attention. */
export const isBreak = (tag: Reconciliation.OutcomeTag): boolean => !goodOutcomes.has(tag)

/** The outcomes to show: declined attempts only if there are some. */
export const shownTags = ({ totals }: Pick<Reconciled, "totals">): ReadonlyArray<Reconciliation.OutcomeTag> =>
  Reconciliation.outcomeTags.filter((tag) => tag !== "NothingToBook" || totals.NothingToBook.outcomes > 0)

/** The number of outcomes that need attention. */
export const breaks = ({ totals }: Pick<Reconciled, "totals">): number =>
  Reconciliation.outcomeTags.filter(isBreak).reduce((sum, tag) => sum + totals[tag].outcomes, 0)

/** A line from its JSON. */
export const fromJson = (text: string): Line => {
  const { outcome, key, reference, date, transfer_id, ledger, service, difference, why } = JSON.parse(text)
  return {
    outcome,
    key,
    reference,
    date,
    transfer_id,
    ledger: moneyOf(ledger),
    service: moneyOf(service),
    difference: moneyOf(difference),
    why,
  }
}

interface Wire {
  readonly amount: string
  readonly currency_code: CurrencyCode
}

const moneyOf = (wire: Wire | undefined): Money.Money | undefined =>
  wire && Money.parseUnsafe(wire.amount, wire.currency_code)

/** The rows of an outcome. */
export const linesOf = (
  outcome: Reconciliation.Outcome,
  options: LineOptions,
  whole: LargeReconciliation.Found["whole"] = undefined,
): ReadonlyArray<Line> => {
  const empty = {
    reference: undefined,
    date: undefined,
    transfer_id: undefined,
    ledger: undefined,
    service: undefined,
    difference: undefined,
    why: "",
  }
  switch (outcome._tag) {
    case "Matched":
    case "Differs": {
      const { entry, transfer } = outcome
      const found = outcome._tag === "Differs" ? outcome.differences : []
      const [byAmount] = found.flatMap((one) => (one._tag === "AmountDiffers" ? [one.difference] : []))
      return [
        {
          outcome: outcome._tag,
          key: entry.key,
          reference: referenceOf(entry),
          date: entry.date,
          transfer_id: transfer.id,
          ledger: entry.amount,
          service: transfer[options.amount],
          difference: outcome._tag === "Matched" ? outcome.difference : byAmount,
          why: found.map(explain).join("; "),
        },
      ]
    }
    case "NotInLedger":
    case "NothingToBook": {
      const { transfer } = outcome
      return [
        {
          ...empty,
          outcome: outcome._tag,
          key: transfer[options.key] ?? "",
          transfer_id: transfer.id,
          service: transfer[options.amount],
          why: `${outcome._tag === "NotInLedger" ? "not in the ledger; " : ""}its status at the service is ${transfer.status}`,
        },
      ]
    }
    case "NotAtService": {
      const { entry } = outcome
      const why = entry.key === "" ? "the row has no key" : "the service has no such transfer"
      return [
        {
          ...empty,
          outcome: "NotAtService",
          key: entry.key,
          reference: referenceOf(entry),
          date: entry.date,
          ledger: entry.amount,
          why,
        },
      ]
    }
    case "Ambiguous": {
      const entries = outcome.entries.reduce((count, { rows: added = 1 }) => count + added, 0)
      const rows = whole ?? { entries, transfers: outcome.transfers.length }
      const why = `${counted(rows.entries, "row")} and ${counted(rows.transfers, "transfer")} have this key`
      const head = { ...empty, outcome: "Ambiguous", key: outcome.key, why } as const
      return [
        ...outcome.entries.map((entry) => ({
          ...head,
          reference: referenceOf(entry),
          date: entry.date,
          ledger: entry.amount,
        })),
        ...outcome.transfers.map((transfer) => ({
          ...head,
          transfer_id: transfer.id,
          service: transfer[options.amount],
        })),
      ]
    }
  }
}

const referenceOf = ({ reference, rows = 1 }: Reconciliation.LedgerEntry): string =>
  rows === 1 ? reference : `${reference} and ${rows - 1} more`

/** The fields that were compared. */
export interface LineOptions {
  readonly key: Reconciliation.KeyField
  readonly amount: MoneyField
}

const explain = (difference: Reconciliation.Difference): string => {
  switch (difference._tag) {
    case "AmountDiffers":
      return "the amounts differ"
    case "CurrencyDiffers":
      return `the ledger is in ${difference.ledger}, the transfer in ${difference.transfer}`
    case "AmountMissing":
      return "the transfer has no such amount"
    case "StatusDiffers":
      return `the ledger says ${difference.ledger}, the service ${difference.transfer}`
  }
}

const csvHeader = [
  "outcome",
  "key",
  "reference",
  "transfer_id",
  "ledger_amount",
  "ledger_currency_code",
  "service_amount",
  "service_currency_code",
  "difference",
  "why",
]

const csvRow = (line: Line): ReadonlyArray<string | undefined> => [
  line.outcome,
  line.key,
  line.reference,
  line.transfer_id,
  line.ledger?.text,
  line.ledger?.currency_code,
  line.service?.text,
  line.service?.currency_code,
  line.difference?.text,
  line.why,
]

const tableRow = (line: Line): ReadonlyArray<string> => [
  Reconciliation.outcomeWords[line.outcome],
  line.key,
  line.reference ?? "",
  line.transfer_id ?? "",
  TransferTable.money(line.ledger),
  TransferTable.money(line.service),
  line.difference?.text ?? "",
  line.why,
]

/** The report: its lines, and the totals. */
export const make = (self: Reconciled, options: { readonly ledgers: ReadonlyArray<Ledger.Reading> }): Report => ({
  json: { ledgers: options.ledgers, breaks: breaks(self), totals: self.totals },
  list: { name: "outcomes", items: self.lines },
  records: self.lines,
  csv: Iterable.prepend(Iterable.map(self.lines, csvRow), csvHeader),
  table: (style) => [
    {
      columns: [
        {
          header: "OUTCOME",
          style: (cut: string, cell: string) => (goodWords.has(cell) ? style.good(cut) : style.bad(cut)),
        },
        { header: "KEY", shrinkTo: 8, cut: "middle" as const },
        { header: "ROW", dropOrder: 1 },
        { header: "TRANSFER", shrinkTo: 8, cut: "middle" as const, dropOrder: 2 },
        { header: "LEDGER", align: "right" as const },
        { header: "SERVICE", align: "right" as const },
        { header: "DIFFERENCE", align: "right" as const },
        { header: "WHY", shrinkTo: 16, wrap: true, dropOrder: 3 },
      ],
      rows: Iterable.map(self.lines, tableRow),
    },
    {
      title: "Totals",
      columns: [
        { header: "OUTCOME" },
        { header: "COUNT", align: "right" },
        { header: "CURRENCY" },
        { header: "LEDGER", align: "right" },
        { header: "SERVICE", align: "right" },
      ],
      rows: shownTags(self).flatMap((tag) => totalRows(tag, self.totals[tag])),
    },
  ],
})

const totalRows = (
  tag: Reconciliation.OutcomeTag,
  totals: Reconciliation.OutcomeTotals,
): ReadonlyArray<ReadonlyArray<string>> => {
  const words = Reconciliation.outcomeWords[tag]
  const currencies = [...new Set([...totals.ledger, ...totals.service].map((money) => money.currency_code))].toSorted()
  const of = (side: ReadonlyArray<Money.Money>, currency: string) =>
    side.find((money) => money.currency_code === currency)?.text ?? ""
  if (currencies.length === 0) return [[words, String(totals.outcomes), "", "", ""]]
  return currencies.map((currency, index) => [
    words,
    index === 0 ? String(totals.outcomes) : "",
    currency,
    of(totals.ledger, currency),
    of(totals.service, currency),
  ])
}
