/** How fresh a mirror is, as a number: how late transfers appear, how far passes look back, and what is read again. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as Lateness from "../../src/internal/Lateness.ts"
import * as LookBack from "../../src/internal/LookBack.ts"
import * as Rereading from "../../src/internal/Rereading.ts"
import * as MirrorLease from "../../src/MirrorLease.ts"
import * as MirrorStatus from "../../src/MirrorStatus.ts"
import type * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const second = 1000
const hour = 3_600_000
const day = 24 * hour

const insert = (lab: Lab.Lab, id: string, at: number, more = {}) =>
  Lab.ok(
    TransferStore.insert(lab.store, {
      id,
      kind: "cash_in",
      status: "complete",
      created_at: new Date(at).toISOString(),
      ...more,
    }),
  )

const status = async (lab: Lab.Lab) => {
  const [found] = await Lab.run(lab, MirrorStatus.read())
  if (found === undefined) throw new Error("no partner")
  return found
}

/** Syncs, and collects the subjects of its warnings. */
const warned = async (lab: Lab.Lab, options: Partial<MirrorSync.Options> = {}) => {
  const warnings: Array<string> = []
  await Lab.sync(lab, {
    ...options,
    onWarning: ({ about, message }) => Effect.sync(() => void warnings.push(`${about}: ${message}`)),
  })
  return warnings
}

const none: Lateness.Measured = { observed: 0, longest: 0n, p9999: 0n, missed: 0, longestMissed: 0n, ahead: 0n }
const seconds = (count: number) => BigInt(count) * 1_000_000_000n

/** A mirror that a pass has looked at a minute ago. */
const watched = async (database: Database, count = 0) => {
  const lab = Lab.make(await database.fresh(), { count })
  insert(lab, "first", lab.now - 10 * hour)
  await Lab.sync(lab)
  lab.now += 60 * second
  return lab
}

