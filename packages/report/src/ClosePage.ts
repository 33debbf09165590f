/** The page of a closed month, for people to sign: the verdict, the movement, the largest breaks, and how it was made. */
import type * as Dialect from "@transferkit/domain/Dialect"
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Answers from "./internal/pages/Answers.ts"
import { type Html, markup, nothing } from "./internal/pages/Html.ts"
import * as OpenPart from "./internal/pages/OpenPart.ts"
import * as Page from "./internal/pages/Page.ts"
import * as ReconciliationPart from "./internal/pages/ReconciliationPart.ts"
import { table } from "./internal/pages/Table.ts"
import * as LargestLines from "./LargestLines.ts"
import * as LedgerReading from "./LedgerReading.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"
import * as UsdValue from "./UsdValue.ts"

/** A transfer of the month before that has changed since that was closed. */
export interface Change {
  readonly kind: "added" | "removed" | "changed"
  readonly id: string
  readonly created_at: string
  readonly changes?: ReadonlyArray<{
    readonly field: string
    readonly from?: string | undefined
    readonly to?: string | undefined
  }>
}

/** What the page says of its subject. It holds no time, so that it can be made again. */
export interface ClosePageOptions extends Pick<ReconciliationLines.LineOptions, "key" | "amount"> {
  readonly month: string
  readonly partner: string
  readonly settlement: Dialect.Settlement
  readonly asOfDay: string
  readonly timeZone: DateTime.TimeZone
  /** How the ledgers were read. */
  readonly readings: ReadonlyArray<LedgerReading.Hashed>
  /** What has changed since in the month of the previous close; undefined without one. */
  readonly changes: { readonly month: string; readonly transfers: ReadonlyArray<Change> } | undefined
}

/** The page is at most four printed ones: all other rows are in the files beside it. */
const mostBreaks = 25
const mostChanges = 25
const mostAges = 25

/** The page. */
export const render = (self: ReconciliationLines.Reconciled, options: ClosePageOptions): string => {
  const urgent = Iterable.filter(self.lines, (line) => line.break && line.state !== "known")
  const largest = LargestLines.of(urgent, mostBreaks)
  return Page.render({
    title: `Close of ${options.month}`,
    body: markup`<h1>Close of ${options.month}</h1>
      <p class="muted">The books of ${options.partner} as of ${options.asOfDay}. Every amount is exact.</p>
      ${Answers.render({
        settled: UsdValue.ofClass(self.dollars ?? [], "settled"),
        open: UsdValue.ofClass(self.dollars ?? [], "open"),
        books: ReconciliationPart.answersOf(self),
      })}
      <h2>The books</h2>
      ${ReconciliationPart.figures(self, largest.lines)} ${OpenPart.render(self, { most: mostAges, where: "reconciliation.json" })} ${since(options.changes)}
      ${ReconciliationPart.listed(self, largest, "reconciliation.json")} ${ReconciliationPart.resolved(self)}
      <h3>How it was made</h3>
      ${Page.facts([
        ["Compared", markup`${options.amount} of the transfers whose ${options.key} is the ledger's key`],
        ["Statuses", markup`${ReconciliationLines.classes(self, options.settlement)}`],
        ["Read", markup`${options.readings.map((reading) => markup`<div>${LedgerReading.sentence(reading)}</div>`)}`],
        ["Time zone", markup`${DateTime.zoneToString(options.timeZone)}`],
        ...options.readings.map(ReconciliationPart.ledgerFact),
        [
          "To repeat it",
          markup`transfers verify, with the bundle. Its close.json has the command, the version, and the hash of each file.`,
        ],
      ])}
      <h3>Signed</h3>
      ${Page.signatures(["Prepared by", "Reviewed by"])}`,
  })
}

const since = (changes: ClosePageOptions["changes"]): Html => {
  if (changes === undefined) return nothing
  const { month, transfers } = changes
  if (transfers.length === 0) return markup`<p>Nothing has changed in ${month} since it was closed.</p>`
  const more =
    transfers.length > mostChanges
      ? markup`<p>The first ${mostChanges} of ${grouped(transfers.length)}; changes.json has them all.</p>`
      : nothing
  return markup`<h3>Changed in ${month} since it was closed: ${counted(transfers.length, "transfer")}</h3>
    ${table(
      [{ header: "Transfer", kind: "id" }, { header: "Created" }, { header: "Change" }],
      transfers
        .slice(0, mostChanges)
        .map((one) => [markup`${one.id}`, markup`${one.created_at}`, markup`${wordsOf(one)}`]),
    )}${more}`
}

const wordsOf = ({ kind, changes = [] }: Change): string =>
  kind === "changed"
    ? changes.map(({ field, from, to }) => `${field}: ${from ?? "none"} → ${to ?? "none"}`).join("; ")
    : kind
