/** How much of a first load is done, by its progress. */
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as SyncWindows from "../../src/internal/SyncWindows.ts"
import type * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

/** The shares that a load tells. */
const shares = async (lab: Lab.Lab, options: Partial<MirrorSync.Options>): Promise<ReadonlyArray<number>> => {
  const found: Array<number> = []
  await Lab.sync(lab, {
    ...options,
    onProgress: ({ kind, share }) =>
      Effect.sync(() => {
        if (kind === "backfill" && share !== undefined) found.push(share)
      }),
  })
  return found
}

export const progressSuite = (database: Database): void => {
  describe(`the share that is done of a load into a mirror in ${database.name}`, () => {
    test.each([
      { how: "one process", options: {} },
      { how: "workers", options: { workers: Effect.void } },
    ])("is a part of one, and one in the end, with $how", async ({ options }) => {
      const found = await shares(Lab.make(await database.fresh(), { count: 500 }), options)
      expect(found.filter((share) => share <= 0 || share > 1)).toEqual([])
      expect(found.at(-1)).toBe(1)
    })

    // In requests: each takes the same time. The guess is a little off where transfers are a little denser.
    test.each([4, 8])("grows so that the time left shrinks, with %i requests at once", async (concurrency) => {
      const lab = Lab.make(await database.fresh(), { count: 8000 })
      const left: Array<number> = []
      await Lab.sync(lab, {
        concurrency,
        onProgress: ({ kind, share }) =>
          Effect.sync(() => {
            if (kind === "backfill" && share !== undefined) left.push((lab.searches * (1 - share)) / share)
          }),
      })
      expect(left.length).toBeGreaterThan(10)
      const grown = left.filter((now, index) => now > 1.1 * Math.min(...left.slice(0, index)))
      expect(grown).toEqual([])
      expect(left.at(-1)).toBe(0)
    })
  })
}

/** Windows of equal size which some workers read side by side, after each transaction. */
const uniform = function* ({ count, workers, size, transaction }: Readonly<Record<string, number>>) {
  const read = Array.from({ length: count ?? 0 }, () => 0)
  for (let first = 0; first < read.length; first += workers ?? 1) {
    for (let transfers = 0; transfers < (size ?? 0); transfers += transaction ?? 1) {
      for (let index = first; index < Math.min(read.length, first + (workers ?? 1)); index++) {
        read[index] = (read[index] ?? 0) + (transaction ?? 1)
        const begun = read.filter((one) => one > 0 && one < (size ?? 0))
        const filled = read.filter((one) => one === size).length
        const windows = { waiting: read.length - filled - begun.length, running: begun.length, done: filled, failed: 0 }
        const sum = (rows: ReadonlyArray<number>) => rows.reduce((total, one) => total + one, 0)
        const totals: SyncWindows.Totals = { windows, pages: 0, transfers: sum(read), begun: sum(begun), filled }
        yield totals
      }
    }
  }
}

export const timeLeftSuite = (): void => {
  describe("the time that a load by workers has left, of uniform data", () => {
    test.each([1, 3, 4, 16])("shrinks with each transaction, with %i workers", (workers) => {
      let lowest = Infinity
      for (const totals of uniform({ count: 32, workers, size: 1000, transaction: 250 })) {
        const share = SyncWindows.share(totals)
        if (share === undefined) continue
        // A transfer takes one unit of time.
        const left = (totals.transfers * (1 - share)) / share
        expect(left).toBeCloseTo(32_000 - totals.transfers, 5)
        expect(left).toBeLessThan(lowest)
        lowest = left
      }
      expect(lowest).toBe(0)
    })
  })
}