export const latenessSuite = (database: Database) =>
  describe(`the freshness of a mirror in ${database.name}`, () => {
    test("is how late transfers appeared, for certain: since when they were not there", async () => {
      const lab = await watched(database)
      const before = lab.now - 60 * second
      insert(lab, "prompt", lab.now - second)
      insert(lab, "late", before - 42 * second)
      await Lab.sync(lab)
      const found = await status(lab)
      expect(found).toMatchObject({ observed: 2, missed: 0, look_back: 3600, lease: undefined })
      expect(found.lateness_max).toBeGreaterThanOrEqual(42)
      expect(found.lateness_max).toBeLessThan(43)
      expect(MirrorStatus.describe(found)).toMatch(
        /^demo: complete until 2025-01-01T00:00:59Z; the latest of 2 appeared at least 42 s after its creation\. Each pass also reads the last 3,600 s again, for transfers that appear late\. 100 % re-verified within 30 days, the oldest part on 2025-01-01\.$/,
      )
      // What was there and has changed, vanished or come back says nothing of it.
      Lab.ok(TransferStore.change(lab.store, "late", { colour: "red" }))
      lab.now += 60 * second
      await Lab.sync(lab)
      expect(await status(lab)).toMatchObject({ observed: 2 })
      const own = Lab.run(lab, MirrorStatus.read().pipe(MirrorLease.holding([Lab.partner_id])))
      expect((await own)[0]?.lease?.holder).toMatch(/:\d+$/)
    })

    test("counts each transfer once, however often a pass is killed", async () => {
      const lab = await watched(database)
      for (let n = 0; n < 30; n++) insert(lab, `new-${n}`, lab.now - n * 60 * second)
      for (let kill = 1; kill < 4; kill++) {
        let steps = 0
        lab.onApply = () => {
          if (++steps === kill) throw new Error("killed")
        }
        await Lab.sync(lab).catch(() => {})
      }
      lab.onApply = () => {}
      await Lab.sync(lab)
      expect(await status(lab)).toMatchObject({ observed: 30 })
    })

    test("is forgotten after 30 days", async () => {
      const lab = await watched(database)
      insert(lab, "late", lab.now - 30 * 60 * second)
      await Lab.sync(lab)
      lab.now += 29 * day
      await Lab.sync(lab)
      expect(await status(lab)).toMatchObject({ observed: 1 })
      lab.now += 3 * day
      await Lab.sync(lab)
      expect(await status(lab)).toMatchObject({ observed: 0, lateness_max: 0 })
    })

    test("sets the look-back, once enough transfers were seen", async () => {
      const lab = await watched(database)
      const late = 50 * 60
      const rows = (count: number) =>
        `INSERT INTO transfer_lateness VALUES ('demo', '2025-01-01', 'observed', 12, ${count}, ${seconds(late)})`
      await Lab.query(lab, rows(9999), {})
      expect(await status(lab)).toMatchObject({ observed: 9999, look_back: 3600 })
      insert(lab, "a", lab.now - 13 * hour)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 0 }])
      await Lab.query(lab, "UPDATE transfer_lateness SET transfers = 10000", {})
      expect(await status(lab)).toMatchObject({ observed: 10_000, look_back: 4 * late })
      // The latest was created 10 hours ago.
      expect(await Lab.sync(lab)).toMatchObject([{ created: 1 }])
    })

    test.each(["pass", "first load"])(
      "is not that of what a %s did not ask for, whose number a warning says",
      async (run) => {
        const lab = Lab.make(await database.fresh(), { count: 300 })
        if (run === "pass") expect(await warned(lab)).toEqual([])
        const first = Lab.ok(Transfer.fromJson([...Lab.served(lab).values()][0] ?? ""))
        let sent = 0
        lab.lie = (page, { created_at = [] }) => {
          if (sent > 0 || CreatedAt.matches(Lab.ok(CreatedAt.fromParams(created_at)), first.created_at)) return page
          sent++
          return { ...page, results: [...page.results, first] }
        }
        lab.now += hour
        const warnings = await warned(lab, { rereads: 0 })
        expect(sent).toBe(1)
        expect(warnings).toEqual(["outside: the service sent 1 transfer outside the filters; they are left out"])
        expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      },
    )

    test("warns about a look-back that is too short, keeps it, and about clocks that cannot be right", async () => {
      const lab = await watched(database)
      insert(lab, "late", lab.now - 20 * 60 * second)
      expect(await warned(lab)).toEqual([])
      const lookBack = Duration.minutes(30)
      expect(await warned(lab, { lookBack })).toEqual([
        expect.stringMatching(
          /^look_back: --look-back 1800 is too short for this service: a transfer appeared at least 19m 0s after its creation\. .* at least 4560$/,
        ),
      ])
      expect(await warned(lab, { lookBack: Duration.hours(2) })).toEqual([])
      insert(lab, "ahead", lab.now + 300 * second)
      await Lab.sync(lab)
      expect(await warned(lab)).toEqual([
        expect.stringMatching(/^service_clock: the service dates transfers up to 4m \d+s after the mirror sees them/),
      ])
      await Lab.query(lab, "DELETE FROM transfer_lateness", {})
      lab.now -= 2 * hour
      expect(await warned(lab)).toEqual([
        expect.stringMatching(
          /^clock: the clock of (this machine|the database) is (1h 59m|2h 0m) behind the last instant of the mirror/,
        ),
      ])
      expect((await status(lab)).clock_behind_ms).toBeGreaterThan(hour)
    })

    test("looks back twice as far once something was missed, and says so", async () => {
      const lab = await watched(database)
      insert(lab, "missed", lab.now - 12 * hour)
      expect(await Lab.sync(lab)).toMatchObject([{ created: 0 }])
      expect(await Lab.verify(lab)).toMatchObject({ missed: [{ kind: "missing", id: "missed" }] })
      expect(await status(lab)).toMatchObject({ missed: 1, look_back: 7200 })
      lab.now += second
      expect(await warned(lab)).toEqual([
        expect.stringMatching(
          /^missed: 1 transfer appeared later than passes look back, at least 12h 0m after creation/,
        ),
      ])
    })
  })

