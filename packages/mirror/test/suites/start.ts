/** Mirrors that begin in the middle of a history, or go on with a load that was killed; and all their transfers in order. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab

const wire = (id: string, created_at: string, status = "executing") => ({ id, kind: "cash_in", status, created_at })
const transfer = (...fields: Parameters<typeof wire>) => Lab.ok(Transfer.fromJson(JSON.stringify(wire(...fields))))

export const startSuite = (database: Database) => {
  describe(`a mirror in ${database.name} that begins in the middle`, () => {
    const from = Timestamp.parseUnsafe("2024-06-01T00:00:00Z")
    const begun = async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      for (const fields of [
        wire("tr_before", "2024-05-31T23:59:59.999Z"),
        wire("tr_at", "2024-06-01T00:00:00Z"),
        wire("tr_after", "2024-06-02T00:00:00Z"),
      ]) {
        Lab.ok(TransferStore.insert(lab.store, fields))
      }
      const known = [transfer("tr_known", "2024-05-01T00:00:00Z"), transfer("tr_open", "2024-05-02T00:00:00Z")]
      const found = [transfer("tr_open", "2024-05-02T00:00:00Z", "complete")]
      const isBegun = await Lab.run(lab, MirrorStart.hasBegun(partner_id))
      await Lab.run(lab, MirrorStart.begin({ partner_id, from, watermark: from, known, found }))
      return { lab, isBegun }
    }

    test("has not begun before, and has after", async () => {
      const { lab, isBegun } = await begun()
      expect(isBegun).toBe(false)
      expect(await Lab.run(lab, MirrorStart.hasBegun(partner_id))).toBe(true)
      expect(await Lab.run(lab, MirrorStart.hasBegun("other"))).toBe(false)
    })

    test("says by which instant of a clock it has begun, as long as that is to come", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const [right, ahead] = [lab.now, 3 * 3_600_000]
      const clock = Timestamp.fromDate(new Date(right + ahead))
      const begin = (partner_id: string, clock?: Timestamp.Timestamp) =>
        Lab.run(lab, MirrorStart.begin({ partner_id, from, watermark: from, clock, known: [] }))
      await begin("ahead", clock)
      await begin("by-no-clock")
      const begun = (partner_id: string) => Lab.run(lab, MirrorStart.begunAhead(partner_id))
      expect([await begun("ahead"), await begun("by-no-clock"), await begun("never")]).toEqual([
        clock,
        undefined,
        undefined,
      ])
      // Clocks of machines differ by seconds.
      lab.now = right + ahead - 60_000
      expect(await begun("ahead")).toBeUndefined()
    })

    test("knows what it was given, and records what was found different", async () => {
      const { lab } = await begun()
      expect([...(await Lab.mirrored(lab)).keys()]).toEqual(["tr_known", "tr_open"])
      expect(await Lab.query(lab, "SELECT id, event, previous_status, status FROM transfer_changes")).toEqual([
        { id: "tr_open", event: "changed", previous_status: "executing", status: "complete" },
      ])
    })

    test("finds what was created from there on, and never reads what came before, not by a verification either", async () => {
      const { lab } = await begun()
      const [pass] = await Lab.sync(lab)
      expect(pass).toMatchObject({ kind: "pass", created: 2 })
      await Lab.run(lab, MirrorSync.verify({ partner_id }))
      const ids = [...(await Lab.mirrored(lab)).keys()]
      expect(ids).toContain("tr_at")
      expect(ids).toContain("tr_after")
      expect(ids).not.toContain("tr_before")
    })
  })

  test(`a load to ${database.name} that was killed goes on where it was`, async () => {
    const lab = Lab.make(await database.fresh(), { count: 1500 })
    lab.onSearch = () => {
      if (lab.searches > 80) throw new Error("killed")
    }
    await expect(Lab.sync(lab)).rejects.toThrow("killed")
    const kept = (await Lab.mirrored(lab)).size
    // Many windows are under way when it dies; those that were complete are kept.
    expect(kept).toBeGreaterThan(100)
    expect(kept).toBeLessThan(1500)
    lab.onSearch = () => {}
    const [backfill] = await Lab.sync(lab)
    expect(backfill).toMatchObject({ kind: "backfill", created: 1500 - kept, transfers: 1500 - kept })
    expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
  })

  test(`the transfers in ${database.name} come in batches, by creation and then by id`, async () => {
    const lab = Lab.make(await database.fresh(), { count: 2100 })
    await Lab.sync(lab)
    const read = (partner: string) =>
      Lab.run(
        lab,
        Effect.flatMap(MirrorTransferSource.make({ partner_id: partner }), (source) =>
          Stream.runCollect(Stream.map(source.transfers({}), ({ results }) => results)),
        ),
      )
    const batches = await read(partner_id)
    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 100])
    const wires = [...Lab.served(lab).values()].map((body) => Lab.ok(Transfer.fromJson(body)))
    const inOrder = wires.sort(
      (a, b) =>
        Number(a.created_at.epochNanoseconds - b.created_at.epochNanoseconds) || (String(a.id) < String(b.id) ? -1 : 1),
    )
    expect(batches.flat().map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id))
    expect(await read("other")).toEqual([])
  })
}
