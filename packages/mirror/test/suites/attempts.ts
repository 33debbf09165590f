/** A sync whose database goes away and comes back: the report is that of all its attempts, on both databases. */
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import { describe, expect, test } from "vitest"
import { MirrorError } from "../../src/MirrorError.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

/** Loses the database once, before a transaction. One whose commit is not confirmed may be done, and is not counted. */
const losing = (lab: Lab.Lab, isLost: (transactions: number) => boolean) => {
  // Runs before and after each.
  let steps = 0
  lab.onApply = () => {
    if (steps++ % 2 === 1 || !isLost((steps + 1) / 2)) return
    lab.onApply = () => {}
    throw new MirrorError({ kind: "unavailable", mirror: lab.address, reason: "restarting" })
  }
}

export const attemptSuite = (database: Database): void => {
  describe(`a sync that loses its database, in a mirror in ${database.name}`, () => {
    test.each([3, 9])("reports what all attempts have loaded, lost before transaction %i", async (at) => {
      const whole = Lab.make(await database.fresh(), { count: 500 })
      const [loaded] = await Lab.sync(whole)
      const lab = Lab.make(await database.fresh(), { count: 500 })
      losing(lab, (transactions) => transactions === at)
      expect(await Lab.sync(lab)).toMatchObject([
        { kind: "backfill", transfers: loaded?.transfers, created: loaded?.created, open: loaded?.open },
        { kind: "pass", created: 0, changed: 0, vanished: 0 },
      ])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("reports its load though it was lost in the pass after it", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      losing(lab, () => lab.applied.flat().length === 500)
      expect(await Lab.sync(lab)).toMatchObject([
        { kind: "backfill", transfers: 500 },
        { kind: "pass", created: 0 },
      ])
    })

    test("names what its first attempt had found and repaired", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      await Lab.sync(lab)
      const late = [1, 2, 3, 4, 5, 6, 7, 8].map((month) => `2024-0${month}-15T00:00:00Z`)
      for (const created_at of late) {
        Lab.ok(
          TransferStore.insert(lab.store, {
            id: `late-${created_at}`,
            kind: "cash_in",
            status: "complete",
            created_at,
          }),
        )
      }
      lab.applied.length = 0
      losing(lab, () => lab.applied.flat().filter(({ id }) => id.startsWith("late-")).length >= 4)
      const { missed, created } = await Lab.verify(lab)
      expect(created).toBe(8)
      expect(missed?.map(({ id }) => id).toSorted()).toEqual(late.map((at) => `late-${at}`))
    })
  })
}
