/** What a sync promises, on any database. */
import { randomBytes } from "node:crypto"
import * as Conformance from "@transferkit/conformance/Conformance"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as MirrorSummary from "../../src/MirrorSummary.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorTransferApi from "../../src/MirrorTransferApi.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import * as TransferEvents from "../../src/TransferEvents.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

export const syncSuite = (database: Database) =>
  describe(`a sync to ${database.name}`, () => {
    test("loads everything, then finds nothing more to do", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const [backfill, pass] = await Lab.sync(lab)
      expect(backfill).toMatchObject({ kind: "backfill", transfers: 1500, created: 1500, changed: 0, vanished: 0 })
      expect(pass).toMatchObject({ kind: "pass", created: 0, changed: 0, vanished: 0 })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      const searches = lab.searches
      expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 0, changed: 0 }])
      expect(lab.searches - searches).toBeLessThan(60)
    })

    test("writes several intervals of a load at once, a tenth of what it has read, and tells of each", async () => {
      const lab = Lab.make(await database.fresh(), { count: 2000 })
      const told: Array<MirrorSync.Progress> = []
      const onProgress = (progress: MirrorSync.Progress) => Effect.sync(() => void told.push(progress))
      const options = { partner_id: Lab.partner_id, onProgress }
      const [backfill] = await Lab.run(lab, MirrorSync.sync(options))
      const loads = told.filter(({ kind }) => kind === "backfill")
      expect(loads.at(-1)).toEqual({ kind: "backfill", transfers: 2000, share: 1 })
      expect(loads.map(({ transfers }) => transfers)).toEqual(
        loads.map(({ transfers }) => transfers).toSorted((a, b) => a - b),
      )
      // What follows a load is the pass.
      const sizes = lab.applied.slice(0, lab.applied.length - (told.length - loads.length)).map(({ length }) => length)
      let read = 0
      for (const size of sizes.slice(0, -1)) {
        read += size
        expect(size).toBeGreaterThanOrEqual(read / 10)
        expect(size).toBeLessThan(2000 + 480 * 4)
      }
      expect(read + (sizes.at(-1) ?? 0)).toBe(2000)
      expect(sizes.length).toBeLessThan(loads.length)
      expect(backfill?.pages).toBeGreaterThan(100)
      told.length = lab.applied.length = 0
      const searches = lab.searches
      const report = await Lab.run(lab, MirrorSync.verify(options))
      expect(report).toMatchObject({ kind: "verify", transfers: 2000, pages: lab.searches - searches })
      // Differences are reported as they are found.
      expect(lab.applied).toHaveLength(told.length)
      expect(told.length).toBeGreaterThan(4)
    })

    test("finds changes of old transfers that were open, and records what changed", async () => {
      const lab = Lab.make(await database.fresh(), { count: 800 })
      await Lab.sync(lab)
      const open = [...Lab.served(lab).values()]
        .map((body) => JSON.parse(body))
        .find(({ status }) => !Lab.terminal(status))
      Lab.ok(TransferStore.change(lab.store, open.id, { status: "complete", network_transaction_id: "tx-1" }))
      lab.now += 60_000
      expect(await Lab.sync(lab)).toMatchObject([{ changed: 1, created: 0, vanished: 0 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      const [change] = await Lab.query(lab, "SELECT * FROM transfer_changes")
      expect(change).toMatchObject({
        id: open.id,
        event: "changed",
        previous_status: open.status,
        status: "complete",
        seen_at: expect.stringMatching(/^2025-01-01T00:01:00\.0\d\dZ$/),
        since_at: expect.stringMatching(/^2025-01-01T00:00:00\.0\d\dZ$/),
        body: JSON.stringify(open),
      })
      expect(JSON.parse(String(change?.["changed"]))).toEqual({
        status: { from: open.status, to: "complete" },
        network_transaction_id: { to: "tx-1" },
      })
    })

    test("marks what vanished, and takes it back", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      const [id = "", body = ""] = [...Lab.served(lab)].find(([, json]) => !Lab.terminal(JSON.parse(json).status)) ?? []
      Lab.ok(TransferStore.remove(lab.store, id))
      expect(await Lab.sync(lab)).toMatchObject([{ vanished: 1, changed: 0, created: 0 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.query(lab, "SELECT id FROM vanished_transfers")).toEqual([{ id }])
      Lab.ok(TransferStore.insertJson(lab.store, body))
      expect(await Lab.run(lab, MirrorSync.verify({ partner_id: Lab.partner_id }))).toMatchObject({ created: 1 })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("does not believe a single look that a transfer vanished", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      const [id = "", body = ""] = [...Lab.served(lab)].find(([, json]) => !Lab.terminal(JSON.parse(json).status)) ?? []
      const { created_at } = JSON.parse(body)
      const second = `gte:${created_at.slice(0, 19)}Z`
      Lab.ok(TransferStore.remove(lab.store, id))
      // It is back when its own second is requested alone.
      lab.onSearch = ({ created_at: values }) => {
        if (values?.[0] === second && TransferStore.get(lab.store, id) === undefined && looks++ > 0) {
          Lab.ok(TransferStore.insertJson(lab.store, body))
        }
      }
      let looks = 0
      const [report] = await Lab.sync(lab)
      expect(looks).toBeGreaterThan(0)
      expect(report).toMatchObject({ vanished: 0, changed: 0 })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("rejects what a column cannot hold exactly, and changes nothing", async () => {
      const wire = { kind: "cash_in", status: "complete", created_at: "2024-06-01T00:00:00Z" }
      const dollars = (amount: string) => ({ source_total: { amount, currency_code: "fiat/USD" } })
      for (const [odd, reason] of [
        [{ ...wire, ...dollars(`0.${"0".repeat(27)}1`) }, "source_total"],
        [{ ...wire, ...dollars(`1${"0".repeat(18)}`) }, "source_total"],
        [{ ...wire, created_at: "2263-01-01T00:00:00Z" }, "created"],
      ] as const) {
        const lab = Lab.make(await database.fresh(), { count: 0 })
        lab.now = Date.parse("2300-01-01T00:00:00Z")
        Lab.ok(TransferStore.insert(lab.store, { id: "tr_odd", ...odd }))
        await expect(Lab.sync(lab)).rejects.toThrow(reason)
        expect(await Lab.mirrored(lab)).toEqual(new Map())
      }
    })

    test("holds a NUL and half a surrogate pair in every text, and gives each back as it was", async () => {
      const lab = Lab.make(await database.fresh(), { count: 20 })
      const wire = { kind: "cash_in", created_at: "2024-06-01T00:00:00Z" }
      const odd = ["a\0b", "a\0c", "a\ud800", "a\udc00", "a\\ud800", "a\\\\ud800", "\ud800\0", "a"]
      const put = (status: string, more: object = {}) => {
        for (const id of odd) {
          Lab.ok(TransferStore.insert(lab.store, { id, ...wire, external_id: id, status: `${status}${id}`, ...more }))
        }
      }
      put("waiting ")
      await Lab.sync(lab)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      const updated_at = new Date(lab.now).toISOString()
      for (const id of odd)
        Lab.ok(TransferStore.change(lab.store, id, { status: `done ${id}`, updated_at, [`x${id}`]: id, colour: id }))
      lab.now += 3_600_000
      const [report] = await Lab.sync(lab)
      expect(report).toMatchObject({ changed: odd.length, vanished: 0 })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.mirrored(lab, { asOf: Timestamp.fromDate(new Date(lab.now + 3_600_000)) })).toEqual(
        Lab.served(lab),
      )
      const colour = database.name === "SQLite" ? "json_extract(extra, '$.colour')" : "CAST(extra AS json) ->> 'colour'"
      const texts = odd.map((id) => ({ id: StoredText.escape(id), colour: StoredText.escape(id) }))
      const painted = await Lab.query(lab, `SELECT id, ${colour} AS colour FROM transfers WHERE extra IS NOT NULL`)
      expect(painted).toEqual(expect.arrayContaining(texts))
      for (const id of odd) {
        const [found] = await Lab.run(
          lab,
          Effect.flatMap(TransferMirror, ({ find }) => find(id)),
        )
        expect(found?.transfer.id).toBe(id)
        expect(found?.changes[0]?.changed["status"]).toEqual({ from: `waiting ${id}`, to: `done ${id}` })
        const page = await Lab.run(
          lab,
          Effect.flatMap(MirrorTransferApi.make({ partner_id: Lab.partner_id }), ({ search }) =>
            search({ external_id: id }),
          ),
        )
        expect(page.results.map((transfer) => transfer.id)).toEqual([id])
        const named = await Lab.run(
          lab,
          Effect.flatMap(MirrorTransferSource.make({ partner_id: Lab.partner_id }), ({ transfers }) =>
            Stream.runCollect(transfers({ external_id: id })),
          ),
        )
        expect(named.flatMap(({ results }) => results.map((transfer) => transfer.id))).toEqual([id])
      }
      const idsOf = (events: ReadonlyArray<TransferEvents.Positioned>) => events.map(({ event }) => event.transfer.id)
      const pending = (after?: TransferEvents.Positioned) => Lab.run(lab, TransferEvents.pending(Lab.partner_id, after))
      const events = await pending()
      expect(idsOf(events).toSorted()).toEqual(odd.toSorted())
      for (const [index, event] of events.entries()) {
        expect(idsOf(await pending(event))).toEqual(idsOf(events).slice(index + 1))
      }
      const summary = await Lab.run(lab, MirrorSummary.summarize({ partner_id: Lab.partner_id, by: ["status"] }))
      expect(summary?.summary.groups.map(({ key }) => key.status)).toEqual(
        expect.arrayContaining(odd.map((id) => `done ${id}`)),
      )
    })

    test("holds long ids and statuses, or names the transfer that it cannot hold", async () => {
      // Nothing shorter stands for it.
      const noise = (bytes: number) => randomBytes(bytes / 2).toString("hex")
      const wire = { kind: "cash_in", created_at: "2024-06-01T00:00:00Z" }
      const outcomes: Array<string> = []
      for (const [id, status] of [
        [noise(2000), noise(2000)],
        [noise(2002), "complete"],
        ["tr_1", noise(2002)],
      ] as const) {
        const lab = Lab.make(await database.fresh(), { count: 0 })
        Lab.ok(TransferStore.insert(lab.store, { id, status, ...wire }))
        outcomes.push(await Lab.sync(lab).then(() => "held", String))
        if (outcomes.at(-1) === "held") expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      }
      const long = (field: string) => expect.stringMatching(`transfer .{4,65} has the ${field} .{65}, and a mirror`)
      expect(outcomes).toEqual(
        database.name === "SQLite" ? Array(3).fill("held") : ["held", long("id"), long("status")],
      )
    })

    test("accepts amounts of any length if it has no sums, and then offers none", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const source_total = { amount: `${"9".repeat(60)}.${"1".repeat(60)}`, currency_code: "fiat/USD" }
      const wire = { id: "tr_long", kind: "cash_in", status: "complete", created_at: "2024-06-01T00:00:00Z" }
      Lab.ok(TransferStore.insert(lab.store, { ...wire, source_total }))
      await Lab.run(lab, MirrorSync.sync({ partner_id: Lab.partner_id }), { sums: false })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.query(lab, "SELECT source_total_amount AS amount FROM transfers")).toEqual([
        { amount: source_total.amount },
      ])
      await expect(Lab.query(lab, "SELECT * FROM daily_totals")).rejects.toThrow("daily_totals")
      const summary = MirrorSummary.summarize({ partner_id: Lab.partner_id, by: [] })
      expect(await Lab.run(lab, summary, { readOnly: true })).toBeUndefined()
    })

    test("gives pending events in the order of creation, again and again until they are delivered", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      await Lab.sync(lab)
      const wire = { kind: "cash_in", status: "executing" }
      for (const day of [3, 1, 2]) {
        Lab.ok(TransferStore.insert(lab.store, { id: `tr_${day}`, ...wire, created_at: `2024-12-31T23:30:0${day}Z` }))
      }
      await Lab.sync(lab)
      const pending = async (after?: TransferEvents.Positioned) =>
        Lab.run(lab, TransferEvents.pending(Lab.partner_id, after))
      const names = (events: ReadonlyArray<TransferEvents.Positioned>) =>
        events.map(({ event }) => `${event.event} ${event.transfer.id} ${event.transfer.status}`)
      const delivered = (...events: ReadonlyArray<TransferEvents.Positioned | undefined>) =>
        Lab.run(
          lab,
          TransferEvents.delivered(
            Lab.partner_id,
            events.flatMap((one) => (one === undefined ? [] : [one.change_id])),
          ),
        )
      const [first, second] = await pending()
      expect(names(await pending())).toEqual([1, 2, 3].map((day) => `created tr_${day} executing`))
      await delivered(second)
      Lab.ok(TransferStore.change(lab.store, "tr_1", { status: "complete" }))
      lab.now += 1000
      await Lab.sync(lab)
      const again = await pending()
      expect(names(again)).toEqual(["created tr_1 executing", "changed tr_1 complete", "created tr_3 executing"])
      expect(names(await pending(first))).toEqual(["changed tr_1 complete", "created tr_3 executing"])
      expect(names(await pending(again[1]))).toEqual(["created tr_3 executing"])
      await delivered(...again)
      expect(await pending()).toEqual([])
    })

    test("has the events of a transfer in the order of its changes, however its creation time moves", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const wire = { kind: "cash_in", status: "executing" }
      for (const [id, day] of [
        ["tr_a", 20],
        ["tr_b", 25],
        ["tr_c", 28],
      ]) {
        Lab.ok(
          TransferStore.insert(lab.store, { id, external_id: id, ...wire, created_at: `2024-12-${day}T00:00:00Z` }),
        )
      }
      const change = async (id: string, status: string, day?: number) => {
        const created_at = day === undefined ? {} : { created_at: `2024-12-${day}T00:00:00Z` }
        Lab.ok(TransferStore.change(lab.store, id, { status, ...created_at }))
        lab.now += 1000
        await Lab.sync(lab)
      }
      const pending = async (after?: TransferEvents.Positioned) =>
        Lab.run(lab, TransferEvents.pending(Lab.partner_id, after))
      const seen = (events: ReadonlyArray<TransferEvents.Positioned>) =>
        events.map(({ event: { transfer } }) => `${transfer.id} ${transfer.status}`)
      const deliver = (change_ids: ReadonlyArray<bigint>) =>
        Lab.run(lab, TransferEvents.delivered(Lab.partner_id, change_ids))
      await Lab.sync(lab)
      await deliver((await pending()).map(({ change_id }) => change_id))
      await change("tr_c", "approved")
      await change("tr_b", "approved")
      // Some are queued while later ones are not there yet, as in a pass whose command fails.
      expect(seen(await pending())).toEqual(["tr_b approved", "tr_c approved"])
      await change("tr_b", "executing", 24)
      await change("tr_b", "locked")
      await change("tr_a", "approved", 30)
      await pending()
      await change("tr_a", "locked")
      await change("tr_b", "complete", 29)
      const all = ["tr_a approved", "tr_a locked"]
        .concat(["approved", "executing", "locked", "complete"].map((status) => `tr_b ${status}`))
        .concat("tr_c approved")
      const events = await pending()
      expect(seen(events)).toEqual(all)
      for (const [index, event] of events.entries()) {
        expect(seen(await pending(event))).toEqual(all.slice(index + 1))
      }
      // As of one whose creation time has moved since.
      const { change_id } = events[2] ?? {}
      await Lab.query(
        lab,
        `UPDATE pending_deliveries SET created_ns = created_ns + 1 WHERE change_id = ${change_id}`,
        {},
      )
      expect(seen(await pending())).toEqual(all)
      const [first, ...others] = (await pending()).filter(({ id }) => id === "tr_b")
      await deliver([first?.change_id ?? 0n])
      expect(seen((await pending()).filter(({ id }) => id === "tr_b"))).toEqual(seen(others))
    })

    test("cannot be changed by who only reads", async () => {
      const lab = Lab.make(await database.fresh(), { count: 30 })
      await Lab.sync(lab)
      const asOf = Timestamp.fromDate(new Date(lab.now))
      for (const options of [{ readOnly: true }, { asOf }]) {
        for (const statement of [
          "DELETE FROM mirrored_transfers",
          "UPDATE sync_state SET value = ''",
          "DROP TABLE sync_runs",
        ]) {
          await expect(Lab.query(lab, statement, options)).rejects.toThrow(/read-?only/)
        }
      }
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("serves what the service serves, and keeps every law of the service", async () => {
      for (const count of [0, 1, 450]) {
        const lab = Lab.make(await database.fresh(), { count })
        await Lab.sync(lab)
        const report = await Lab.run(
          lab,
          Effect.flatMap(MirrorTransferApi.make({ partner_id: Lab.partner_id }), (api) =>
            Effect.provideService(Conformance.run(), TransferApi, api),
          ),
        )
        const violated = report.results.filter(({ outcome }) => outcome._tag === "Violated")
        expect(Conformance.print({ ...report, results: violated })).toBe(`0 laws on ${count} transfers`)
        const held = report.results.filter(({ outcome }) => outcome._tag === "Holds").length
        expect(held).toBeGreaterThanOrEqual(count === 0 ? 18 : report.results.length - 3)
      }
    })
  })
