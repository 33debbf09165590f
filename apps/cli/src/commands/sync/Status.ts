/** `transfers sync --status`: how a first load that is spread over workers is getting on. */
import { grouped } from "@transferkit/domain/Quantity"
import * as MirrorWorkers from "@transferkit/mirror/MirrorWorkers"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import type { Output } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"

/** Prints the workers of a mirror. */
export const print = Effect.fnUntraced(function* (to: string, output: Output) {
  const workers = yield* Effect.provide(MirrorWorkers.status, TransferMirror.layer(to, { readOnly: true }))
  yield* Report.print(reportOf(workers), output)
})

const reportOf = (workers: ReadonlyArray<MirrorWorkers.Status>): Report.Report => {
  const names = [
    "partner_id",
    "worker",
    "done",
    "running",
    "waiting",
    "failed",
    "transfers",
    "per_second",
    "seen_at",
  ] as const
  return {
    json: { workers },
    records: workers,
    csv: [names, ...workers.map((one) => names.map((name) => one[name]?.toString()))],
    table: (style) => [
      {
        columns: names.map((name) => ({
          header: name.replaceAll("_", " ").toUpperCase(),
          ...(name === "failed"
            ? { style: (cut: string, cell: string) => (cell === "0" ? cut : style.warn(cut)) }
            : {}),
        })),
        rows: workers.map((one) =>
          names.map((name) => {
            const value = one[name]
            return typeof value === "number" ? grouped(value) : (value ?? "")
          }),
        ),
      },
      ...workers.flatMap(({ partner_id, worker, error }) =>
        error === undefined ? [] : [{ text: `${partner_id}, ${worker ?? "no worker"}: ${error}` }],
      ),
    ],
  }
}
