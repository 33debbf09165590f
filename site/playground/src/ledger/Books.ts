/** Reads a pasted ledger and reconciles it, in this page. */
import type * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as CsvText from "@transferkit/files/ledgers/CsvText"
import * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as LedgerReader from "@transferkit/files/ledgers/LedgerReader"

/** A pasted ledger against some transfers; or why it is not read. */
export type Books =
  | { readonly _tag: "Unread"; readonly reason: string }
  | {
      readonly _tag: "Read"
      readonly reading: Ledger.Reading
      readonly reconciliation: Reconciliation.Reconciliation
    }

/** More rows would block the page. */
const mostCharacters = 2_000_000

/** Reads a ledger as text, and pairs it with transfers. */
export const reconcile = async (text: string, transfers: ReadonlyArray<Transfer>): Promise<Books> => {
  if (text.length > mostCharacters) return { _tag: "Unread", reason: "it has more than 2 million characters" }
  try {
    const options = { ...Ledger.detectAll, delimiter: undefined }
    const reader = await LedgerReader.open("the ledger", CsvText.table(text, options), options)
    const entries: Array<Reconciliation.LedgerEntry> = []
    for await (const batch of reader.entries()) entries.push(...batch)
    const reconciliation = Reconciliation.reconcile(entries, transfers, { isEverywhere: () => true })
    return { _tag: "Read", reading: reader.reading(), reconciliation }
  } catch (error) {
    return { _tag: "Unread", reason: error instanceof Error ? error.message : String(error) }
  }
}

/** An outcome in words for a table: key, what the ledger has, what the service has, and why it stands here. */
export const rowOf = (
  outcome: Reconciliation.Outcome,
): readonly [key: string, here: string, there: string, why: string] => {
  const entries = Reconciliation.entriesOf(outcome)
  const found = Reconciliation.transfersOf(outcome)
  const key = entries[0]?.key ?? found[0]?.external_id ?? found[0]?.id ?? ""
  const here = entries.map(({ amount }) => amountOf(amount)).join(", ")
  const there = found
    .map(({ source_total, status }) => `${source_total ? amountOf(source_total) : "–"} ${status}`)
    .join(", ")
  return [key, here, there, whyOf(outcome)]
}

const amountOf = (money: Money.Money): string => `${money.text} ${money.currency_code}`

const whyOf = (outcome: Reconciliation.Outcome): string => {
  switch (outcome._tag) {
    case "Differs":
      return outcome.differences
        .map((difference) =>
          difference._tag === "AmountDiffers"
            ? `the service has ${amountOf(difference.difference)} more`
            : difference._tag,
        )
        .join(", ")
    case "NotSettled":
      return `at the service it is ${outcome.statuses.join(", ") || "not settled"}`
    case "NotAtService":
      return "no transfer of this month has the key"
    case "NotInLedger":
      return "settled, and not booked"
    default:
      return ""
  }
}
