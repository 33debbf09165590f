/** What a mirror claims to have: never more than its last complete pass, or its load, has read. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import { OutsideFilter } from "@transferkit/domain/TransferPagerError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Doubts from "../../src/internal/Doubts.ts"
import * as Driver from "../../src/internal/Driver.ts"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorStatus from "../../src/MirrorStatus.ts"
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

    /** A service that compares another time of a transfer than it shows, half a year earlier. */
    const contradicting = (one: Lab.Lab) => {
      const shown = at(one.now - 180 * 24 * hour)
      const created_at = new Date(one.now - 60_000).toISOString()
      Lab.ok(TransferStore.insert(one.store, { id: "odd", kind: "cash_in", status: "complete", created_at }))
      one.lie = (page) => ({
        ...page,
        results: page.results.map((transfer) =>
          transfer.id === "odd" ? { ...transfer, created_at: shown } : transfer,
        ),
      })
      return shown
    }
    const second = (from: Timestamp.Timestamp) => CreatedAt.between(from, Timestamp.plus(from, 1000))

    const runs = {
      load: Effect.asVoid(MirrorSync.sync({ partner_id })),
      "load over windows": Effect.asVoid(MirrorSync.sync({ partner_id, workers: Effect.void })),
      pass: Effect.asVoid(MirrorSync.sync({ partner_id })),
      verification: Effect.asVoid(MirrorSync.verify({ partner_id })),
    } as const

    test.each(["load", "load over windows", "pass", "verification"] as const)(
      "lacks the second of a transfer that a %s had sent and not listed there, or all, until all is read again",
      async (run) => {
        const one = await lab(1000)
        if (!run.startsWith("load")) await Lab.sync(one)
        one.now += hour
        const shown = contradicting(one)
        const error = await Lab.run(one, Effect.flip(runs[run]))
        expect(error.message).toContain(`the second from ${shown.text}`)
        const isAsked = async () =>
          Coverage.answer(await of(one), { period: second(shown), only: {} }, at(one.now))._tag
        const claimed = await of(one)
        expect(CreatedAt.equals(claimed.doubted ?? CreatedAt.none, second(shown))).toBe(true)
        expect([await isAsked(), answer(claimed, one.now)]).toEqual(["Partial", "Partial"])
        // A load may have read any second so.
        expect(CreatedAt.isEmpty(Coverage.held(claimed))).toBe(run.startsWith("load"))
        // The service is right again. What the next run reads may still be without the transfer.
        one.lie = (page) => page
        Lab.ok(TransferStore.change(one.store, "odd", { created_at: shown.text }))
        const reports = await Lab.sync(one)
        if (!run.startsWith("load")) {
          expect(reports.at(-1)?.watermark, "says no more than the status").toEqual(shown)
          expect(CreatedAt.equals((await of(one)).unread, second(shown))).toBe(true)
          expect((await Lab.run(one, MirrorStatus.read()))[0]?.complete_until).toBe(shown.text)
          await Lab.verify(one)
        }
        expect([await isAsked(), (await of(one)).doubted, (await Lab.mirrored(one)).has("odd")]).toEqual([
          "Whole",
          undefined,
          true,
        ])
      },
    )

    test("lacks everything once the service contradicted itself about more than a hundred seconds", async () => {
      const one = await lab(20)
      await Lab.sync(one)
      const failed = (number: number) => {
        const missingFrom = Timestamp.fromEpochSeconds(1_700_000_000 + 2 * number).text
        return new OutsideFilter({ id: "odd", reason: "it was created then", missingFrom: [missingFrom] })
      }
      const recordAll = (...numbers: ReadonlyArray<number>) =>
        Lab.run(
          one,
          Effect.forEach(numbers, (number) => Doubts.record(partner_id, failed(number)), { discard: true }),
        )
      const [, ...others] = Array.from({ length: 100 }, (_, number) => number)
      await recordAll(0, ...others, ...others)
      expect(CreatedAt.intervals((await of(one)).unread)).toHaveLength(100)
      await recordAll(100)
      expect(CreatedAt.isEmpty(Coverage.held(await of(one)))).toBe(true)
      expect((await Lab.run(one, MirrorStatus.read()))[0]?.complete_until).toBeUndefined()
      await recordAll(0, 1)
      expect(await Lab.query(one, "SELECT value FROM sync_state WHERE name = 'doubted'")).toEqual([{ value: "all" }])
      await Lab.query(one, "DELETE FROM sync_state WHERE name IN ('watermark', 'backfill')", {})
      await Lab.sync(one)
      expect((await of(one)).doubted).toBeUndefined()
    })

    test.each([
      ["", undefined],
      [" that goes on over windows", Effect.void],
    ])("of a load%s lacks the seconds at which a transfer is still to be found", async (_, workers) => {
      const one = await lab(1500)
      one.failure = () => (one.searches > 30 ? new ServiceUnavailable({ status: 503, errors: [] }) : undefined)
      await Lab.run(one, Effect.exit(MirrorSync.sync({ partner_id })))
      one.failure = () => undefined
      const held = CreatedAt.intervals(Coverage.held(await of(one))).at(0)?.first ?? 0n
      const from = Timestamp.fromEpochSeconds(Number(held / 1_000_000_000n) + 100)
      expect(CreatedAt.implies(second(from), Coverage.held(await of(one)))).toBe(true)
      const [row] = await Lab.query(one, "SELECT value FROM sync_state WHERE name = 'backfill'")
      const position = JSON.parse(`${row?.["value"]}`)
      position.checkpoint.strays = [{ id: "ghost", created_at: from.text }]
      await Lab.query(one, `UPDATE sync_state SET value = '${JSON.stringify(position)}' WHERE name = 'backfill'`, {})
      expect(CreatedAt.implies(second(from), (await of(one)).unread)).toBe(true)
      const error = await Lab.run(one, Effect.flip(MirrorSync.sync({ partner_id, ...(workers && { workers }) })))
      expect(error.message).toMatch(`the second from ${from.text}`)
      expect(CreatedAt.implies(second(from), (await of(one)).unread)).toBe(true)
    })
  })
}
