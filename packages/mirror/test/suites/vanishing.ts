/** What a mirror believes of a service that does not return what it has: the smallest lie must not erase anything. */
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Ref from "effect/Ref"
import { describe, expect, test } from "vitest"
import * as TransferEvents from "../../src/TransferEvents.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const day = 86_400_000

const openOf = (lab: Lab.Lab): ReadonlyArray<{ readonly id: string; readonly created_at: string }> =>
  [...Lab.served(lab).values()].map((body) => JSON.parse(body)).filter(({ status }) => !Lab.terminal(status))

/** The transfers whose rows say that they vanished. */
const vanished = async (lab: Lab.Lab) =>
  (await Lab.query(lab, "SELECT id FROM vanished_transfers ORDER BY id")).map(({ id }) => id)

const events = async (lab: Lab.Lab, id: string) =>
  (await Lab.query(lab, `SELECT event FROM transfer_changes WHERE id = '${id}' ORDER BY change_id`)).map(
    ({ event }) => event,
  )

/** A service that has everything and returns only some. */
const hide = (lab: Lab.Lab, isHidden: (id: string) => boolean) => {
  lab.lie = (page) => ({ ...page, results: page.results.filter(({ id }) => !isHidden(id)) })
}

/** As many open transfers as it takes, each in a second of its own. */
const withOpen = async (database: Database, count: number) => {
  const lab = Lab.make(await database.fresh(), { count: 300 })
  for (let index = 0; index < count; index++) {
    const created_at = new Date(Date.parse("2024-03-01T00:00:00Z") + index * 60_000).toISOString()
    const wire = {
      id: `open-${index}`,
      external_id: `order-${index}`,
      kind: "cash_in",
      status: "executing",
      created_at,
    }
    Lab.ok(TransferStore.insert(lab.store, wire))
  }
  await Lab.sync(lab)
  lab.now += 60_000
  return lab
}

