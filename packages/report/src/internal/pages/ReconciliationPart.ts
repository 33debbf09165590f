/** The outcomes of a reconciliation on a page: counts, breaks by size, breaks by outcome, totals. */
import type * as Money from "@transferkit/domain/Money"
import { grouped } from "@transferkit/domain/Quantity"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Iterable from "effect/Iterable"
import * as InDoubt from "../../InDoubt.ts"
import * as LargestLines from "../../LargestLines.ts"
import type * as LedgerReading from "../../LedgerReading.ts"
import * as ReconciliationLines from "../../ReconciliationLines.ts"
import { digits, money, monies } from "./Amounts.ts"
import { type Html, markup, nothing } from "./Html.ts"
import * as OpenPart from "./OpenPart.ts"
import * as Page from "./Page.ts"
import * as Shares from "./Shares.ts"
import { table } from "./Table.ts"

/** Browsers are slow with more rows than this. */
const mostRows = 5000

/** The outcomes, for readers who do not know their names. */
const meanings: Readonly<Record<Reconciliation.OutcomeTag, string>> = {
  Matched: "the ledger and the service agree",
  Differs: "the amount, currency or status differs",
  NotInLedger: "settled at the service, and not in the ledger",
  NotAtService: "in the ledger, and without a counterpart",
  NotSettled: "the service has not settled it: it has failed, or is open",
  OtherPeriod: "its counterpart is outside the period",
  Payout: "pays other rows of the ledger, which name it",
  Ambiguous: "several rows or transfers have the key",
  Expected: "so recent that the other side may still follow",
  NothingToBook: "failed, open, or left out by a filter",
}

/**
 * The parts for a page of few pages: `first` has the figures and the largest breaks, `rest` all of them and the totals. A
 * page with a chart of its own has that of the breaks in `rest`.
 */
export const shortened = (
  self: ReconciliationLines.Reconciled,
  most: number,
  hasChart = true,
): { readonly first: Html; readonly rest: Html } => {
  const breaking = Iterable.filter(self.lines, (line) => line.break)
  const isLong = ReconciliationLines.breaks(self) > most
  const all = LargestLines.of(breaking, mostRows)
  const { lines } = LargestLines.of(all.lines, most)
  const more = markup`<p>Only the ${most} largest breaks are here; the appendix has all of them.</p>`
  const options = { omitted: 0, where: "", hasStates: self.states !== undefined }
  return {
    first: markup`${hasChart ? figures(self, lines) : cards(self)} ${isLong ? more : nothing} ${breaks(lines, options)}`,
    rest: markup`${hasChart ? nothing : inDollars(lines)} ${isLong ? largest(self, all) : sizes(lines)} ${resolved(self)} ${OpenPart.render(self)}
      <h3>Totals</h3>
      ${totals(self)}`,
  }
}

/** How many rows have each outcome, and a chart of some lines. */
export const figures = (self: ReconciliationLines.Reconciled, lines: ReadonlyArray<Line>): Html =>
  markup`${cards(self)} ${inDollars(lines)}`

/** One chart of the largest breaks, whatever their currency. */
const inDollars = (lines: ReadonlyArray<Line>): Html => {
  const worth = lines
    .flatMap((line) => (line.usd === undefined ? [] : [{ line, usd: line.usd }]))
    .toSorted((one, other) => other.usd.amount.cmp(one.usd.amount))
    .slice(0, shownSizes)
  const [first] = worth
  if (first === undefined || first.usd.amount.isZero()) return nothing
  return markup`<figure class="month">
    <figcaption>The largest breaks, in USD</figcaption>
    <ul class="bars">
      ${worth.map(
        ({ line, usd }) => markup`<li class="${line.outcome}">
          <span>${nameOf(line)}</span
          ><svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
            <rect x="0" y="1" width="${Math.max(0.5, usd.amount.div(first.usd.amount).toNumber() * 100).toFixed(2)}" height="10" /></svg
          ><span>${money(usd)}</span>
        </li>`,
      )}
    </ul>
  </figure> `
}

const nameOf = ({ key, reference = "" }: Line): string => (key === "" ? reference : key)

