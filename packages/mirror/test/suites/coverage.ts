/** What a mirror claims to have: never more than its last complete pass, or its load, has read. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
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
        Effect.flatMap(TransferMirror, ({ run }) =>
          run(
            (sql) =>
              sql`UPDATE sync_runs SET ended_at = '2099-01-01T00:00:00.000Z' WHERE started_at = ${second.as_of.text} AND kind = 'pass'`,
          ),
        ),
      )
      expect((await of(one, at(one.now + hour))).as_of.text).toBe(first.as_of.text)
    })
  })
}
