/** `transfers sync --dataset`: the mirror as a folder of Parquet files. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import * as TransferDataset from "@transferkit/files/datasets/TransferDataset"
import * as MirrorCoverage from "@transferkit/mirror/MirrorCoverage"
import * as MirrorMonths from "@transferkit/mirror/MirrorMonths"
import * as MirrorState from "@transferkit/mirror/MirrorState"
import * as Effect from "effect/Effect"
import { Screen } from "../../terminal/Screen.ts"

/** Brings the files of some partners up to date with the mirror. */
export const write = Effect.fnUntraced(function* (options: TransferDataset.Options, partners: ReadonlyArray<string>) {
  const sources = yield* Effect.forEach(partners, (partner_id) =>
    Effect.gen(function* () {
      const { as_of, unread } = yield* MirrorCoverage.read({ partner_id })
      return {
        partner_id,
        base_url: (yield* MirrorState.origin(partner_id))?.base_url,
        state: yield* MirrorMonths.state(partner_id),
        follows: (state: string) => MirrorMonths.follows(partner_id, state),
        complete_until: CreatedAt.isEmpty(unread) ? as_of.text : undefined,
        changed: (since: bigint | undefined) => MirrorMonths.changed(partner_id, since),
        rows: (month: string) => MirrorMonths.rows(partner_id, month),
      }
    }),
  )
  const { files, rows } = yield* TransferDataset.write(options, sources)
  if (files > 0) {
    const what = `${counted(files, "file")} of ${counted(rows, "transfer")}`
    yield* (yield* Screen).note(`Wrote ${what} to ${options.folder}\n`)
  }
})
