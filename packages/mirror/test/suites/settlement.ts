/** Which transfers of a mirror may still change: those that are open by the settlement of whoever syncs it. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import { Unauthorized } from "@transferkit/domain/TransferApiError"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as TransferSource from "@transferkit/domain/TransferSource"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorStatus from "../../src/MirrorStatus.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import * as MirrorWorkers from "../../src/MirrorWorkers.ts"
import type { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab
const hour = 3_600_000

const odd = "lost \u0000\ud800"

/** A service to which `paid` and `expired` are final, and `complete` is not. */
const live = Lab.ok(Dialect.make({ settledStatuses: ["paid"], failedStatuses: ["declined", "expired", odd] }))

const by = <A, E, R>(dialect: Dialect.Dialect, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Dialect.Dialect, dialect)

/**
 * Old transfers, one of each status and named by it. Between them are pages of others, which are final to everybody: who
 * asks for one again does not see the next.
 */
const labOf = async (database: Database) => {
  const lab = Lab.make(await database.fresh(), { count: 0 })
  for (const [index, status] of ["paid", "complete", "executing", "expired", odd].entries()) {
    const insert = (id: string, status: string, minute: number) => {
      const created_at = new Date(Date.UTC(2024, 2, 1 + index, 0, minute)).toISOString()
      Lab.ok(TransferStore.insert(lab.store, { id, kind: "cash_in", status, created_at }))
    }
    insert(`of ${status.slice(0, -2) === "lost " ? "lost" : status}`, status, 0)
    for (let minute = 1; minute <= 120; minute++) insert(`tr_${index}_${minute}`, "declined", minute)
  }
  return lab
}

const sync = (lab: Lab.Lab, dialect: Dialect.Dialect, options: Partial<MirrorSync.Options> = {}) =>
  Lab.run(lab, by(dialect, MirrorSync.sync({ partner_id, rereads: 0, ...options })))

const view = async (lab: Lab.Lab, options?: Parameters<typeof Lab.query>[2]) =>
  (await Lab.query(lab, "SELECT id FROM open_transfers ORDER BY id", options)).map(({ id }) => id)

/** What is open of the mirror for a reader, or the statuses of which it has old transfers. */
const openOf = (lab: Lab.Lab, dialect: Dialect.Dialect) =>
  Lab.run(
    lab,
    by(
      dialect,
      Effect.gen(function* () {
        const source = yield* MirrorTransferSource.make({ partner_id })
        const question = { only: {}, final: Dialect.finalStatuses(dialect) }
        const answer = Coverage.answer(yield* source.coverage, question, Timestamp.latest)
        if (answer._tag === "Partial" && answer.stale.length > 0) return answer.stale
        const batches = yield* Stream.runCollect(source.transfers({ open: true }))
        return batches.flatMap(({ results }) => results.map(({ id }) => String(id))).sort()
      }),
    ),
    { readOnly: true },
  )

const ofService = (lab: Lab.Lab, dialect: Dialect.Dialect) =>
  Lab.run(
    lab,
    by(
      dialect,
      Effect.flatMap(TransferSource.service, ({ transfers }) =>
        Effect.map(Stream.runCollect(transfers({ open: true })), (batches) =>
          batches.flatMap(({ results }) => results.map(({ id }) => String(id))).sort(),
        ),
      ),
    ),
  )

const set = (lab: Lab.Lab, id: string, status: string) => Lab.ok(TransferStore.change(lab.store, id, { status }))

const stateOf = async (lab: Lab.Lab) => {
  const rows = await Lab.query(
    lab,
    "SELECT name, value FROM sync_state WHERE name LIKE '%final_statuses' ORDER BY name",
  )
  return rows.map(({ value }) => value)
}