/** What the first lines of a page say of the comparison. */
export const answersOf = (self: ReconciliationLines.Reconciled) => ({
  breaks: ReconciliationLines.failures(self),
  inDoubt: InDoubt.of(self.lines),
  accepted: self.states === undefined ? undefined : ReconciliationLines.verdict(self),
})

/** A ledger among the facts of how a page was made. */
export const ledgerFact = ({ file, sha256 }: LedgerReading.Hashed): readonly [name: string, value: Html] => [
  "Ledger",
  markup`${file.replace(/^.*[/\\]/, "")}, SHA-256 <code>${sha256}</code>`,
]

const cards = (self: ReconciliationLines.Reconciled): Html => {
  const counts = ReconciliationLines.shownTags(self).map((tag) => ({
    tone: tag,
    label: Reconciliation.outcomeWords[tag],
    count: self.totals[tag].outcomes,
  }))
  const all = counts.map(({ tone, label, count }) => ({
    label,
    figure: digits(String(count)),
    ...(count > 0 && { tone }),
  }))
  return markup`${Page.cards(all)} ${Shares.bar("Shares of the outcomes", counts)}`
}

/** The largest lines, by size and by outcome. */
const largest = (self: ReconciliationLines.Reconciled, found: LargestLines.LargestLines): Html =>
  markup`${sizes(found.lines)} ${listed(self, found, "The CSV report")}`

/** Some lines by outcome, and where those are that are not among them. */
export const listed = (
  { states }: Pick<ReconciliationLines.Reconciled, "states">,
  { lines, omitted }: LargestLines.LargestLines,
  where: string,
): Html => breaks(lines, { omitted, where, hasStates: states !== undefined })

type Line = ReconciliationLines.Line

/** What a break is worth: its difference, or the amount that the other side lacks. */
const sizeOf = ({ outcome, difference, service, ledger }: Line): Money.Money | undefined =>
  difference ?? (outcome === "NotInLedger" ? service : outcome === "NotAtService" ? ledger : undefined)

/** To the left if the service has less than the ledger. */
const isLess = (line: Line): boolean => {
  const size = sizeOf(line)
  return size !== undefined && size.amount.isNegative() !== (line.outcome === "NotAtService")
}

const bySize = (left: Line, right: Line): number => {
  if (left.usd !== undefined && right.usd !== undefined) return right.usd.amount.cmp(left.usd.amount)
  const [one, other] = [sizeOf(left), sizeOf(right)]
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? 1 : -1
  if (one.currency_code !== other.currency_code) return one.currency_code < other.currency_code ? -1 : 1
  return other.amount.abs().cmp(one.amount.abs())
}

const shownSizes = 12

/** The largest breaks of each currency on one scale, whatever their outcome. */
const sizes = (lines: ReadonlyArray<Line>): Html => {
  const sized = lines.flatMap((line) => {
    const size = sizeOf(line)
    return size === undefined ? [] : [{ line, size }]
  })
  const currencies = [...new Set(sized.map(({ size }) => size.currency_code))].toSorted()
  if (currencies.length === 0) return nothing
  const figures = currencies.map((currency) => {
    const own = sized
      .filter(({ size }) => size.currency_code === currency)
      .toSorted((left, right) => bySize(left.line, right.line))
    const shown = own.slice(0, shownSizes)
    const largest = own[0]?.size.amount.abs()
    const more = own.length > shown.length ? ` The ${shown.length} largest of ${grouped(own.length)}.` : ""
    return markup`<figure>
      <figcaption><b>${currency}</b>${more}</figcaption>
      <ul class="bars">
        ${shown.map(({ line, size }) => {
          const width = largest === undefined || largest.isZero() ? 0 : size.amount.abs().div(largest).toNumber() * 50
          const x = isLess(line) ? 50 - width : 50
          return markup`<li class="${line.outcome}">
            <span>${nameOf(line)}</span
            ><svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
              <rect x="${x.toFixed(2)}" y="1" width="${Math.max(0.5, width).toFixed(2)}" height="10" />
              <line x1="50" y1="0" x2="50" y2="12" /></svg
            ><span class="digits">${isLess(line) ? "−" : "+"}${digits(size.amount.isNegative() ? size.text.slice(1) : size.text)}</span>
          </li>`
        })}
      </ul>
    </figure> `
  })
  return markup`<h3>Breaks by size</h3>
    <p class="muted">
      To the right, the service has more than the ledger; to the left, less. All bars of a currency have one scale.
    </p>
    <div class="figures">${figures}</div> `
}

