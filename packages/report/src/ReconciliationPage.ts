/** A reconciliation as a page. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import type * as Dialect from "@transferkit/domain/Dialect"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Answers from "./internal/pages/Answers.ts"
import { markup } from "./internal/pages/Html.ts"
import * as Page from "./internal/pages/Page.ts"
import * as ReconciliationPart from "./internal/pages/ReconciliationPart.ts"
import * as LedgerReading from "./LedgerReading.ts"
import * as Period from "./Period.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"
import * as SourceWords from "./SourceWords.ts"
import * as UsdValue from "./UsdValue.ts"

/** What the page says of its subject. */
export interface PageOptions extends Pick<ReconciliationLines.LineOptions, "key" | "amount"> {
  readonly ledger: string
  /** How the ledgers were read. */
  readonly readings: ReadonlyArray<LedgerReading.Hashed>
  /** Where the transfers come from. */
  readonly source: SourceWords.Asked
  readonly period: CreatedAt.CreatedAt
  /** Of the period and of days; UTC by default. */
  readonly timeZone?: DateTime.TimeZone | undefined
  /** Which statuses are settled, and which have failed. */
  readonly settlement: Dialect.Settlement
  readonly made_at: Timestamp.Timestamp
  /** The command line that made the page. */
  readonly command: string
  readonly version: string
}

/** The page: on paper, all but the appendix fits on four pages. */
export const render = (self: ReconciliationLines.Reconciled, options: PageOptions): string => {
  const { timeZone = Day.utc } = options
  const { first, rest } = ReconciliationPart.shortened(self, mostFirst)
  const dollars = self.dollars ?? []
  const title = `Reconciliation of ${options.ledger}`
  return Page.render({
    title,
    body: markup`<h1>${title}</h1>
      <p class="muted">${Period.name(options.period, timeZone)}, in ${Period.zoneName(timeZone)}, as of ${Period.instant(SourceWords.asOf(options.source, options.made_at))}. Every amount is exact.</p>
      ${Answers.render({
        settled: UsdValue.ofClass(dollars, "settled"),
        open: UsdValue.ofClass(dollars, "open"),
        books: ReconciliationPart.answersOf(self),
      })}
      ${Page.section("Outcomes", first)}
      ${Page.section(
        "How this page was made",
        Page.facts([
          ["Source", markup`${SourceWords.facts(options.source)}`],
          ["Compared", markup`${options.amount} of the transfers whose ${options.key} is the ledger's key`],
          ["Statuses", markup`${ReconciliationLines.classes(self, options.settlement)}`],
          ["Read", markup`${options.readings.map((reading) => markup`<div>${LedgerReading.sentence(reading)}</div>`)}`],
          ["Made", markup`${Period.instant(options.made_at)} by transfers ${options.version}`],
          ["Command", Page.command(options.command)],
          ...options.readings.map(ReconciliationPart.ledgerFact),
          [
            "Check",
            markup`The command gives the same figures again, as long as the source and the ledgers have not changed.`,
          ],
        ]),
      )}`,
    appendix: Page.section("All breaks and totals", rest),
  })
}

/** How many breaks are before the appendix. */
const mostFirst = 15
