/** `transfers sync --status`: how fresh a mirror is, and how a first load that is spread over workers is getting on. */
import { grouped } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as MirrorStatus from "@transferkit/mirror/MirrorStatus"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as WorkerStatus from "@transferkit/mirror/WorkerStatus"
import type { Section } from "@transferkit/report/TextReport"
import * as Effect from "effect/Effect"
import type { Output } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import type { Style } from "../../terminal/Style.ts"

/** Prints the status of a mirror. */
export const print = Effect.fnUntraced(function* (to: string, output: Output) {
  const [partners, workers] = yield* Effect.all([MirrorStatus.read(), WorkerStatus.read()]).pipe(
    Effect.provide(TransferMirror.layer(to, { readOnly: true })),
  )
  const report: Report.Report = {
    json: { partners, workers },
    records: partners,
    csv: [MirrorStatus.names, ...partners.map(MirrorStatus.cells)],
    numbers: MirrorStatus.numbers,
    table: (style) => [
      ...partners.map((one) => ({ text: escapeControls(MirrorStatus.describe(one)) })),
      ...(workers.length === 0 ? [] : [tableOf(workers, style)]),
      ...workers.flatMap(({ partner_id, worker, error }) =>
        error === undefined ? [] : [{ text: `${partner_id}, ${worker ?? "no worker"}: ${error}` }],
      ),
    ],
  }
  yield* Report.print(report, output)
})

const tableOf = (workers: ReadonlyArray<WorkerStatus.Status>, style: Style): Section => ({
  columns: WorkerStatus.names.map((name) => ({
    header: name.replaceAll("_", " ").toUpperCase(),
    ...(name === "failed" ? { style: (cut: string, cell: string) => (cell === "0" ? cut : style.warn(cut)) } : {}),
  })),
  rows: workers.map((one) =>
    WorkerStatus.names.map((name) => {
      const value = one[name]
      return typeof value === "number" ? grouped(value) : (value ?? "")
    }),
  ),
})
