/** What a sync promises when the clock of its machine is wrong, on any database. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as SyncTables from "../../src/internal/SyncTables.ts"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import * as MirrorStatus from "../../src/MirrorStatus.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const hour = 3_600_000
const day = 24 * hour

const at = (millis: number) => Timestamp.fromDate(new Date(millis))

const cutOff = (lab: Lab.Lab) => () =>
  lab.searches > 30 ? new ServiceUnavailable({ status: 503, errors: [] }) : undefined

/** A transfer is created in the service, by a clock that is right. */
const create = (lab: Lab.Lab, id: string, at: number) =>
  Lab.ok(
    TransferStore.insert(lab.store, {
      id,
      kind: "cash_in",
      status: "complete",
      created_at: new Date(at).toISOString(),
    }),
  )

export const clockSuite = (database: Database) =>
  describe(`a sync to ${database.name} by a clock that is wrong`, () => {
    test.each([
      ["a day and a second", day + 1000],
      ["two years", 730 * day],
    ])("finds what was created since the clock was set back by %s, in each pass", async (_, back) => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      const began = lab.now
      await Lab.sync(lab)
      lab.now -= back
      // The last time after days in which nothing happened.
      for (const [index, later] of [1000, 2 * hour, 30 * day].entries()) {
        lab.now = began + later - back
        create(lab, `new-${index}`, began + later)
        expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 1, changed: 0, vanished: 0 }])
      }
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("finds what a verification would have missed because the clock was set back", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      create(lab, "new", lab.now + 1000)
      lab.now -= 2 * day
      const report = await Lab.run(lab, MirrorSync.verify({ partner_id: Lab.partner_id }))
      expect(report).toMatchObject({ created: 1, transfers: 301 })
    })

    test("never says less than it did: its watermark does not go back to a transfer that is found later", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const watermark = () => Lab.run(lab, SyncTables.watermark(Lab.partner_id))
      await Lab.sync(lab)
      const before = await watermark()
      expect(before).toBeGreaterThan(BigInt(lab.now - hour) * 1_000_000n)
      create(lab, "one", lab.now - hour)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 1 }])
      expect(await watermark()).toBe(before)
    })

    test("looks back to the very second: a transfer that appears an hour late is found, and half a second within it", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      create(lab, "latest", lab.now - 1000)
      await Lab.sync(lab)
      create(lab, "late", lab.now - 1000 - hour)
      create(lab, "half", lab.now - 1000 - hour + 500)
      expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 2 }])
    })

    test("loads a whole history by a clock that has stopped before it began", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      lab.now = 0
      const [load, pass] = await Lab.sync(lab)
      expect([load?.transfers, pass?.created]).toEqual([0, 300])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("loses nothing after a clock that was ahead is corrected, though the mirror was still empty", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      lab.now += 3 * day
      await Lab.sync(lab)
      lab.now -= 3 * day
      create(lab, "new", lab.now + 1000)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 1 }])
    })

    test("loses nothing after a clock that was ahead is corrected, though a transfer has a date to come", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      create(lab, "early", lab.now - hour)
      create(lab, "to-come", lab.now + 365 * day)
      lab.now += 3 * day
      const [, pass] = await Lab.sync(lab)
      expect(pass?.watermark).toEqual(Timestamp.fromDate(new Date(lab.now - 3 * day - hour)))
      lab.now -= 3 * day
      create(lab, "new", lab.now + 1000)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 1 }])
      expect([...(await Lab.mirrored(lab)).keys()]).toEqual(["early", "new", "to-come"])
    })

    test("loses nothing after a clock that was ahead is corrected, though a date to come is within its error", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      create(lab, "early", lab.now - hour)
      lab.now += 40 * day
      await Lab.sync(lab)
      lab.now -= 40 * day
      create(lab, "to-come", lab.now + 20 * day)
      await Lab.sync(lab)
      create(lab, "new", lab.now + 1000)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 1 }])
    })

    const kept = async (lab: Lab.Lab) => [...(await Lab.mirrored(lab)).keys()].sort()

    test.each([
      ["a load", []],
      ["a pass after a good one", [0]],
      ["passes, one after the other", [0, 2 * hour, 2 * hour + 1000]],
      ["a load and passes", [2 * hour, 2 * hour + 1000]],
    ])(
      "reads again what %s by a clock that was ahead cannot have read, in the error of which a date to come is",
      async (_, earlier) => {
        const lab = Lab.make(await database.fresh(), { count: 0 })
        const right = lab.now
        create(lab, "old", right - 2 * day)
        create(lab, "to-come", right + 2 * hour + 1000)
        for (const by of [...earlier, 3 * hour]) {
          lab.now = right + by
          await Lab.sync(lab)
        }
        lab.now = right + 1000
        await Lab.sync(lab)
        // Each before the latest that is known, by more than a pass looks back.
        for (const minutes of [1, 2, 3]) {
          create(lab, `new-${minutes}`, right + minutes * 60_000 - 1000)
          lab.now = right + minutes * 60_000
          expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 1 }])
        }
        expect(await kept(lab)).toEqual(["new-1", "new-2", "new-3", "old", "to-come"])
      },
    )

    test("reads what was created between two good passes, days apart, whatever one between them has read", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const right = lab.now
      create(lab, "old", right - 2 * day)
      await Lab.sync(lab)
      create(lab, "to-come", right + 30 * day)
      lab.now = right + 40 * day
      await Lab.sync(lab)
      create(lab, "between", right + day)
      lab.now = right + 5 * day
      expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 1 }])
      expect(await kept(lab)).toEqual(["between", "old", "to-come"])
      expect((await Lab.run(lab, MirrorStatus.read()))[0]?.complete_until).toBe(at(right + day).text)
    })

    test("reads everything after a load by a clock that was ahead, though a date to come has passed since", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const right = lab.now
      create(lab, "old", right - 2 * day)
      create(lab, "to-come", right + 2 * hour)
      lab.now = right + 3 * hour
      await Lab.sync(lab)
      create(lab, "new", right + hour / 2)
      lab.now = right + 2.5 * hour
      expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 1 }])
    })

    test("reads what a load by a clock that was ahead has left, and what was created since", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const right = lab.now
      create(lab, "to-come", right + 20 * day)
      lab.now = right + 40 * day
      lab.failure = cutOff(lab)
      await Lab.run(lab, Effect.exit(MirrorSync.sync({ partner_id: Lab.partner_id })))
      lab.failure = () => undefined
      lab.now = right + day
      create(lab, "new", lab.now - hour)
      await Lab.sync(lab)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("reads no more than its look-back in each pass by a right clock, though a service dates transfers ahead", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      create(lab, "to-come", lab.now + 20 * day)
      await Lab.sync(lab)
      await Lab.sync(lab)
      const open = (await Lab.sync(lab))[0]?.pages ?? 0
      for (const step of [1, 2, 3]) {
        lab.now += hour
        create(lab, `new-${step}`, lab.now - 60_000)
        const [pass] = await Lab.sync(lab, { rereads: 0 })
        expect(pass?.created).toBe(1)
        expect(pass?.pages).toBeLessThanOrEqual(open + 1)
      }
    })

    test("says of an empty mirror that it is complete until the last pass by a clock that is right", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      lab.now += 40 * day
      await Lab.sync(lab)
      lab.now -= 39 * day
      await Lab.sync(lab)
      const [status] = await Lab.run(lab, MirrorStatus.read())
      expect(status?.complete_until).toBe(at(lab.now).text)
    })

    test("claims nothing of what it cannot have read after a clock that was ahead is corrected", async () => {
      const lab = Lab.make(await database.fresh(), { count: 50 })
      const coverage = () => Lab.run(lab, MirrorCoverage.read({ partner_id: Lab.partner_id }))
      const until = async () => Date.parse((await coverage()).as_of.text)
      const right = lab.now
      await Lab.sync(lab)
      expect(await until()).toBe(right)
      lab.now = right + 40 * day
      await Lab.sync(lab)
      // The clock is set right: what the last pass has read is not known, but what the one before has read is.
      lab.now = right + 5 * day
      expect(await until()).toBe(right)
      expect(Coverage.answer(await coverage(), { period: CreatedAt.lt(at(lab.now)), only: {} }, at(lab.now))._tag).toBe(
        "Partial",
      )
      await Lab.sync(lab)
      expect(await until()).toBe(right + 5 * day)
      // Days pass, and the instants of the wrong clock are in the past.
      lab.now = right + 60 * day
      expect(await until()).toBe(right + 5 * day)
      create(lab, "unread", right + 20 * day)
      expect(CreatedAt.matches(Coverage.held(await coverage()), at(right + 20 * day))).toBe(false)
      expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", created: 1 }])
      expect(await until()).toBe(right + 60 * day)
    })

    test.each([
      ["a load", () => Effect.void],
      ["a load that was cut off", (lab: Lab.Lab) => Effect.sync(() => (lab.failure = cutOff(lab)))],
    ])("claims nothing by %s alone whose clock was ahead, until the next sync", async (_, before) => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const right = lab.now
      const coverage = () => Lab.run(lab, MirrorCoverage.read({ partner_id: Lab.partner_id }))
      lab.now = right + 40 * day
      await Effect.runPromise(before(lab))
      await Lab.run(lab, Effect.exit(MirrorSync.sync({ partner_id: Lab.partner_id })))
      lab.now = right + day
      expect(CreatedAt.isEmpty(Coverage.held(await coverage()))).toBe(true)
      expect((await coverage()).as_of).toEqual(at(lab.now))
      expect((await Lab.run(lab, MirrorStatus.read()))[0]?.complete_until).toBeUndefined()
      lab.failure = () => undefined
      await Lab.sync(lab)
      expect(CreatedAt.equals(Coverage.held(await coverage()), CreatedAt.lte(at(lab.now)))).toBe(true)
    })

    test("claims what a clock has said that is some seconds ahead, but nothing after now", async () => {
      const lab = Lab.make(await database.fresh(), { count: 50 })
      await Lab.sync(lab)
      lab.now -= 20_000
      const { as_of } = await Lab.run(lab, MirrorCoverage.read({ partner_id: Lab.partner_id }))
      expect(as_of).toEqual(at(lab.now))
    })

    test("is not late by a clock that was ahead: a transfer that the next pass finds has just been created", async () => {
      const lab = Lab.make(await database.fresh(), { count: 50 })
      await Lab.sync(lab)
      lab.now += 40 * day
      await Lab.sync(lab)
      lab.now -= 39 * day
      await Lab.sync(lab)
      create(lab, "new", lab.now + hour)
      lab.now += 2 * hour
      await Lab.sync(lab)
      const [status] = await Lab.run(lab, MirrorStatus.read())
      expect(status?.lateness_max).toBe(0)
    })

    test("keeps the history in order, by two hours or years, and --as-of with it", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      create(lab, "one", lab.now - 1000)
      await Lab.sync(lab)
      let status = 0
      for (const jump of [hour, -3 * hour, 365 * day, -366 * day, 5 * hour, 1]) {
        lab.now += jump
        Lab.ok(TransferStore.change(lab.store, "one", { colour: `c${status++}` }))
        expect(await Lab.verify(lab)).toMatchObject({ changed: 1, vanished: 0 })
      }
      const rows = await Lab.query(lab, "SELECT since_at, seen_at FROM transfer_changes ORDER BY change_id")
      expect(rows).toHaveLength(6)
      for (const [index, { since_at, seen_at }] of rows.entries()) {
        expect(String(since_at) < String(seen_at)).toBe(true)
        if (index > 0) expect(since_at).toBe(rows[index - 1]?.["seen_at"])
      }
      for (const { since_at } of rows) {
        const asOf = Timestamp.parseUnsafe(String(since_at))
        expect((await Lab.mirrored(lab, { asOf })).size).toBe(1)
      }
    })

    test("has a table that rejects a history that runs backwards", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      const columns = "partner_id, id, run_id, event, changed, created_ns, created_day, was_open, first_seen_at"
      const row = (since: string) =>
        Lab.query(
          lab,
          `INSERT INTO transfer_changes (${columns}, since_at, seen_at) VALUES ('demo', 'one', 1, 'changed', '{}', 0, '1970-01-01', 1, 'a', '${since}', '2025-01-01T00:00:00.000Z')`,
          {},
        )
      await row("2024-12-31T23:59:59.999Z")
      await expect(row("2025-01-01T00:00:00.000Z")).rejects.toThrow(/CHECK|check constraint/)
    })
  })