export const rereadingSuite = (database: Database) =>
  describe(`the history of a mirror in ${database.name}`, () => {
    test("is read again within the budget, and a terminal transfer that changed is found", async () => {
      const lab = await watched(database, 400)
      for (const [id] of [...Lab.served(lab)].slice(0, 2)) {
        Lab.ok(TransferStore.change(lab.store, id, { status: "declined", colour: "red" }))
      }
      const searches = async (rereads: number) => {
        const before = lab.searches
        const [{ changed = 0 } = {}] = await Lab.sync(lab, { rereads })
        return { searches: lab.searches - before, changed }
      }
      const usual = await searches(0)
      expect(await searches(0)).toEqual(usual)
      let found = usual.changed
      // 20 transfers a request, 3 requests a pass, and an open one among them is not asked for twice.
      for (let pass = 0; pass < 7; pass++) {
        lab.now += day
        const one = await searches(3)
        expect(one.searches).toBeLessThanOrEqual(usual.searches + 6)
        found += one.changed
      }
      expect(found).toBe(2)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await status(lab)).toMatchObject({ missed: 0, verified_share: 1 })
    })

    test("is read again by default within 25 days, and its share of 30 days is known", async () => {
      const lab = await watched(database, 400)
      const [terminal = ""] = [...Lab.served(lab)].find(([, body]) => Lab.terminal(JSON.parse(body).status)) ?? []
      Lab.ok(TransferStore.change(lab.store, terminal, { colour: "red" }))
      expect(await Lab.sync(lab)).toMatchObject([{ changed: 0 }])
      let changed = 0
      for (let n = 0; n < 26; n++) {
        lab.now += day
        changed += (await Lab.sync(lab)).reduce((sum, one) => sum + one.changed, 0)
      }
      expect(changed).toBe(1)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect((await status(lab)).verified_share).toBe(1)
      lab.now += 29 * day
      await Lab.sync(lab, { rereads: 5 })
      const { verified_share = 1, oldest_verified_at = "" } = await status(lab)
      expect(verified_share).toBeGreaterThan(0.2)
      expect(verified_share).toBeLessThan(0.9)
      expect(oldest_verified_at < "2025-01-27").toBe(true)
    })

    test("is read again and dated by a right clock, after a sync whose clock was a year ahead", async () => {
      const lab = await watched(database, 400)
      await Lab.sync(lab)
      const right = lab.now
      lab.now = right + 365 * day
      await Lab.sync(lab, { rereads: 10 })
      await Lab.sync(lab, { rereads: 10 })
      lab.now = right + second
      // It is not known when the part was read that this sync has read.
      const unknown = await status(lab)
      expect(unknown.verified_share).toBeLessThan(0.8)
      expect(unknown.oldest_verified_at).toBeUndefined()
      expect(MirrorStatus.describe(unknown)).toMatch(/ % re-verified within 30 days\.( Its clock|$)/)
      await Lab.sync(lab)
      const [terminal = ""] = [...Lab.served(lab)].find(([, body]) => Lab.terminal(JSON.parse(body).status)) ?? []
      Lab.ok(TransferStore.change(lab.store, terminal, { colour: "red" }))
      let changed = 0
      for (let n = 0; n < 26; n++) {
        lab.now += day
        changed += (await Lab.sync(lab)).reduce((sum, one) => sum + one.changed, 0)
        expect((await status(lab)).oldest_verified_at ?? "").not.toMatch(/^202[67]/)
      }
      expect(changed).toBe(1)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      const found = await status(lab)
      expect(found.verified_share).toBe(1)
      expect(Date.parse(found.oldest_verified_at ?? "")).toBeLessThan(lab.now)
      // The instants of the wrong clock have passed: nothing of them is left.
      lab.now = right + 366 * day
      expect((await status(lab)).verified_share).toBeLessThan(0.2)
    })

    test("counts a transfer that appears in it as missed, and stops at what cannot have vanished", async () => {
      const lab = await watched(database, 400)
      insert(lab, "very-late", Date.parse("2024-02-01T00:00:00Z"))
      lab.now += day
      expect(await Lab.sync(lab, { rereads: 50 })).toMatchObject([{ created: 1 }])
      expect(await status(lab)).toMatchObject({ missed: 1 })
      lab.lie = (page) => ({
        ...page,
        results: page.results.filter(({ id }) => id.charCodeAt(id.length - 1) % 2 === 0),
      })
      lab.now += day
      await expect(Lab.sync(lab, { rereads: 50 })).rejects.toMatchObject({ kind: "brake" })
      expect(await Lab.query(lab, "SELECT * FROM vanished_transfers")).toEqual([])
      // What was not believed is read again.
      lab.lie = (page) => page
      expect(await Lab.sync(lab, { rereads: 50 })).toMatchObject([{ created: 0, vanished: 0 }])
    })
  })

