/** A reconciliation as tables for a terminal: under each reason its rows, then the totals. */
import * as Money from "@transferkit/domain/Money"
import { grouped } from "@transferkit/domain/Quantity"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Iterable from "effect/Iterable"
import * as OpenTables from "./OpenTables.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"
import * as ReconciliationTable from "./ReconciliationTable.ts"
import type { Section } from "./TextReport.ts"

type Line = ReconciliationLines.Line

/** Colours for what agrees and what does not. */
export interface Style {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
}

/** An outcome with more reasons than this has them beside its rows instead. */
const mostReasons = 8

/** With more totals than this, a terminal shows so many currencies of each outcome. */
const mostTotals = 50
const mostCurrencies = 5

/** The tables, of any number of lines. */
export const sections = (self: ReconciliationLines.Reconciled, style: Style): ReadonlyArray<Section> => [
  ...groupsOf(self.lines).map((group) => rowsOf(group, self.lines)),
  totalsOf(self, style),
  ...OpenTables.proposals(self.proposals ?? []),
  ...OpenTables.of(self),
]

const totalsOf = (self: ReconciliationLines.Reconciled, style: Style): Section => {
  const columns = [
    {
      header: "OUTCOME",
      id: true,
      style: (cut: string, cell: string) => {
        const words = cell.replace(/ \([\d,]+\)$/, "")
        return goodWords.has(words) ? style.good(cut) : badWords.has(words) ? style.bad(cut) : cut
      },
    },
    { header: "LEDGER", align: "right" as const },
    { header: "SERVICE", align: "right" as const },
  ]
  const tags = ReconciliationLines.shownTags(self)
  return {
    title: "Totals",
    columns,
    rows: tags.flatMap((tag) => [headOf(tag, self), ...currenciesOf(tag, self)]),
    brief: {
      above: mostTotals,
      columns,
      rows: tags.flatMap((tag) => [headOf(tag, self), ...largestOf(tag, self)]),
      what: `Of more than ${mostCurrencies} currencies, those with the most open items are shown.`,
    },
  }
}

const goodTags: ReadonlyArray<Reconciliation.OutcomeTag> = ["Matched", "Expected", "NothingToBook"]
const goodWords: ReadonlySet<string> = new Set(goodTags.map((tag) => Reconciliation.outcomeWords[tag]))
const badWords: ReadonlySet<string> = new Set(
  Reconciliation.outcomeTags.filter((tag) => !goodTags.includes(tag)).map((tag) => Reconciliation.outcomeWords[tag]),
)

/** The count has no column of its own: two amounts of 18 fraction digits fit beside this one in 80 columns. */
const headOf = (tag: Reconciliation.OutcomeTag, { totals }: ReconciliationLines.Reconciled): ReadonlyArray<string> => [
  `${Reconciliation.outcomeWords[tag]} (${grouped(totals[tag].outcomes)})`,
  "",
  "",
]

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** One table has the totals of all currencies: a row of each under its outcome. */
const currenciesOf = (tag: Reconciliation.OutcomeTag, { totals }: ReconciliationLines.Reconciled): Rows =>
  ReconciliationTable.totalRows(tag, totals[tag]).flatMap(([, , currency = "", ledger = "", service = ""]) =>
    currency === "" ? [] : [[`  ${currency}`, ledger, service]],
  )

/** The currencies with the most open items; how many there are of an outcome that leaves nothing open. */
const largestOf = (tag: Reconciliation.OutcomeTag, self: ReconciliationLines.Reconciled): Rows => {
  const rows = currenciesOf(tag, self)
  if (rows.length <= mostCurrencies) return rows
  const items = new Map<string, number>()
  for (const line of self.ageing ?? []) {
    const cell = `  ${line.currency_code}`
    if (line.outcome === tag) items.set(cell, (items.get(cell) ?? 0) + line.items)
  }
  if (items.size === 0) return [[`  ${grouped(rows.length)} currencies`, "", ""]]
  const itemsOf = ([cell = ""]: ReadonlyArray<string>): number => items.get(cell) ?? 0
  const shown = rows.toSorted((one, other) => itemsOf(other) - itemsOf(one)).slice(0, mostCurrencies)
  const more = rows.length - shown.length
  return [...shown, [`  ${grouped(more)} more ${more === 1 ? "currency" : "currencies"}`, "", ""]]
}