export const settlementSuite = (database: Database): void => {
  describe(`what is open in ${database.name}`, () => {
    const loads: ReadonlyArray<readonly [string, (lab: Lab.Lab) => Promise<unknown>]> = [
      ["one process", (lab) => sync(lab, live)],
      [
        // By another settlement: what it writes has to be as the rest.
        "workers",
        (lab) =>
          Lab.run(
            lab,
            Effect.flatMap(Effect.context<TransferMirror | TransferApi | TransferPager>(), (context) => {
              const other = by(Dialect.standard, MirrorWorkers.work({ partner_id, worker: "other" }))
              const workers = Effect.provideContext(Effect.ignore(other), context)
              return by(live, MirrorSync.sync({ partner_id, rereads: 0, workers }))
            }),
          ),
      ],
      [
        "a watch",
        (lab) => {
          const from = Timestamp.parseUnsafe("2024-01-01T00:00:00Z")
          const begun = MirrorStart.begin({ partner_id, from, watermark: from, known: [] })
          return Lab.run(lab, Effect.andThen(begun, by(live, MirrorSync.sync({ partner_id, rereads: 0 }))))
        },
      ],
    ]

    test.each(loads)("follows the settlement of %s, as the service does", async (_, load) => {
      const lab = await labOf(database)
      await load(lab)
      const expected = ["of complete", "of executing"]
      expect(await ofService(lab, live)).toEqual(expected)
      expect(await view(lab)).toEqual(expected)
      expect(await openOf(lab, live)).toEqual(expected)
      expect((await Lab.run(lab, MirrorStatus.open(partner_id), { readOnly: true })).transfers).toBe(expected.length)
      set(lab, "of complete", "paid")
      lab.now += hour
      expect(await sync(lab, live)).toMatchObject([{ kind: "pass", changed: 1, open: 1 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await view(lab)).toEqual(await ofService(lab, live))
    })

    test("follows another settlement from the next sync on, and so does its history", async () => {
      const lab = await labOf(database)
      await sync(lab, Dialect.standard)
      set(lab, "of executing", "complete")
      lab.now += hour
      await sync(lab, Dialect.standard)
      const asOf = Timestamp.fromDate(new Date(lab.now + 60_000))
      set(lab, "of complete", "paid")
      set(lab, "of expired", "declined")
      lab.now += hour
      await sync(lab, Dialect.standard)
      // Final to that settlement: no pass has asked for it.
      expect((await Lab.mirrored(lab)).get("of complete")).toContain('"complete"')
      lab.now += hour
      expect(await sync(lab, live)).toMatchObject([{ changed: 1 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await view(lab)).toEqual(["of executing"])
      expect(await view(lab, { asOf })).toEqual(["of complete", "of executing"])
      expect(await stateOf(lab)).toEqual([JSON.stringify(["declined", "expired", odd, "paid"]), "[]"])
      await sync(lab, Dialect.standard)
      expect(await view(lab)).toEqual(["of complete", "of lost", "of paid"])
      expect(await view(lab, { asOf })).toEqual(["of expired", "of lost", "of paid"])
    })

    test("is not claimed for a reader to whom a status is open that the mirror takes as final", async () => {
      const lab = await labOf(database)
      await sync(lab, Dialect.standard)
      expect(await openOf(lab, live)).toEqual(["complete"])
      expect(await openOf(lab, Dialect.standard)).toEqual(["of executing", "of expired", "of lost", "of paid"])
      // More is final to this reader: all the rest is read again.
      const stricter = Lab.ok(Dialect.make({ settledStatuses: ["complete", "paid"] }))
      expect(await openOf(lab, stricter)).toEqual(["of executing", "of expired", "of lost"])
      // A sync that has not ended has not read them either.
      lab.failure = () => new Unauthorized({ status: 401 })
      await expect(sync(lab, live)).rejects.toThrow("rejected")
      lab.failure = () => undefined
      expect(await openOf(lab, live)).toEqual(["complete"])
      await sync(lab, live)
      expect(await openOf(lab, live)).toEqual(await ofService(lab, live))
      expect(await openOf(lab, Dialect.standard)).toEqual(["expired", odd, "paid"])
      await Lab.run(lab, by(Dialect.standard, MirrorSync.verify({ partner_id })))
      expect(await stateOf(lab)).toEqual([
        '["complete","declined"]',
        String.raw`["expired","lost \u0000\ud800","paid"]`,
      ])
    })

    test("follows the reader alone in a mirror that does not say by which settlement it was synced", async () => {
      const lab = await labOf(database)
      await sync(lab, Dialect.standard)
      await Lab.query(lab, "DELETE FROM sync_state WHERE name LIKE '%final_statuses'", {})
      expect(await openOf(lab, live)).toEqual(["of executing"])
    })
  })
}
