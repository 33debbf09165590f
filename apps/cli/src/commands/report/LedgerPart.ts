/** The part of a report that reconciles the complete transfers of the period with a ledger. */
import { basename } from "node:path"
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { markup } from "../../pages/Html.ts"
import * as ReconciliationPart from "../../pages/ReconciliationPart.ts"
import * as Flags from "../reconcile/Flags.ts"
import * as LedgerReport from "../reconcile/LedgerReport.ts"
import * as ReconciliationReport from "../reconcile/Report.ts"

/** The part; undefined without a ledger. */
export const make = Effect.fnUntraced(function* <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  input: Flags.Input & { readonly ledger: ReadonlyArray<string> },
  period: CreatedAt.CreatedAt,
) {
  if (input.ledger.length === 0) return undefined
  const tolerance = yield* Effect.forEach(input.tolerance, (text) => Effect.fromResult(Flags.parseTolerance(text)))
  const options = yield* Effect.fromResult(Flags.toOptions(input, period))
  const several = input.ledger.length > 1
  const ledgers = yield* Effect.forEach(input.ledger, (path) =>
    LedgerFile.read(path, options, several ? (place) => `${basename(path)} ${place}` : undefined),
  )
  const complete = yield* transfers.pipe(
    Stream.map((batch) => batch.filter(({ status }) => status === "complete")),
    Stream.runCollect,
  )
  const entries = ledgers.flatMap((ledger) => ledger.entries)
  const { outcomes, totals } = Reconciliation.reconcile(entries, complete.flat(), { ...input, tolerance })
  const result = { totals, lines: outcomes.flatMap((outcome) => ReconciliationReport.linesOf(outcome, input)) }
  const readings = ledgers.map(({ reading }) => markup`<p class="muted">${LedgerReport.sentence(reading)}</p>`)
  return {
    ledger: input.ledger.map((path) => basename(path)).join(", "),
    breaks: ReconciliationReport.breaks(result),
    part: markup`<p>The ${input.amount} of complete transfers, by ${input.key}.</p>
${readings}${ReconciliationPart.render(result)}`,
  }
})
