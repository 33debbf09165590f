/** What each release mirrored is upgraded by this version, read with equal transfers and columns, and synced on. */
import { readdirSync } from "node:fs"
import * as Amount from "@transferkit/domain/Amount"
import * as Summary from "@transferkit/domain/Summary"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Columns from "../../src/internal/Columns.ts"
import * as Driver from "../../src/internal/Driver.ts"
import * as MirrorSummary from "../../src/MirrorSummary.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import * as ReleasedMirrors from "../ReleasedMirrors.ts"

const { partner_id } = ReleasedMirrors

const transfers = Effect.gen(function* () {
  const source = yield* MirrorTransferSource.make({ partner_id })
  return (yield* Stream.runCollect(source.transfers({}))).flatMap(({ results }) => results)
})

/** The open transfers are settled since. */
const settled = (transfer: Transfer.Transfer): Transfer.Transfer =>
  transfer.status === "executing"
    ? Result.getOrThrow(Transfer.fromJson(JSON.stringify(transfer).replace('"executing"', '"complete"')))
    : transfer

/** `restore` makes the mirror of a release, and returns its address. */
export const releasedSuite = (restore: (release: string) => Promise<string>): void => {
  test.each(readdirSync(ReleasedMirrors.folder))("the mirror of %s is upgraded, read and synced", async (release) => {
    const sent = ReleasedMirrors.sent(release)
    const later = sent.map(settled)
    const use = Effect.gen(function* () {
      const { run } = Driver.of(yield* TransferMirror)
      const rows = yield* run((sql) =>
        sql.unsafe<Readonly<Record<string, unknown>>>("SELECT * FROM transfers ORDER BY created_ns"),
      )
      const before = yield* transfers
      const runs = yield* MirrorSync.sync({ partner_id })
      const totals = yield* MirrorSummary.summarize({ partner_id, by: ["status"] })
      return { rows, before, runs, after: yield* transfers, totals }
    })
    const layer = Layer.merge(ReleasedMirrors.service(later), TransferMirror.layer(await restore(release)))
    const { rows, before, runs, after, totals } = await Effect.runPromise(Effect.provide(use, layer))
    expect(before).toEqual(sent)
    for (const [index, transfer] of sent.entries()) {
      for (const { name, read, isAmount } of Columns.contract) {
        const [stored, text] = [rows[index]?.[name] ?? undefined, read(transfer)]
        const isEqual = isAmount && text !== undefined ? Amount.compare(String(stored), text) === 0 : stored === text
        expect(isEqual, `${transfer.id} ${name}: ${String(stored)}, not ${text}`).toBe(true)
      }
    }
    expect(runs.map(({ changed }) => changed)).toEqual([1])
    expect(after).toEqual(later)
    // As text, so that every digit counts.
    expect(JSON.stringify(totals?.summary)).toBe(JSON.stringify(Summary.summarize(later, { by: ["status"] })))
  })
}
