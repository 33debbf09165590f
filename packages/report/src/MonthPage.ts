/** A report as the page that a finance lead forwards. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import { counted, grouped } from "@transferkit/domain/Quantity"
import type * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as DateTime from "effect/DateTime"
import type { FeeTotal } from "./FeeTotals.ts"
import { digits, money, monies } from "./internal/pages/Amounts.ts"
import * as Answers from "./internal/pages/Answers.ts"
import { type Html, markup, nothing } from "./internal/pages/Html.ts"
import * as Page from "./internal/pages/Page.ts"
import * as ReconciliationPart from "./internal/pages/ReconciliationPart.ts"
import * as Shares from "./internal/pages/Shares.ts"
import { table } from "./internal/pages/Table.ts"
import * as VolumeCharts from "./internal/pages/VolumeCharts.ts"
import * as LedgerReading from "./LedgerReading.ts"
import * as MonthReport from "./MonthReport.ts"
import * as Period from "./Period.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"

/** What the page says of its subject. */
export interface PageOptions {
  readonly partner: string
  readonly period: CreatedAt.CreatedAt
  readonly made_at: Timestamp.Timestamp
  /** The instant as of which the transfers are what the page says of them. */
  readonly as_of: Timestamp.Timestamp
  readonly source: string
  readonly version: string
  readonly by: "day" | "month"
  /** Of days, months and creation times; UTC by default. */
  readonly timeZone?: DateTime.TimeZone | undefined
  /** The command lines that made the page, and that export what it was made from. */
  readonly commands: { readonly report: string; readonly exported: string; readonly audit: string }
  readonly settlement: Dialect.Settlement
  readonly reconciliation?: ReconciledLedger
}

/** The transfers of the period beside a ledger. */
export interface ReconciledLedger extends Pick<ReconciliationLines.LineOptions, "key" | "amount"> {
  readonly ledger: string
  readonly readings: ReadonlyArray<LedgerReading.Hashed>
  readonly reconciled: ReconciliationLines.Reconciled
}

/** The page: on paper, all but the appendix fits on four pages. */
export const render = (self: MonthReport.MonthReport, options: PageOptions): string => {
  const { timeZone = Day.utc } = options
  const name = Period.name(options.period, timeZone)
  const { findings, open } = self
  const { reconciliation, settlement, by } = options
  const breaks = reconciliation && ReconciliationLines.failures(reconciliation.reconciled)
  const ledger = reconciliation && ReconciliationPart.shortened(reconciliation.reconciled, mostFirst, false)
  return Page.render({
    title: `Transfers of ${options.partner}: ${name}`,
    body: markup`<h1>Transfers of ${options.partner}: ${Page.withDays(name)}</h1>
<p class="muted">In ${Period.zoneName(timeZone)}, as of ${Period.instant(options.as_of)}. Volumes and fees count settled transfers only (${settlement.settledStatuses.join(", ")}). Every amount is exact.</p>
${Answers.render({
  settled: self.settledInUsd,
  open: self.openInUsd,
  books: reconciliation && ReconciliationPart.answersOf(reconciliation.reconciled),
})}
${Page.cards([
  { figure: digits(String(self.transfers)), label: "transfers" },
  ...statusesOf(self).map(({ status, count }) => ({
    figure: digits(String(count)),
    label: status,
    tone: toneOf(status),
  })),
  { figure: digits(String(open.length)), label: "open", tone: open.length === 0 ? "good" : "executing" },
  ...(findings === undefined
    ? []
    : [{ figure: digits(String(findings.length)), label: "findings", tone: toneOfCount(findings.length) }]),
  ...(breaks === undefined ? [] : [{ figure: digits(String(breaks)), label: "breaks", tone: toneOfCount(breaks) }]),
])}
${reconciliation === undefined || ledger === undefined ? nothing : Page.section(`Reconciliation with ${reconciliation.ledger}`, markup`${ledgerPart(reconciliation)}${ledger.first}`)}
${Page.section("Volumes and fees", markup`${VolumeCharts.inUsd(self.byTimeInUsd, options)}${totals(self, options)}`)}
${self.fees === undefined ? nothing : Page.section("Fees and the schedule", fees(self.fees))}
${Page.section("Open transfers", openTransfers(self, options, mostFirst))}
${Page.section("Audit", audit(self))}
${Page.section("How this page was made", origin(self, options))}`,
    appendix: markup`${ledger === undefined || ledger.rest.text.trim() === "" ? nothing : Page.section("All breaks", ledger.rest)}
${open.length <= mostFirst ? nothing : Page.section("All open transfers", openTransfers(self, options, mostRows))}
${findingsOf(self, options)}
${Page.section("Statuses", statuses(self))}
${Page.folded("Largest transfers", counted(self.largest.length, "transfer"), largest(self, options))}
${Page.section("Volumes and fees by currency", VolumeCharts.render(self.byTime, options))}
${Page.folded(`Exact totals by ${by}`, counted(self.byTime.groups.length, "row"), exactTotals(self.byTime, by))}`,
  })
}

