/** A reconciliation as rows of texts: its lines for CSV, and the totals of each kind of outcome. */
import type * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Iterable from "effect/Iterable"
import type * as ReconciliationLines from "./ReconciliationLines.ts"

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
  "state",
]

const csvRow = (line: ReconciliationLines.Line): ReadonlyArray<string | undefined> => [
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
  line.state,
]

/** The header, and a row for each line. */
export const csv = ({
  lines,
}: Pick<ReconciliationLines.Reconciled, "lines">): Iterable<ReadonlyArray<string | undefined>> =>
  Iterable.prepend(Iterable.map(lines, csvRow), csvHeader)

/** The totals as rows: the header, and a row for each kind of outcome and currency. */
export const totals = (self: Pick<ReconciliationLines.Reconciled, "totals">): ReadonlyArray<ReadonlyArray<string>> => [
  ["outcome", "outcomes", "currency_code", "ledger_amount", "service_amount"],
  ...Reconciliation.outcomeTags.flatMap((tag) =>
    totalRows(tag, self.totals[tag]).map(([, ...cells]) => [tag, ...cells]),
  ),
]

/** The open items as rows: the header, and a row for each kind of outcome, currency and age. */
export const ages = ({
  ageing = [],
}: Pick<ReconciliationLines.Reconciled, "ageing">): ReadonlyArray<ReadonlyArray<string>> => [
  ["outcome", "age", "currency_code", "items", "ledger_amount", "service_amount"],
  ...ageing.map(({ outcome, age, currency_code, items, ledger, service }) => [
    outcome,
    age,
    currency_code,
    String(items),
    ledger.text,
    service.text,
  ]),
]

/** The totals of a kind of outcome: a row for each currency. */
export const totalRows = (
  tag: Reconciliation.OutcomeTag,
  totals: Reconciliation.OutcomeTotals,
): ReadonlyArray<ReadonlyArray<string>> => {
  const words = Reconciliation.outcomeWords[tag]
  const [ledger, service] = [byCurrency(totals.ledger), byCurrency(totals.service)]
  const currencies = [...new Set([...ledger.keys(), ...service.keys()])].toSorted()
  if (currencies.length === 0) return [[words, String(totals.outcomes), "", "", ""]]
  return currencies.map((currency, index) => [
    words,
    index === 0 ? String(totals.outcomes) : "",
    currency,
    ledger.get(currency) ?? "",
    service.get(currency) ?? "",
  ])
}

const byCurrency = (side: ReadonlyArray<Money.Money>): ReadonlyMap<string, string> =>
  new Map(side.map((money) => [money.currency_code, money.text]))
