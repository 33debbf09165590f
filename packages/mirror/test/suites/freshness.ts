/** What the pass after a load asks for again: all that this load has not read itself since it began. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { Unauthorized } from "@transferkit/domain/TransferApiError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as SyncTables from "../../src/internal/SyncTables.ts"
import * as SyncWindows from "../../src/internal/SyncWindows.ts"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab

const hour = 3_600_000

const openOf = (bodies: Iterable<string>): ReadonlyArray<{ readonly id: string; readonly created_at: string }> =>
  [...bodies].map((body) => JSON.parse(body)).filter(({ status }) => !Lab.terminal(status))

const coverage = (lab: Lab.Lab) => Lab.run(lab, MirrorCoverage.read({ partner_id }), { readOnly: true })

const complete = (lab: Lab.Lab, id: string | undefined) =>
  Lab.ok(TransferStore.change(lab.store, id ?? "", { status: "complete" }))

/** The second of an instant: a clock that stands still counts up by a millisecond for each transaction. */
const second = (at: Timestamp.Timestamp | undefined): string | undefined => at && secondOf(Timestamp.toDate(at))
const secondOf = (at: Date): string => at.toISOString().slice(0, 19)

export const freshnessSuite = (database: Database) =>
  describe(`the pass after a load into ${database.name}`, () => {
    test("asks for no open transfer again that the load has read, and the pass after it for all of them", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const [, pass] = await Lab.sync(lab)
      expect(pass?.open).toBeGreaterThan(30)
      // What was created in the last hour.
      expect(pass?.pages).toBe(1)
      const [next] = await Lab.sync(lab)
      expect(next?.pages).toBeGreaterThan(20)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test.each([undefined, 3])("reads as many pages at once as it may, with concurrency %s", async (concurrency) => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const sync = () => Lab.run(lab, MirrorSync.sync({ partner_id, concurrency }))
      await sync()
      // The first load of one process has what a second process would have besides.
      expect(lab.atOnce.most).toBe(concurrency ?? 16)
      lab.atOnce.most = 0
      await sync()
      expect(lab.atOnce.most).toBe(concurrency ?? 8)
    })

    test("finds what was created during the load", async () => {
      const lab = Lab.make(await database.fresh(), { count: 800 })
      let arrived = 0
      lab.onSearch = () => {
        lab.now += 60_000
        const created_at = new Date(lab.now).toISOString()
        const wire = { id: `new-${arrived++}`, kind: "cash_in", status: "complete", created_at }
        if (arrived <= 40) Lab.ok(TransferStore.insert(lab.store, wire))
      }
      await Lab.sync(lab)
      expect(arrived).toBeGreaterThan(40)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("counts from when the load began, so the next pass finds what changed since", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      const began = lab.now
      let searches = 0
      lab.onSearch = () => {
        lab.now += hour
        // After hours, when much has been read.
        if (++searches === 30) for (const { id } of openOf(Lab.served(lab).values())) complete(lab, id)
      }
      await Lab.sync(lab)
      expect(second((await coverage(lab)).as_of)).toBe(secondOf(new Date(began)))
      lab.onSearch = () => {}
      const [next] = await Lab.sync(lab)
      expect(next?.changed).toBeGreaterThan(0)
      expect(second((await coverage(lab)).as_of)).toBe(secondOf(new Date(lab.now)))
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test.each([
      ["one process", (lab: Lab.Lab) => Lab.sync(lab)],
      ["workers", (lab: Lab.Lab) => Lab.run(lab, MirrorSync.sync({ partner_id, workers: Effect.void }))],
    ])("asks again for what a load of %s that it resumed had read days ago, and for nothing else", async (_, sync) => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      lab.failure = () => (lab.searches > 45 ? new Unauthorized({ status: 401 }) : undefined)
      await expect(sync(lab)).rejects.toThrow("rejected")
      lab.failure = () => undefined
      const before = openOf((await Lab.mirrored(lab)).values())
      expect(before.length).toBeGreaterThan(3)
      for (const { id } of [before[0], before.at(-1)].filter((one) => one !== undefined)) complete(lab, id)
      lab.now += 48 * hour
      const began = lab.now
      lab.onSearch = () => void (lab.now += 1000)
      const [, pass] = await Lab.sync(lab)
      expect(pass).toMatchObject({ changed: 2, created: 0, vanished: 0 })
      // Those that were open then, and what was created in the last hour.
      expect(pass?.pages).toBeLessThanOrEqual(before.length + 1)
      expect(pass?.pages).toBeLessThan(pass?.open ?? 0)
      expect(second((await coverage(lab)).as_of)).toBe(secondOf(new Date(began)))
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("asks for every open transfer again if the sync before was killed after its load", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      let steps = 0
      lab.onApply = () => steps++
      await Lab.sync(lab)
      const killed = Lab.make(await database.fresh(), { count: 500 })
      killed.onApply = () => {
        // The last transaction is that of the pass.
        if (--steps === 0) throw new Error("killed")
      }
      await expect(Lab.sync(killed)).rejects.toThrow("killed")
      killed.onApply = () => {}
      complete(killed, openOf(Lab.served(killed).values())[0]?.id)
      expect(await Lab.sync(killed)).toMatchObject([{ kind: "pass", changed: 1 }])
      expect(await Lab.mirrored(killed)).toEqual(Lab.served(killed))
    })

    test("counts a window as read by the load only if no worker had claimed it before", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const at = "2025-01-01T00:00:00.000Z"
      const day = (from: number) => ({
        gte: Timestamp.parseUnsafe(`2024-01-0${from}T00:00:00Z`),
        lt: Timestamp.parseUnsafe(`2024-01-0${from + 1}T00:00:00Z`),
      })
      const unclaimed = await Lab.run(
        lab,
        Effect.gen(function* () {
          const parts = [1, 2, 3, 4].map((from) => ({
            window_id: `${from}`,
            left: { remaining: [day(from), day(from + 4)] },
          }))
          yield* SyncWindows.add(parts, { partner_id, run_id: 1n, at })
          const claim = (window_id: string) => ({ partner_id, window_id, claim: window_id })
          for (const window_id of ["2", "3", "4"]) yield* SyncWindows.claim(claim(window_id), { worker: "a", at })
          yield* SyncWindows.progress(claim("3"), { left: { remaining: [] }, pages: 1, transfers: 1, at })
          // It has read the first of its days, and gave up the other.
          yield* SyncWindows.progress(claim("4"), { left: { remaining: [day(8)] }, pages: 1, transfers: 1, at })
          yield* SyncWindows.fail(claim("4"), "an error", at)
          return yield* SyncWindows.unclaimed(partner_id)
        }),
      )
      const remaining = [day(1), day(5), day(8)]
      expect(String(unclaimed)).toBe(String(Checkpoint.remaining({ version: 2, query: "", transfers: 0, remaining })))
    })

    test("asks for a second that a load has read in part", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const instants = [
        "2024-01-01T00:00:00.4Z",
        "2024-01-01T00:00:00.6Z",
        "2024-01-02T00:00:00Z",
        "2024-01-03T00:00:00Z",
      ]
      for (const [index, created_at] of instants.entries()) {
        Lab.ok(TransferStore.insert(lab.store, { id: `tr_${index}`, kind: "cash_in", status: "executing", created_at }))
      }
      await Lab.sync(lab)
      const [, half, second] = instants.map(Timestamp.parseUnsafe)
      if (half === undefined || second === undefined) throw new Error("no instants")
      const seconds = (created_at: CreatedAt.CreatedAt) =>
        Lab.run(lab, SyncTables.openSeconds(partner_id, created_at, "2024-01-01T00:00:00.000Z"))
      const start = Date.parse("2024-01-01T00:00:00Z") / 1000
      const day = 86_400
      const gap = CreatedAt.difference(
        CreatedAt.all,
        CreatedAt.between(half, Timestamp.plus(second, Duration.seconds(1))),
      )
      expect((await seconds(gap)).map((one) => one.second)).toEqual([start, start + 2 * day])
      expect((await seconds(gap)).map((one) => one.before)).toEqual([0, 3])
      expect((await seconds(CreatedAt.gte(half))).map((one) => one.second)).toEqual([
        start,
        start + day,
        start + 2 * day,
      ])
      const [early, late] = ["2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00.7Z"].map((text) =>
        CreatedAt.gte(Timestamp.parseUnsafe(text)),
      )
      if (early === undefined || late === undefined) throw new Error("no filters")
      const within = CreatedAt.or(CreatedAt.difference(early, late), CreatedAt.gte(second))
      expect((await seconds(within)).map((one) => one.second)).toEqual([start, start + day, start + 2 * day])
      expect(await seconds(CreatedAt.none)).toEqual([])
    })
  })