const breaks = (
  lines: ReadonlyArray<Line>,
  { omitted, where, hasStates }: { readonly omitted: number; readonly where: string; readonly hasStates: boolean },
): Html => {
  const all = grouped(lines.length + omitted)
  const more =
    omitted === 0 ? nothing : markup`<p>The ${grouped(lines.length)} largest of ${all} rows. ${where} has them all.</p>`
  const groups = Reconciliation.outcomeTags.map((tag) => {
    const shown = lines.filter(({ outcome }) => outcome === tag)
    if (shown.length === 0) return nothing
    // The rows of one outcome belong together.
    const rows = tag === "Ambiguous" || tag === "NotSettled" ? shown : shown.toSorted(bySize)
    const [common = "", ...others] = new Set(rows.map(({ why }) => why))
    // A reason that all rows share is said once.
    const shared = rows.length > 1 && others.length === 0 ? common : ""
    const stated = shared === "" ? rows : rows.map((line) => ({ ...line, why: "" }))
    return markup`<h3>${Reconciliation.outcomeWords[tag]}: ${grouped(shown.length)}</h3>
      <p class="muted">${sentence(meanings[tag])}.${shared === "" ? nothing : ` They share a reason: ${shared}.`}</p>
      ${
        hasStates
          ? table(
              [{ header: "State" }, ...columns],
              stated.map((line) => [markup`${line.continues === true ? "" : line.state}`, ...cells(line)]),
            )
          : table(columns, stated.map(cells))
      }`
  })
  return markup`${more}${groups}`
}

/** Accepted, and no longer found: their entries can be removed from the file. */
export const resolved = (self: ReconciliationLines.Reconciled): Html => {
  if (self.states === undefined || self.states.resolved === 0) return nothing
  const lines = Iterable.filter(self.lines, ({ state }) => state === "resolved")
  return markup`<h3>Resolved: ${grouped(self.states.resolved)}</h3>
    <p class="muted">Accepted before, and no longer found.</p>
    ${table(
      [{ header: "Outcome" }, { header: "Key", kind: "id" }, { header: "Why" }],
      Array.from(lines, ({ outcome, key, why }) => [
        markup`${Reconciliation.outcomeWords[outcome]}`,
        markup`${key}`,
        markup`${why}`,
      ]),
    )}`
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const columns = [
  { header: "Key", kind: "id" },
  { header: "Transfer", kind: "id", below: true },
  { header: "Row", kind: "line", below: true },
  { header: "Ledger", kind: "amount" },
  { header: "Service", kind: "amount" },
  { header: "Difference", kind: "amount" },
  { header: "Why", below: true },
] as const

const cells = (line: Line): ReadonlyArray<Html> => [
  markup`${line.key}`,
  // Beside a key that is the id, it would say the same.
  markup`${line.transfer_id === line.key ? "" : line.transfer_id}`,
  markup`${line.reference}`,
  money(line.ledger),
  money(line.service),
  line.difference === undefined ? nothing : digits(line.difference.text),
  markup`${line.why}`,
]

const totals = (self: ReconciliationLines.Reconciled): Html =>
  table(
    [
      { header: "Outcome" },
      { header: "Meaning" },
      { header: "Count", kind: "amount" },
      { header: "Ledger", kind: "amount" },
      { header: "Service", kind: "amount" },
    ],
    ReconciliationLines.shownTags(self).map((tag) => {
      const { outcomes, ledger, service } = self.totals[tag]
      return [
        markup`${Reconciliation.outcomeWords[tag]}`,
        markup`${meanings[tag]}`,
        digits(String(outcomes)),
        monies(ledger),
        monies(service),
      ]
    }),
  )