export const vanishingSuite = (database: Database) =>
  describe(`transfers that vanish from a mirror in ${database.name}`, () => {
    test("are not believed if a pass finds nothing at all, and nothing is lost by it", async () => {
      const lab = await withOpen(database, 30)
      const open = openOf(lab).length
      hide(lab, () => true)
      const before = await Lab.query(lab, "SELECT value FROM sync_state WHERE name = 'watermark'")
      await expect(Lab.sync(lab)).rejects.toMatchObject({
        _tag: "MirrorError",
        kind: "brake",
        message: expect.stringMatching(
          /the service did not return (\d+) of \1 transfers that the mirror has. Nothing was marked as vanished/,
        ),
      })
      expect(await vanished(lab)).toEqual([])
      expect(await Lab.query(lab, "SELECT * FROM transfer_changes")).toEqual([])
      expect(await Lab.query(lab, "SELECT value FROM sync_state WHERE name = 'watermark'")).toEqual(before)
      expect(await Lab.query(lab, "SELECT outcome FROM sync_runs ORDER BY run_id DESC LIMIT 1")).toEqual([
        { outcome: "incomplete" },
      ])
      expect(await Lab.run(lab, TransferEvents.pending(Lab.partner_id))).toEqual([])
      lab.lie = (page) => page
      for (const { id } of openOf(lab)) Lab.ok(TransferStore.change(lab.store, id, { status: "complete" }))
      expect(await Lab.sync(lab)).toMatchObject([{ changed: open, vanished: 0, created: 0 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("are believed up to 20 of them, not one more, and more if the user allows it", async () => {
      const lab = await withOpen(database, 40)
      const hidden = (count: number) => hide(lab, (id) => Number(/^open-(\d+)$/.exec(id)?.[1] ?? 99) < count)
      hidden(21)
      await expect(Lab.sync(lab)).rejects.toMatchObject({ kind: "brake", message: expect.stringContaining(" 21 of ") })
      await expect(Lab.sync(lab, { allowVanished: Ref.makeUnsafe(20) })).rejects.toMatchObject({ kind: "brake" })
      expect(await vanished(lab)).toEqual([])
      hidden(20)
      expect(await Lab.sync(lab)).toMatchObject([{ vanished: 20 }])
      expect(await vanished(lab)).toHaveLength(20)
      hidden(40)
      lab.now += 60_000
      await expect(Lab.verify(lab, { allowVanished: Ref.makeUnsafe(0) })).resolves.toMatchObject({ vanished: 20 })
      lab.lie = (page) => page
      lab.now += 60_000
      expect(await Lab.sync(lab)).toMatchObject([{ created: 40, vanished: 0 }])
      hidden(30)
      lab.now += 60_000
      expect(await Lab.sync(lab, { allowVanished: Ref.makeUnsafe(30) })).toMatchObject([{ vanished: 30 }])
    })

    test("are those that the first reading lacked, though the second returns nothing", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      for (let index = 0; index < 40; index++) {
        const wire = { id: `open-${index}`, external_id: `order-${index}`, kind: "cash_in", status: "executing" }
        Lab.ok(TransferStore.insert(lab.store, { ...wire, created_at: "2024-03-01T00:00:00Z" }))
      }
      await Lab.sync(lab)
      lab.now += 60_000
      let readings = 0
      lab.lie = (page) => {
        const isOpen = ({ id }: { readonly id: string }) => id.startsWith("open-")
        if (!page.results.some(isOpen)) return page
        // The first reading ends with the page that has the last of them.
        const isSecond = readings >= 40
        readings += page.results.filter(isOpen).length
        return { ...page, results: isSecond ? [] : page.results.filter(({ id }) => id !== "open-7") }
      }
      expect(await Lab.sync(lab)).toMatchObject([{ vanished: 1 }])
      expect(readings).toBeGreaterThan(40)
      expect(await vanished(lab)).toEqual(["open-7"])
    })

    test("are believed once if the user allows it, by the run that needs it", async () => {
      const lab = await withOpen(database, 90)
      const gone = (count: number) => hide(lab, (id) => Number(/^open-(\d+)$/.exec(id)?.[1] ?? 99) < count)
      const allowVanished = Ref.makeUnsafe(40)
      const next = (count: number) => {
        gone(count)
        lab.now += 60_000
        return Lab.sync(lab, { allowVanished })
      }
      // Up to 20 need nothing.
      expect(await next(5)).toMatchObject([{ vanished: 5 }])
      await expect(next(46)).rejects.toMatchObject({ kind: "brake", message: expect.stringContaining(" 41 of ") })
      expect(await next(45)).toMatchObject([{ vanished: 40 }])
      await expect(next(85)).rejects.toMatchObject({ kind: "brake", message: expect.stringContaining(" 40 of ") })
      await expect(Lab.verify(lab, { allowVanished })).rejects.toMatchObject({ kind: "brake" })
      expect(await vanished(lab)).toHaveLength(45)
    })

    test("are not believed by a verification either, if there are too many", async () => {
      const lab = await withOpen(database, 0)
      hide(lab, (id) => id.charCodeAt(id.length - 1) % 2 === 0)
      await expect(Lab.verify(lab)).rejects.toMatchObject({ kind: "brake" })
      expect(await vanished(lab)).toEqual([])
    })

    test("are asked for again for 30 days, whatever their status, and come back once", async () => {
      const lab = await withOpen(database, 3)
      const [terminal = "", body = ""] =
        [...Lab.served(lab)].find(([, json]) => Lab.terminal(JSON.parse(json).status)) ?? []
      Lab.ok(TransferStore.remove(lab.store, terminal))
      hide(lab, (id) => id === "open-0")
      expect(await Lab.verify(lab)).toMatchObject({ vanished: 2 })
      const searches = async () => {
        const before = lab.searches
        await Lab.sync(lab)
        return lab.searches - before
      }
      lab.now += 29 * day
      await searches()
      expect(await events(lab, "open-0")).toEqual(["vanished"])
      lab.lie = (page) => page
      Lab.ok(TransferStore.insertJson(lab.store, body))
      const asked = await searches()
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await events(lab, terminal)).toEqual(["vanished", "reappeared"])
      expect(await events(lab, "open-0")).toEqual(["vanished", "reappeared"])
      // The terminal one is not asked for any more.
      expect(await searches()).toBe(asked - 1)
    })

    test("are not asked for again after 30 days", async () => {
      const lab = await withOpen(database, 3)
      hide(lab, (id) => id === "open-0")
      expect(await Lab.sync(lab)).toMatchObject([{ vanished: 1 }])
      lab.now += 31 * day
      const before = lab.searches
      await Lab.sync(lab, { rereads: 0 })
      const asked = lab.searches - before
      lab.lie = (page) => page
      await Lab.sync(lab, { rereads: 0 })
      expect(await events(lab, "open-0")).toEqual(["vanished"])
      expect(lab.searches - before).toBe(2 * asked)
    })

    test("have only moved if the service has them at another time", async () => {
      const lab = await withOpen(database, 3)
      const moved = { ...JSON.parse(Lab.served(lab).get("open-1") ?? ""), created_at: "2024-04-02T03:04:05Z" }
      Lab.ok(TransferStore.remove(lab.store, "open-1"))
      Lab.ok(TransferStore.insert(lab.store, moved))
      expect(await Lab.sync(lab)).toMatchObject([{ changed: 1, vanished: 0, created: 0 }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await events(lab, "open-1")).toEqual(["changed"])
      const [row] = await Lab.query(lab, "SELECT created_day FROM transfers WHERE id = 'open-1'")
      expect(row).toEqual({ created_day: "2024-04-02" })
    })
  })