/** The lines of an outcome that have a reason in common; all of them, if their reasons are many. */
interface Group {
  readonly tag: Reconciliation.OutcomeTag
  readonly reason: string | undefined
  /** Those that begin an outcome. */
  count: number
  /** With those that continue one. */
  rows: number
  /** Which columns have a cell. */
  readonly used: Set<number>
}

/** The groups in the order of the outcomes. Holds the reasons, not the lines. */
const groupsOf = (lines: Iterable<Line>): ReadonlyArray<Group> => {
  const byTag = new Map<Reconciliation.OutcomeTag, Map<string, Group>>()
  for (const line of lines) {
    const groups = byTag.get(line.outcome) ?? new Map<string, Group>()
    byTag.set(line.outcome, groups)
    const reason = reasonOf(line)
    const group = groups.get(groups.has(many) ? many : reason) ?? added(groups, line.outcome, reason)
    group.rows++
    if (line.continues !== true) group.count++
    cellsOf(line).forEach((cell, index) => cell !== "" && group.used.add(index))
  }
  return Reconciliation.outcomeTags.flatMap((tag) => [...(byTag.get(tag)?.values() ?? [])])
}

const many = ""

const added = (groups: Map<string, Group>, tag: Reconciliation.OutcomeTag, reason: string): Group => {
  const isMany = groups.size >= mostReasons
  const before = isMany ? [...groups.values()] : []
  if (isMany) groups.clear()
  const group: Group = {
    tag,
    reason: isMany ? undefined : reason,
    count: before.reduce((sum, { count }) => sum + count, 0),
    rows: before.reduce((sum, { rows }) => sum + rows, 0),
    used: new Set(before.flatMap(({ used }) => [...used])),
  }
  groups.set(isMany ? many : reason, group)
  return group
}

/** A reason without the day on which the transfer was created: each row would have a heading of its own. */
const reasonOf = ({ why }: Line): string => why.replace(/, created \d{4}-\d{2}-\d{2}$/, "")

/** The reason alone where it says what the outcome is. */
const headingOf = (tag: Reconciliation.OutcomeTag, reason = ""): string => {
  const words = Reconciliation.outcomeWords[tag]
  if (tag === "NotSettled" && reason !== "") return reason.slice(0, 1).toUpperCase() + reason.slice(1)
  const own = reason.replace(/^(?:in transit: )?(?:not in the ledger; )?/, "")
  return own === "" ? words : `${words}: ${own}`
}

const columns = [
  { header: "KEY", id: true },
  { header: "TRANSFER", id: true },
  { header: "STATE" },
  { header: "ROW", dropOrder: 1 },
  { header: "LEDGER", align: "right" },
  { header: "SERVICE", align: "right" },
  { header: "DIFFERENCE", align: "right" },
] as const

const why = { header: "WHY", shrinkTo: 16, wrap: true } as const

const cellsOf = (line: Line): ReadonlyArray<string> => [
  line.key,
  line.transfer_id ?? "",
  line.continues === true ? "" : (line.state ?? ""),
  line.reference ?? "",
  labelOf(line.ledger),
  labelOf(line.service),
  line.difference?.text ?? "",
]

const labelOf = (money: Money.Money | undefined): string => (money === undefined ? "" : Money.label(money))

const rowsOf = ({ tag, reason, count, rows, used }: Group, lines: Iterable<Line>): Section => {
  const shown = columns.map((column, index) => ({ column, index })).filter(({ index }) => used.has(index))
  const own = Iterable.filter(
    lines,
    (line) => line.outcome === tag && (reason === undefined || reasonOf(line) === reason),
  )
  return {
    title: `${headingOf(tag, reason)} (${grouped(count)})`,
    columns: [...shown.map(({ column }) => column), ...(reason === undefined ? [why] : [])],
    size: rows,
    isPart: true,
    // The lines may be read from a disk: none after the last of the group.
    rows: Iterable.map(Iterable.take(own, rows), (line) => {
      const cells = cellsOf(line)
      return [...shown.map(({ index }) => cells[index] ?? ""), ...(reason === undefined ? [line.why] : [])]
    }),
  }
}
