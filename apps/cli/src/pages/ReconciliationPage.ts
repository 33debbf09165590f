/** A reconciliation as one self-contained HTML page: counts, charts of the differences, the breaks. */
import type * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as ReconciliationReport from "../commands/reconcile/Report.ts"
import { counted } from "../output/Quantity.ts"
import * as TransferTable from "../output/TransferTable.ts"
import { escapeMarkup } from "./Markup.ts"

/** The title and date of the page. */
export interface PageOptions extends ReconciliationReport.LineOptions {
  readonly ledger: string
  /** How the ledger was read. */
  readonly read_as: string
  readonly made_at: string
}

/** Browsers are slow with more rows than this. */
const mostRows = 5000

/** The page. */
export const render = (self: Reconciliation.Reconciliation, options: PageOptions): string => {
  const lines = self.outcomes
    .filter(ReconciliationReport.isBreak)
    .flatMap((outcome) => ReconciliationReport.linesOf(outcome, options))
  const count = ReconciliationReport.breaks(self)
  const verdict = count === 0 ? "Everything matches." : `${counted(count, "break")}.`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reconciliation of ${escapeMarkup(options.ledger)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Reconciliation</h1>
<p class="lead">${escapeMarkup(options.ledger)} against the service's transfers, by ${options.key} and ${options.amount}, ${escapeMarkup(options.made_at)}. <strong class="${count === 0 ? "good" : "bad"}">${verdict}</strong></p>
<p class="lead">${escapeMarkup(options.read_as)}</p>
<section class="cards">${Reconciliation.outcomeTags.map((tag) => card(tag, self.totals[tag])).join("")}</section>
${proportions(self)}
${differences(lines)}
${breakTable(lines)}
${totalTable(self)}
</main>
</body>
</html>
`
}

const card = (tag: Reconciliation.OutcomeTag, totals: Reconciliation.OutcomeTotals): string =>
  `<div class="card ${tag}"><b>${totals.outcomes}</b><span>${ReconciliationReport.meanings[tag]}</span></div>`

/** The share of each outcome, as one bar. */
const proportions = (self: Reconciliation.Reconciliation): string => {
  const all = self.outcomes.length
  if (all === 0) return ""
  let x = 0
  const parts = Reconciliation.outcomeTags.map((tag) => {
    const { outcomes } = self.totals[tag]
    const width = (outcomes / all) * 1000
    const part = `<rect class="${tag}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="24"><title>${ReconciliationReport.meanings[tag]}: ${outcomes}</title></rect>`
    x += width
    return part
  })
  return `<svg class="bar" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label="Shares of the outcomes">${parts.join("")}</svg>`
}

const rowHeight = 22
const shownDifferences = 15

/** The largest differences of each currency, as bars to the left (the service has less) and to the right (more). */
const differences = (lines: ReadonlyArray<ReconciliationReport.Line>): string => {
  const found = lines.flatMap(({ key, difference }) => (difference === undefined ? [] : [{ key, difference }]))
  const currencies = [...new Set(found.map(({ difference }) => difference.currency_code))].toSorted()
  return currencies
    .map((currency) => {
      const own = found
        .filter(({ difference }) => difference.currency_code === currency)
        .toSorted((left, right) => right.difference.amount.abs().cmp(left.difference.amount.abs()))
      const [largest] = own
      if (largest === undefined) return ""
      const shown = own.slice(0, shownDifferences)
      const bars = shown.map(({ key, difference }, index) => bar(key, difference, largest.difference, index))
      const more = own.length > shown.length ? ` The ${shown.length} largest of ${own.length}.` : ""
      return `<figure><figcaption>Differences in ${escapeMarkup(currency)}: the service's amount less the ledger's.${more}</figcaption><svg viewBox="0 0 1000 ${shown.length * rowHeight}" role="img" aria-label="Differences in ${escapeMarkup(currency)}"><line x1="500" y1="0" x2="500" y2="${shown.length * rowHeight}"/>${bars.join("")}</svg></figure>`
    })
    .join("\n")
}

/** A bar's length may round; the amount beside it does not. */
const bar = (key: string, difference: Money.Money, largest: Money.Money, index: number): string => {
  const width = difference.amount.abs().div(largest.amount.abs()).toNumber() * 240
  const isMore = !difference.amount.isNegative()
  const y = index * rowHeight
  const x = isMore ? 500 : 500 - width
  const [keyX, keyAnchor, textX, textAnchor] = isMore
    ? [490, "end", 506 + width, "start"]
    : [510, "start", 494 - width, "end"]
  return `<rect class="${isMore ? "more" : "less"}" x="${x.toFixed(1)}" y="${y + 3}" width="${Math.max(1, width).toFixed(1)}" height="${rowHeight - 6}"/><text x="${keyX}" y="${y + 16}" text-anchor="${keyAnchor}">${escapeMarkup(key)}</text><text class="amount" x="${textX.toFixed(1)}" y="${y + 16}" text-anchor="${textAnchor}">${difference.text}</text>`
}