/** How many rows of a list are before the appendix. */
const mostFirst = 10

const ledgerPart = ({ amount, key, readings }: ReconciledLedger): Html =>
  markup`<p>The ${amount} of settled transfers, by ${key}.</p>
${readings.map((reading) => markup`<p class="muted">${LedgerReading.sentence(reading)}</p>`)}`

const toneOf = (status: string): string =>
  ["complete", "declined", "executing", "approved"].includes(status) ? status : "other"

const toneOfCount = (count: number): string => (count === 0 ? "good" : "bad")

const statusesOf = ({ statuses }: MonthReport.MonthReport) =>
  [...statuses].map(([status, count]) => ({ status, count })).toSorted((left, right) => right.count - left.count)

const moneyColumns = [
  { header: "Sent", kind: "amount" },
  { header: "Received", kind: "amount" },
  { header: "Service fees", kind: "amount" },
  { header: "Network fees", kind: "amount" },
] as const

/** The row names the currency; an amount in another one, such as a valuation, would name its own. */
const moneyCells = ({ key, totals }: Summary.Group): ReadonlyArray<Html> =>
  [totals.source_total, totals.destination_total, totals.service_fee, totals.network_fee].map((total = []) => {
    const [own, ...others] = total
    return own !== undefined && others.length === 0 && own.currency_code === key.currency
      ? digits(own.text)
      : monies(total)
  })

const totals = ({ byStatus }: MonthReport.MonthReport, { settlement }: PageOptions): Html => {
  const groups = byStatus.groups.filter(({ key }) => Dialect.classOf(settlement, key.status ?? "") === "settled")
  if (groups.length === 0) return markup`<p>No transfer is settled.</p>`
  return table(
    [{ header: "Currency" }, { header: "Transfers", kind: "amount" }, ...moneyColumns],
    groups.map((group) => [markup`${group.key.currency}`, digits(String(group.transfers)), ...moneyCells(group)]),
  )
}

/** The most rows of exact totals that are printed: on paper, more are pages without a reader. */
const mostPrinted = 60

const exactTotals = (summary: Summary.Summary, by: "day" | "month"): Html => {
  const rows = summary.groups.length
  return rows <= mostPrinted
    ? byTime(summary, by)
    : Page.onScreen(
        byTime(summary, by),
        `The ${counted(rows, "row")} are not printed. This page shows them on a screen.`,
      )
}

const byTime = (summary: Summary.Summary, by: "day" | "month"): Html =>
  table(
    [
      { header: by === "day" ? "Day" : "Month", kind: "time" },
      { header: "Currency" },
      { header: "Transfers", kind: "amount" },
      ...moneyColumns,
    ],
    summary.groups.map((group) => [
      markup`${group.key[by]}`,
      markup`${group.key.currency}`,
      digits(String(group.transfers)),
      ...moneyCells(group),
    ]),
  )

const statuses = (self: MonthReport.MonthReport): Html => {
  const all = statusesOf(self)
  const shares = all.map(({ status, count }) => ({ label: status, tone: toneOf(status), count }))
  return markup`${Shares.bar("Shares of the statuses", shares)}
${table(
  [
    { header: "Status" },
    { header: "Transfers", kind: "amount" },
    { header: "Share", kind: "amount" },
    { header: "Sent", kind: "amount" },
  ],
  all.map(({ status, count }) => [
    markup`${status}`,
    digits(String(count)),
    markup`${((count / self.transfers) * 100).toFixed(1)} %`,
    monies(
      self.byStatus.groups.flatMap(({ key, totals: { source_total } }) =>
        key.status === status ? (source_total ?? []) : [],
      ),
    ),
  ]),
)}`
}

const day = 86_400

const ages = [
  { label: "up to a day", from: 0, to: day },
  { label: "1 to 7 days", from: day, to: 7 * day },
  { label: "7 to 30 days", from: 7 * day, to: 30 * day },
  { label: "more than 30 days", from: 30 * day, to: Number.POSITIVE_INFINITY },
]

const mostRows = 50

const transferColumns = [
  { header: "Transfer", kind: "id" },
  { header: "External id", kind: "id" },
] as const

