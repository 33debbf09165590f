/** A summary from the totals of a mirror is the domain's Summary of its transfers, on any database. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Order from "effect/Order"
import { describe, expect, test } from "vitest"
import * as MirrorSummary from "../../src/MirrorSummary.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"
import * as Life from "../Life.ts"

const bys: ReadonlyArray<MirrorSummary.Options["by"]> = [
  [],
  ["currency"],
  ["status"],
  ["month", "status"],
  ["day", "currency"],
  ["status", "day", "currency"],
]

const transfersOf = (lab: Lab.Lab) => [...Lab.served(lab).values()].map((body) => Lab.ok(Transfer.fromJson(body)))

/** Compared as text, so that every digit counts. */
const text = (summary: Summary.Summary | undefined): string => JSON.stringify(summary, undefined, 1)

const summarize = (lab: Lab.Lab, options: Omit<MirrorSummary.Options, "partner_id">) =>
  Lab.run(lab, MirrorSummary.summarize({ partner_id: Lab.partner_id, ...options }), { readOnly: true })

/** The summaries by every key: of the mirror's totals, which cover all times, and of the service's transfers. */
const summariesOf = async (lab: Lab.Lab) => {
  const totals = await Promise.all(bys.map((by) => summarize(lab, { by })))
  const transfers = transfersOf(lab)
  return {
    mirror: totals.map((each) => (each && CreatedAt.isEmpty(each.rest) ? text(each.summary) : undefined)),
    service: bys.map((by) => text(Summary.summarize(transfers, { by }))),
  }
}

export const totalsSuite = (database: Database, { seeds }: { readonly seeds: ReadonlyArray<string> }) =>
  describe.each(seeds)(`the totals of a mirror in ${database.name}, LAW_SEED=%s`, (seed) => {
    test("are those of its transfers after every change, and to the last digit of odd amounts", async () => {
      const roll = Life.dice(`${seed} totals`)
      const lab = Lab.make(await database.fresh(), { count: 300, seed: roll(1000) })
      Life.insertOddAmounts(lab, roll)
      await Lab.sync(lab)
      const first = await summariesOf(lab)
      expect(first.mirror).toEqual(first.service)
      for (let serial = 0; serial < 40; serial++) Life.happen(lab, roll, serial)
      lab.now += 60_000
      await Lab.sync(lab)
      const changed = await summariesOf(lab)
      expect(changed.mirror).toEqual(changed.service)
      const [id = ""] = [...Lab.served(lab).keys()]
      Lab.ok(TransferStore.change(lab.store, id, { created_at: "2024-01-31T23:59:59.999999999Z" }))
      await Lab.run(lab, MirrorSync.verify({ partner_id: Lab.partner_id }))
      const moved = await summariesOf(lab)
      expect(moved.mirror).toEqual(moved.service)
    })

    test("are complete after a first load that was killed, and not before", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      lab.onSearch = () => {
        if (lab.searches > 20) throw new Error("killed")
      }
      await expect(Lab.sync(lab)).rejects.toThrow("killed")
      expect(await summarize(lab, { by: [] })).toBeUndefined()
      lab.onSearch = () => {}
      await Lab.sync(lab)
      const complete = await summariesOf(lab)
      expect(complete.mirror).toEqual(complete.service)
    })

    test("count a transfer once that moves in time during the first load, and is read again where it is then", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      const times = transfersOf(lab).map(({ created_at }) => created_at)
      const [oldest, latest] = [times.reduce(Order.min(Timestamp.Order)), times.reduce(Order.max(Timestamp.Order))]
      const moved = Promise.withResolvers<void>()
      // Intervals of old times are read after some transfers have been written, and have moved there.
      lab.onSearch = ({ created_at = [] }) => {
        const window = Lab.ok(CreatedAt.fromParams(created_at))
        const isOld = CreatedAt.matches(window, oldest) && !CreatedAt.matches(window, latest)
        return isOld ? moved.promise : undefined
      }
      const ids: Array<string> = []
      lab.onApply = () => {
        if (ids.length > 0) return
        ids.push(...lab.applied.flat().map(({ id }) => id))
        for (const id of ids) Lab.ok(TransferStore.change(lab.store, id, { created_at: oldest.text }))
        if (ids.length > 0) moved.resolve()
      }
      await Lab.sync(lab)
      const readTwice = await Lab.query(lab, "SELECT id FROM transfer_changes WHERE event = 'changed' ORDER BY id")
      expect(readTwice.map(({ id }) => id)).toEqual(ids.toSorted())
      const { mirror, service } = await summariesOf(lab)
      expect(mirror).toEqual(service)
    })

    test.each([
      ["incomplete", "UPDATE sync_state SET value = 'incomplete' WHERE name = 'totals'"],
      ["of no known state", "DELETE FROM sync_state WHERE name = 'totals'"],
    ])(
      "are computed anew where they are %s, and those of another partner are left as they are",
      async (_, statement) => {
        const lab = Lab.make(await database.fresh(), { count: 300 })
        await Lab.sync(lab)
        const stray = '{"transfers":7,"currencies":[],"amounts":{}}'
        const rows = (partner: string) =>
          Lab.query(lab, `SELECT * FROM transfer_totals WHERE partner_id = '${partner}' ORDER BY 2, 3`)
        const first = await rows(Lab.partner_id)
        await Lab.query(lab, `UPDATE transfer_totals SET totals = '${stray}'`, {})
        await Lab.query(lab, `INSERT INTO transfer_totals VALUES ('other', '2024-01-01', 'complete', '${stray}')`, {})
        await Lab.query(lab, statement, {})
        expect(await summarize(lab, { by: [] })).toBeUndefined()
        await Lab.sync(lab)
        expect(await rows(Lab.partner_id)).toEqual(first)
        expect(await rows("other")).toMatchObject([{ totals: stray }])
        const complete = await summariesOf(lab)
        expect(complete.mirror).toEqual(complete.service)
      },
    )

    test("of whole days, and the rest of the times by itself, are those of any interval", async () => {
      const roll = Life.dice(`${seed} intervals`)
      const lab = Lab.make(await database.fresh(), { count: 400, seed: roll(1000) })
      await Lab.sync(lab)
      const transfers = transfersOf(lab)
      const instant = () => {
        const day = Date.parse("2024-01-01T00:00:00Z") + roll(366) * 86_400_000
        return Timestamp.fromDate(new Date(roll(2) === 0 ? day : day + roll(86_400_000)))
      }
      const keepsStatus = (status: string) => status === "complete"
      let whole = 0
      for (let round = 0; round < 12; round++) {
        const created_at = [
          CreatedAt.gte(instant()),
          CreatedAt.lt(instant()),
          CreatedAt.between(instant(), instant()),
          CreatedAt.not(CreatedAt.between(instant(), instant())),
        ][roll(4)]
        if (created_at === undefined) continue
        const by = ["month", "currency"] as const
        const totals = await summarize(lab, { by, created_at, keepsStatus })
        const kept = transfers.filter(({ status }) => keepsStatus(status))
        const of = (times: CreatedAt.CreatedAt = CreatedAt.none) =>
          Summary.summarize(
            kept.filter((transfer) => CreatedAt.matches(times, transfer.created_at)),
            { by },
          )
        whole += totals?.summary.transfers ?? 0
        expect(text(totals && Summary.combine([totals.summary, of(totals.rest)], { by }))).toBe(text(of(created_at)))
      }
      expect(whole).toBeGreaterThan(200)
    })
  })