const breakTable = (lines: ReadonlyArray<ReconciliationReport.Line>): string => {
  if (lines.length === 0) return ""
  const rows = lines.slice(0, mostRows).map((line) => {
    const id = (text: string | undefined) => `<td class="id">${escapeMarkup(text ?? "")}</td>`
    const amounts = [line.ledger, line.service].map(
      (money) => `<td class="amount">${escapeMarkup(TransferTable.money(money))}</td>`,
    )
    return `<tr><td class="tag ${line.outcome}">${ReconciliationReport.meanings[line.outcome]}</td>${id(line.key)}<td>${escapeMarkup(line.reference ?? "")}</td>${id(line.transfer_id)}${amounts.join("")}<td class="amount">${line.difference?.text ?? ""}</td><td>${escapeMarkup(line.why)}</td></tr>`
  })
  const more =
    lines.length > mostRows ? `<p>The first ${mostRows} of ${lines.length} rows. The CSV report has them all.</p>` : ""
  return `<h2>Breaks</h2>${more}<div class="scroll"><table><thead><tr><th>Outcome</th><th>Key</th><th>Row</th><th>Transfer</th><th class="amount">Ledger</th><th class="amount">Service</th><th class="amount">Difference</th><th>Why</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`
}

const totalTable = (self: Reconciliation.Reconciliation): string => {
  const list = (monies: ReadonlyArray<Money.Money>) =>
    monies.map((money) => escapeMarkup(TransferTable.money(money))).join("<br>")
  const rows = Reconciliation.outcomeTags.map((tag) => {
    const totals = self.totals[tag]
    return `<tr><td class="tag ${tag}">${ReconciliationReport.meanings[tag]}</td><td class="amount">${totals.outcomes}</td><td class="amount">${list(totals.ledger)}</td><td class="amount">${list(totals.service)}</td></tr>`
  })
  return `<h2>Totals</h2><div class="scroll"><table><thead><tr><th>Outcome</th><th class="amount">Count</th><th class="amount">Ledger</th><th class="amount">Service</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`
}

const styles = `
:root{--text:#1d2330;--muted:#5b6475;--page:#fff;--panel:#f4f6f9;--line:#d9dee7;--good:#1a7f4b;--bad:#b3261e;--a:#c77700;--b:#3b6fd4;--c:#8a4fc7}
@media (prefers-color-scheme:dark){:root{--text:#e4e8f0;--muted:#9aa4b8;--page:#12151c;--panel:#1c212b;--line:#313948;--good:#4cc38a;--bad:#ff7a70;--a:#f0a93b;--b:#7ca6ff;--c:#c08df2}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1400px;margin:0 auto;padding:32px 20px 64px}h1{margin:0 0 4px;font-size:26px}h2{margin:36px 0 8px;font-size:18px}
.lead{color:var(--muted);margin:0 0 20px}.good{color:var(--good)}.bad{color:var(--bad)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px}
.card{background:var(--panel);border-left:4px solid var(--k);border-radius:6px;padding:12px 14px}.card b{display:block;font-size:24px}.card span{color:var(--muted)}
.Matched{--k:var(--good)}.Differs{--k:var(--bad)}.MissingHere{--k:var(--a)}.MissingThere{--k:var(--b)}.Ambiguous{--k:var(--c)}
.bar{display:block;width:100%;height:14px;margin:16px 0 0;border-radius:4px}.bar rect{fill:var(--k)}
figure{margin:28px 0 0}figcaption{color:var(--muted);margin-bottom:6px}figure svg{width:100%;height:auto}figure line{stroke:var(--line)}
figure text{fill:var(--text);font-size:13px}rect.more{fill:var(--b)}rect.less{fill:var(--a)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13.5px}th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}td.id,td.amount,td:last-child{white-space:normal}td.id{overflow-wrap:anywhere;min-width:132px}td:last-child{min-width:150px}
th{color:var(--muted);font-weight:600}.amount{font-variant-numeric:tabular-nums}td.amount,th.amount{text-align:right}.tag{color:var(--k)}
`