const openTransfers = (
  { open }: MonthReport.MonthReport,
  { as_of, timeZone = Day.utc }: PageOptions,
  most: number,
): Html => {
  if (open.length === 0) return markup`<p>No transfer is open.</p>`
  const counts = ages.flatMap(({ label, from, to }) => {
    const count = open.filter((transfer) => {
      const age = MonthReport.age(transfer, as_of)
      return age >= from && age < to
    }).length
    return count === 0 ? [] : [`${grouped(count)} ${label}`]
  })
  const shown = open.slice(0, most)
  return markup`<p>${grouped(open.length)} of them: ${counts.join(", ")}.${shown.length < open.length ? ` The ${most} oldest:` : ""}</p>
${table(
  [
    ...transferColumns,
    { header: "Status" },
    { header: `Created (${Period.zoneName(timeZone)})`, kind: "time" },
    { header: "Days open", kind: "amount" },
    { header: "Sent", kind: "amount" },
  ],
  shown.map((transfer) => [
    markup`${transfer.id}`,
    markup`${transfer.external_id}`,
    markup`${transfer.status}`,
    markup`${created(transfer, timeZone)}`,
    digits((MonthReport.age(transfer, as_of) / day).toFixed(1)),
    money(transfer.source_total),
  ]),
)}`
}

const created = ({ created_at }: Transfer, timeZone: DateTime.TimeZone): string =>
  (timeZone === Day.utc ? Timestamp.toUtc(created_at) : Timestamp.toZone(created_at, timeZone)).text
    .slice(0, 19)
    .replace("T", " ")

const largest = ({ largest: found }: MonthReport.MonthReport, { timeZone = Day.utc }: PageOptions): Html =>
  found.length === 0
    ? markup`<p>There is none.</p>`
    : markup`<p class="muted">The three largest of each currency that have not failed, by the amount sent.</p>
${table(
  [
    { header: "Sent", kind: "amount" },
    { header: "Received", kind: "amount" },
    { header: "Status" },
    { header: `Created (${Period.zoneName(timeZone)})`, kind: "time" },
    ...transferColumns,
  ],
  found.map((transfer) => [
    money(transfer.source_total),
    money(transfer.destination_total),
    markup`${transfer.status}`,
    markup`${created(transfer, timeZone)}`,
    markup`${transfer.id}`,
    markup`${transfer.external_id}`,
  ]),
)}`

const audit = ({ findings }: MonthReport.MonthReport): Html => {
  if (findings === undefined)
    return markup`<p>Not audited: the source has no capabilities to audit by, and no fee schedule was given.</p>`
  if (findings.length === 0) return markup`<p>No finding: everything that could be checked is in order.</p>`
  const codes = [...new Set(findings.map(({ code }) => code))]
  return table(
    [{ header: "Finding" }, { header: "Count", kind: "amount" }],
    codes.map((code) => [markup`${code}`, digits(String(findings.filter((finding) => finding.code === code).length))]),
  )
}

const findingsOf = ({ findings = [] }: MonthReport.MonthReport, { commands }: PageOptions): Html => {
  if (findings.length === 0) return nothing
  const shown = findings.slice(0, mostRows)
  return Page.section(
    "Findings of the audit",
    markup`${table(
      [{ header: "Transfer", kind: "id" }, { header: "Finding" }, { header: "Detail" }],
      shown.map(({ id, code, message }) => [markup`${id}`, markup`${code}`, markup`${message}`]),
    )}${shown.length < findings.length ? markup`<p>The first ${mostRows} of ${grouped(findings.length)}. All: ${Page.command(commands.audit)}</p>` : nothing}`,
  )
}

const fees = (totals: ReadonlyArray<FeeTotal>): Html =>
  totals.length === 0
    ? markup`<p>No fee of a settled transfer could be compared.</p>`
    : markup`<p class="muted">The fees of settled transfers that one row of the schedule fits. Others are findings.</p>
${table(
  [
    { header: "Fee" },
    { header: "Currency" },
    { header: "Compared", kind: "amount" },
    { header: "Off", kind: "amount" },
    { header: "Charged", kind: "amount" },
    { header: "By the schedule", kind: "amount" },
    { header: "Difference", kind: "amount" },
  ],
  totals.map(({ fee, currency, compared, off, charged, expected, difference }) => [
    markup`${fee}`,
    markup`${currency}`,
    digits(String(compared)),
    digits(String(off)),
    digits(charged.text),
    digits(expected.text),
    digits(difference.text),
  ]),
)}`

const origin = (self: MonthReport.MonthReport, options: PageOptions): Html => {
  const { partner, source, version, commands, made_at, reconciliation } = options
  return Page.facts([
    ["Partner", markup`${partner}`],
    ["Source", markup`${source}`],
    ["Made", markup`${Period.instant(made_at)} by transfers ${version}`],
    ["Command", Page.command(commands.report)],
    ...(reconciliation?.readings ?? []).map(ReconciliationPart.ledgerFact),
    ["Data", markup`${counted(self.transfers, "transfer")}, SHA-256 <code>${self.sha256}</code>`],
    [
      "Check",
      markup`${Page.command(commands.exported)} writes the same transfers, and the same SHA-256 to its manifest, as long as the source has not changed.`,
    ],
  ])
}
