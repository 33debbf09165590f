/** What each release mirrored is read by this version, after its upgrade, with equal transfers and equal columns. */
import { readdirSync } from "node:fs"
import * as Amount from "@transferkit/domain/Amount"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Columns from "../../src/internal/Columns.ts"
import * as MirrorTransfers from "../../src/MirrorTransfers.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import * as ReleasedMirrors from "../ReleasedMirrors.ts"

/** `restore` makes the mirror of a release, and returns its address. */
export const releasedSuite = (restore: (release: string) => Promise<string>): void => {
  test.each(readdirSync(ReleasedMirrors.folder))("the mirror of %s is upgraded and read", async (release) => {
    const read = Effect.gen(function* () {
      const transfers = (yield* Stream.runCollect(MirrorTransfers.inOrder(ReleasedMirrors.partner_id))).flat()
      const { run } = yield* TransferMirror
      const rows = yield* run((sql) =>
        sql.unsafe<Readonly<Record<string, unknown>>>("SELECT * FROM transfers ORDER BY created_ns"),
      )
      return { transfers, rows }
    })
    const layer = TransferMirror.layer(await restore(release))
    const { transfers, rows } = await Effect.runPromise(Effect.provide(read, layer))
    const sent = ReleasedMirrors.sent(release)
    expect(transfers).toEqual(sent)
    for (const [index, transfer] of sent.entries()) {
      for (const { name, read, isAmount } of Columns.contract) {
        const [stored, text] = [rows[index]?.[name] ?? undefined, read(transfer)]
        const isEqual = isAmount && text !== undefined ? Amount.compare(String(stored), text) === 0 : stored === text
        expect(isEqual, `${transfer.id} ${name}: ${String(stored)}, not ${text}`).toBe(true)
      }
    }
  })
}