export const verificationSuite = (database: Database) =>
  describe(`a verification of a mirror in ${database.name}`, () => {
    test("counts what passes had missed, and not what has changed since the last of them", async () => {
      const lab = await watched(database, 0)
      const [old, before] = [lab.now - 40 * hour, new Date(lab.now - 60 * second).toISOString()]
      for (const id of ["kept", "reversed", "gone"]) insert(lab, id, old)
      for (const id of ["open", "open-missed", "open-gone"]) insert(lab, id, old, { status: "executing" })
      expect(await Lab.verify(lab)).toMatchObject({ created: 6, missed: { length: 6 } })
      await Lab.sync(lab)
      lab.now += 60 * second
      const since = new Date(lab.now).toISOString()
      // Since the last pass.
      insert(lab, "recent", lab.now - second)
      Lab.ok(TransferStore.change(lab.store, "open", { status: "complete", updated_at: since }))
      Lab.ok(TransferStore.remove(lab.store, "open-gone"))
      lab.now += second
      expect(await Lab.verify(lab)).toMatchObject({ created: 1, changed: 1, vanished: 1, missed: [] })
      // Passes do not look at these, or should have seen them.
      Lab.ok(TransferStore.change(lab.store, "reversed", { status: "declined", updated_at: since }))
      Lab.ok(TransferStore.change(lab.store, "open-missed", { status: "complete", updated_at: before }))
      Lab.ok(TransferStore.remove(lab.store, "gone"))
      insert(lab, "late", old)
      const { missed = [], ...counts } = await Lab.verify(lab)
      expect(counts).toMatchObject({ created: 1, changed: 2, vanished: 1 })
      expect(missed.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual([
        "different open-missed",
        "different reversed",
        "missing late",
        "vanished gone",
      ])
      expect(await Lab.verify(lab)).toMatchObject({ created: 0, changed: 0, vanished: 0, missed: [] })
    })
  })

/** What needs no database. */
export const decisionSuite = () =>
  describe("a look-back", () => {
    const decided = (measured: Partial<Lateness.Measured>, given?: Duration.Duration) =>
      Duration.toSeconds(LookBack.decide({ ...none, ...measured }, given).lookBack)

    test("is an hour, or four times the latest of enough, twice that if one was missed, and at most a week", () => {
      expect(decided({})).toBe(3600)
      expect(decided({ observed: 9999, longest: seconds(3000) })).toBe(3600)
      expect(decided({ observed: 10_000, longest: seconds(900) })).toBe(3600)
      expect(decided({ observed: 10_000, longest: seconds(901) })).toBe(3604)
      expect(decided({ observed: 10_000, longest: seconds(901), missed: 1 })).toBe(7208)
      expect(decided({ missed: 1 })).toBe(7200)
      expect(decided({ observed: 10_000, longest: seconds(200_000) })).toBe(604_800)
      expect(decided({ observed: 10_000, longest: seconds(3000), missed: 1 }, Duration.seconds(60))).toBe(60)
    })

    test("counts in powers of two seconds", () => {
      const buckets = [0, 0.9, 1, 1.5, 2, 3.9, 4, 524_287, 524_288, 1e9].map((one) => BigInt(one * 1e9))
      expect(buckets.map(Lateness.bucketOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 19, 20, 20])
    })

    test("leaves parts of the history with the day on which each was read", () => {
      const parts = [
        { until: 100n, at: "2024-09-01T10:00:00Z" },
        { until: 200n, at: "2024-09-02T10:00:00Z" },
      ]
      const texts = (from: bigint, until: bigint, at: string) =>
        Rereading.renewed(parts, { from, until, at }).map((part) => `${part.until} ${part.at.slice(8, 13)}`)
      expect(texts(-(2n ** 63n), 50n, "2024-09-03T10:00:00Z")).toEqual(["50 03T10", "100 01T10", "200 02T10"])
      expect(texts(50n, 150n, "2024-09-03T10:00:00Z")).toEqual(["50 01T10", "150 03T10", "200 02T10"])
      expect(texts(100n, 200n, "2024-09-03T10:00:00Z")).toEqual(["100 01T10", "200 03T10"])
      // Of one day, and as old as its oldest.
      expect(texts(100n, 150n, "2024-09-02T20:00:00Z")).toEqual(["100 01T10", "200 02T10"])
    })
  })
