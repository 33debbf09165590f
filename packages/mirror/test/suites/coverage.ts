/** What a mirror claims to have: never more than its last complete pass, or its load, has read. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab
const hour = 3_600_000
const at = (millis: number) => Timestamp.fromDate(new Date(millis))
const everything = { only: {} }

export const coverageSuite = (database: Database): void => {
  describe(`the coverage of a mirror in ${database.name}`, () => {
    const lab = async (count = 300) => Lab.make(await database.fresh(), { count })
    const of = (one: Lab.Lab, asOf?: Timestamp.Timestamp) => Lab.run(one, MirrorCoverage.read({ partner_id, asOf }))
    const answer = (coverage: Coverage.Coverage, now: number) => Coverage.answer(coverage, everything, at(now))._tag

    test("of one that was never synced is nothing", async () => {
      const one = await lab()
      expect(CreatedAt.isEmpty(Coverage.held(await of(one)))).toBe(true)
      expect(answer(await of(one), one.now)).toBe("Partial")
    })

    test("is everything up to the start of the last complete pass, and not to a pass that failed", async () => {
      const one = await lab()
      await Lab.sync(one)
      const first = await of(one)
      expect(CreatedAt.equals(Coverage.held(first), CreatedAt.lte(first.as_of))).toBe(true)
      one.now += hour
      one.failure = () => new ServiceUnavailable({ status: 503, errors: [] })
      await Lab.run(one, Effect.flip(MirrorSync.sync({ partner_id })))
      expect((await of(one)).as_of.text).toBe(first.as_of.text)
      one.failure = () => undefined
      one.now += hour
      await Lab.sync(one)
      expect((await of(one)).as_of.epochNanoseconds).toBeGreaterThan(first.as_of.epochNanoseconds)
    })

    test.each([
      ["", undefined],
      [" over windows", Effect.void],
    ])("of a load that was cut off%s is what it has read: exactly the transfers that are there", async (_, workers) => {
      const one = await lab(1500)
      one.failure = () => (one.searches > 30 ? new ServiceUnavailable({ status: 503, errors: [] }) : undefined)
      await Lab.run(
        one,
        Effect.exit(MirrorSync.sync({ partner_id, ...(workers && { workers }) })).pipe(
          Effect.timeoutOption("4 seconds"),
        ),
      )
      const held = Coverage.held(await of(one))
      const there = await Lab.mirrored(one)
      const inside = [...Lab.served(one)].filter(([, body]) =>
        CreatedAt.matches(held, Timestamp.parseUnsafe(JSON.parse(body).created_at)),
      )
      expect(inside.length).toBeLessThan(1500)
      expect(inside.filter(([id]) => !there.has(id))).toEqual([])
      expect(answer(await of(one), one.now)).toBe("Partial")
      one.failure = () => undefined
      await Lab.sync(one)
      expect(answer(await of(one), one.now)).not.toBe("Partial")
    })

    test("is never more than its passes read: what appears and changes while they read is not claimed", async () => {
      const one = await lab(200)
      const changes: Array<{ readonly id: string; readonly at: number }> = []
      let made = 0
      one.onSearch = () => {
        one.now += 1000
        if (made >= 90) return
        const wire = { kind: "cash_in", status: "executing", created_at: new Date(one.now).toISOString() }
        Lab.ok(TransferStore.insert(one.store, { ...wire, id: `late-${made++}` }))
        const id = `late-${made - 2}`
        if (made > 1) Lab.ok(TransferStore.change(one.store, id, { status: "complete" }))
        if (made > 1) changes.push({ id, at: one.now })
      }
      for (let pass = 0; pass < 4; pass++) {
        await Lab.sync(one)
        const until = Timestamp.toDate((await of(one)).as_of).getTime()
        const there = await Lab.mirrored(one)
        const created = [...Lab.served(one)].filter(([, body]) => Date.parse(JSON.parse(body).created_at) <= until)
        expect(created.filter(([id]) => !there.has(id))).toEqual([])
        const seen = changes.filter(({ at }) => at <= until)
        expect(seen.filter(({ id }) => JSON.parse(there.get(id) ?? "{}").status !== "complete")).toEqual([])
        // Some of what is there now is later than the claim, or this would prove nothing.
        if (pass < 2) expect(changes.length).toBeGreaterThan(seen.length)
        one.now += hour
      }
    })

    test("that was read before the transfers holds of them, whatever pass comes between", async () => {
      const one = await lab()
      await Lab.sync(one)
      const { coverage, rows, later } = await Lab.run(
        one,
        Effect.gen(function* () {
          const source = yield* MirrorTransferSource.make({ partner_id })
          const asked = yield* source.coverage
          one.now += hour
          const created_at = new Date(one.now - 60_000).toISOString()
          Lab.ok(TransferStore.insert(one.store, { id: "between", kind: "cash_in", status: "complete", created_at }))
          yield* Effect.promise(() => Lab.sync(one))
          const batches = yield* Stream.runCollect(source.transfers({}))
          return { coverage: asked, rows: batches.flatMap(({ results }) => results), later: yield* source.coverage }
        }),
      )
      const ids = new Set<string>(rows.map(({ id }) => id))
      const claimed = (self = Coverage.upTo(Timestamp.earliest)) =>
        [...Lab.served(one)].flatMap(([id, body]) =>
          CreatedAt.matches(Coverage.held(self), Timestamp.parseUnsafe(JSON.parse(body).created_at)) ? [id] : [],
        )
      expect(claimed(coverage).filter((id) => !ids.has(id))).toEqual([])
      // Read after the transfers, it could claim one that they lack.
      expect([claimed(coverage).includes("between"), claimed(later).includes("between")]).toEqual([false, true])
    })

    test("of one that begins in the middle begins there", async () => {
      const one = await lab()
      const from = Timestamp.parseUnsafe("2024-06-01T00:00:00Z")
      await Lab.run(one, MirrorStart.begin({ partner_id, from, watermark: from, known: [] }))
      await Lab.sync(one)
      const coverage = await of(one)
      expect(CreatedAt.matches(Coverage.held(coverage), from)).toBe(true)
      const before = { period: CreatedAt.lt(from), only: {} }
      expect(Coverage.answer(coverage, before, at(one.now))._tag).toBe("Partial")
    })

    test("says the instant at which the mirror gives the same transfers and claims again", async () => {
      const one = await lab(50)
      expect((await of(one)).seen_at).toBeUndefined()
      await Lab.sync(one)
      const [first, before] = [await of(one), await Lab.mirrored(one)]
      const [id = ""] = before.keys()
      // The same millisecond: what follows is later all the same.
      Lab.ok(TransferStore.change(one.store, id, { status: "approved" }))
      Lab.ok(TransferStore.remove(one.store, [...before.keys()].at(-1) ?? ""))
      await Lab.verify(one)
      expect(await Lab.mirrored(one)).not.toEqual(before)
      expect(await Lab.mirrored(one, { asOf: first.seen_at })).toEqual(before)
      expect(await of(one, first.seen_at)).toEqual(first)
    })

    test("at an instant is that of the last pass that had ended by then, and nothing before the first", async () => {
      const one = await lab()
      const early = at(one.now - hour)
      await Lab.sync(one)
      const first = await of(one)
      one.now += hour
      await Lab.sync(one)
      const second = await of(one)
      expect((await of(one, at(one.now - 1000))).as_of.text).toBe(first.as_of.text)
      expect((await of(one, at(one.now + hour))).as_of.text).toBe(second.as_of.text)
      expect(CreatedAt.isEmpty(Coverage.held(await of(one, early)))).toBe(true)
      // A pass that had begun by then, and not ended, is not counted.
      await Lab.run(
        one,
        Effect.flatMap(TransferMirror, (mirror) =>
          Driver.of(mirror).run(
            (sql) =>
              sql`UPDATE sync_runs SET ended_at = '2099-01-01T00:00:00.000Z' WHERE started_at = ${second.as_of.text} AND kind = 'pass'`,
          ),
        ),
      )
      expect((await of(one, at(one.now + hour))).as_of.text).toBe(first.as_of.text)
    })
  })
}
