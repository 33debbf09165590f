/** A first load that begins anew, because the service contradicted itself: nothing that the earlier one has read stays. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { Unauthorized } from "@transferkit/domain/TransferApiError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as TransferEvents from "../../src/TransferEvents.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab
const count = 1500
const hour = 3_600_000

const ghost = Result.getOrThrow(
  Transfer.fromJson('{"id":"ghost","kind":"cash_in","status":"complete","created_at":"2024-03-01T00:00:00Z"}'),
)

const coverage = (lab: Lab.Lab) => Lab.run(lab, MirrorCoverage.read({ partner_id }), { readOnly: true })

/** A mirror whose load has read much, and ended because one transfer is listed under another time than it shows. */
const doubted = async (database: Database, options: Partial<MirrorSync.Options>) => {
  const lab = Lab.make(await database.fresh(), { count })
  const shown = Timestamp.fromDate(new Date(lab.now - 180 * 24 * hour))
  const created_at = new Date(lab.now - 60_000).toISOString()
  Lab.ok(TransferStore.insert(lab.store, { id: "odd", kind: "cash_in", status: "complete", created_at }))
  lab.lie = (page) => ({
    ...page,
    results: page.results.map((one) => (one.id === "odd" ? { ...one, created_at: shown } : one)),
  })
  const failed = await Lab.run(lab, Effect.result(MirrorSync.sync({ partner_id, ...options })))
  expect(Result.isFailure(failed)).toBe(true)
  lab.lie = (page) => page
  lab.now += hour
  expect((await Lab.mirrored(lab)).size).toBeGreaterThan(count / 2)
  return lab
}

/** The service loses one in so many of what the mirror has. */
const lose = async (lab: Lab.Lab, oneIn: number) => {
  const ids = [...(await Lab.mirrored(lab)).keys()].filter((id, index) => index % oneIn === 0 && id !== "odd")
  for (const id of ids) Lab.ok(TransferStore.remove(lab.store, id))
  return ids.length
}

const expectTheSame = async (lab: Lab.Lab) => {
  expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
  const { unread, doubted: left } = await coverage(lab)
  expect([CreatedAt.isEmpty(unread), left]).toEqual([true, undefined])
  const [totals] = await Lab.query(lab, "SELECT CAST(SUM(transfers) AS BIGINT) AS transfers FROM daily_totals")
  const [counted] = await Lab.query(lab, "SELECT COUNT(source_total_amount) AS transfers FROM transfers")
  expect(totals).toEqual(counted)
  for (const table of ["transfer_changes", "vanished_transfers", "pending_deliveries"]) {
    expect(await Lab.query(lab, `SELECT * FROM ${table}`), table).toEqual([])
  }
}

const ways: ReadonlyArray<readonly [string, Partial<MirrorSync.Options>]> = [
  ["one process", {}],
  ["workers", { workers: Effect.void }],
]

export const anewSuite = (database: Database): void => {
  describe(`a load that begins anew into ${database.name}`, () => {
    // The second is more than may have vanished.
    test.each(ways.flatMap(([way, options]) => [200, 3].map((oneIn) => [way, oneIn, options] as const)))(
      "by %s keeps nothing that the service has not, if it lost one in %i",
      async (_, oneIn, options) => {
        const lab = await doubted(database, options)
        expect(await lose(lab, oneIn)).toBeGreaterThan(1)
        const [load] = await Lab.sync(lab, options)
        expect(load).toMatchObject({ kind: "backfill", transfers: Lab.served(lab).size, vanished: 0 })
        await expectTheSame(lab)
        expect(await Lab.run(lab, TransferEvents.pending(partner_id))).toEqual([])
      },
    )

    test.each(ways)("by %s keeps nothing either if it is interrupted and resumed", async (_, options) => {
      const lab = await doubted(database, options)
      await lose(lab, 3)
      const begun = lab.searches
      lab.failure = () => (lab.searches > begun + 30 ? new Unauthorized({ status: 401 }) : undefined)
      await expect(Lab.sync(lab, options)).rejects.toThrow("rejected")
      lab.failure = () => undefined
      // It claims what it has read since it began anew, and has nothing else.
      const held = Coverage.held(await coverage(lab))
      const there = await Lab.mirrored(lab)
      expect(there.size).toBeGreaterThan(0)
      expect(there.size).toBeLessThan(Lab.served(lab).size)
      const isClaimed = (body: string) => CreatedAt.matches(held, Timestamp.parseUnsafe(JSON.parse(body).created_at))
      expect([...there.keys()].filter((id) => !Lab.served(lab).has(id))).toEqual([])
      expect([...Lab.served(lab)].filter(([id, body]) => isClaimed(body) && !there.has(id))).toEqual([])
      await Lab.sync(lab, options)
      await expectTheSame(lab)
    })

    test.each(ways)("by %s keeps nothing that a watch left when it was killed as it began", async (_, options) => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.run(
        lab,
        Effect.gen(function* () {
          const { apply } = yield* TransferMirror
          const reading = { partner_id, window: CreatedAt.none, run_id: 0n, logsCreated: false }
          yield* apply({ ...reading, transfers: [ghost] })
        }),
      )
      await Lab.sync(lab, options)
      await expectTheSame(lab)
    })
  })
}
