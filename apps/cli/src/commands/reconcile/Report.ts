/** A reconciliation as rows: one per outcome, and the totals of each kind of outcome. */
import type * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { MoneyField } from "@transferkit/domain/Transfer"
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import { counted } from "../../output/Quantity.ts"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"

/** What each outcome means to the owner of the ledger. */
export const meanings: Readonly<Record<Reconciliation.OutcomeTag, string>> = {
  Matched: "matched",
  Differs: "differs",
  MissingHere: "not in the ledger",
  MissingThere: "not at the service",
  Ambiguous: "ambiguous",
}

/** A row of an outcome. An ambiguous outcome has one for each entry and transfer. */
export interface Line {
  readonly outcome: Reconciliation.OutcomeTag
  readonly key: string
  readonly reference: string | undefined
  readonly transfer_id: string | undefined
  readonly ledger: Money.Money | undefined
  readonly service: Money.Money | undefined
  readonly difference: Money.Money | undefined
  readonly why: string
}

/** Whether an outcome needs attention. */
export const isBreak = (outcome: Reconciliation.Outcome): boolean => outcome._tag !== "Matched"

/** The number of outcomes that need attention. */
export const breaks = (self: Reconciliation.Reconciliation): number => self.outcomes.filter(isBreak).length

/** The rows of an outcome. */
export const linesOf = (outcome: Reconciliation.Outcome, options: LineOptions): ReadonlyArray<Line> => {
  const empty = {
    reference: undefined,
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
          reference: entry.reference,
          transfer_id: transfer.id,
          ledger: entry.amount,
          service: transfer[options.amount],
          difference: outcome._tag === "Matched" ? outcome.difference : byAmount,
          why: found.map(explain).join("; "),
        },
      ]
    }
    case "MissingHere": {
      const { transfer } = outcome
      return [
        {
          ...empty,
          outcome: "MissingHere",
          key: transfer[options.key] ?? "",
          transfer_id: transfer.id,
          service: transfer[options.amount],
          why: `its status at the service is ${transfer.status}`,
        },
      ]
    }
    case "MissingThere": {
      const { entry } = outcome
      const why = entry.key === "" ? "the row has no key" : "the service has no such transfer"
      return [
        { ...empty, outcome: "MissingThere", key: entry.key, reference: entry.reference, ledger: entry.amount, why },
      ]
    }
    case "Ambiguous": {
      const why = `${counted(outcome.entries.length, "row")} and ${counted(outcome.transfers.length, "transfer")} have this key`
      const head = { ...empty, outcome: "Ambiguous", key: outcome.key, why } as const
      return [
        ...outcome.entries.map((entry) => ({ ...head, reference: entry.reference, ledger: entry.amount })),
        ...outcome.transfers.map((transfer) => ({
          ...head,
          transfer_id: transfer.id,
          service: transfer[options.amount],
        })),
      ]
    }
  }
}

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

/** The report: breaks or all outcomes, and the totals. */
export const make = (
  self: Reconciliation.Reconciliation,
  options: LineOptions & { readonly matched: boolean; readonly ledgers: ReadonlyArray<Ledger.Reading> },
): Report => {
  const shown = options.matched ? self.outcomes : self.outcomes.filter(isBreak)
  const lines = shown.flatMap((outcome) => linesOf(outcome, options))
  return {
    json: { ledgers: options.ledgers, breaks: breaks(self), totals: self.totals, outcomes: lines },
    records: lines,
    csv: [
      [
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
      ],
      ...lines.map((line) => [
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
      ]),
    ],
    table: (style) => [
      ...(lines.length === 0
        ? []
        : [
            {
              columns: [
                {
                  header: "OUTCOME",
                  style: (cut: string, cell: string) => (cell === meanings.Matched ? style.good(cut) : style.bad(cut)),
                },
                { header: "KEY", shrinkTo: 8, cut: "middle" as const },
                { header: "ROW", dropOrder: 1 },
                { header: "TRANSFER", shrinkTo: 8, cut: "middle" as const, dropOrder: 2 },
                { header: "LEDGER", align: "right" as const },
                { header: "SERVICE", align: "right" as const },
                { header: "DIFFERENCE", align: "right" as const },
                { header: "WHY", shrinkTo: 16, wrap: true, dropOrder: 3 },
              ],
              rows: lines.map((line) => [
                meanings[line.outcome],
                line.key,
                line.reference ?? "",
                line.transfer_id ?? "",
                TransferTable.money(line.ledger),
                TransferTable.money(line.service),
                line.difference?.text ?? "",
                line.why,
              ]),
            },
          ]),
      {
        title: "Totals",
        columns: [
          { header: "OUTCOME" },
          { header: "COUNT", align: "right" },
          { header: "CURRENCY" },
          { header: "LEDGER", align: "right" },
          { header: "SERVICE", align: "right" },
        ],
        rows: Reconciliation.outcomeTags.flatMap((tag) => totalRows(tag, self.totals[tag])),
      },
    ],
  }
}

const totalRows = (
  tag: Reconciliation.OutcomeTag,
  totals: Reconciliation.OutcomeTotals,
): ReadonlyArray<ReadonlyArray<string>> => {
  const currencies = [...new Set([...totals.ledger, ...totals.service].map((money) => money.currency_code))].toSorted()
  const of = (side: ReadonlyArray<Money.Money>, currency: string) =>
    side.find((money) => money.currency_code === currency)?.text ?? ""
  if (currencies.length === 0) return [[meanings[tag], String(totals.outcomes), "", "", ""]]
  return currencies.map((currency, index) => [
    meanings[tag],
    index === 0 ? String(totals.outcomes) : "",
    currency,
    of(totals.ledger, currency),
    of(totals.service, currency),
  ])
}
