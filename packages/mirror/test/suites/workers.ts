/** A first load that is spread over workers, on both databases. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { InvalidRequest, ServiceUnavailable, Unauthorized } from "@transferkit/domain/TransferApiError"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
import * as SyncWindows from "../../src/internal/SyncWindows.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorWorkers from "../../src/MirrorWorkers.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import * as WorkerStatus from "../../src/WorkerStatus.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab
const spread = MirrorSync.sync({ partner_id, workers: Effect.void })

const transfersIn = (run: Driver.Driver["run"]) =>
  Effect.map(
    run((sql) => sql<{ readonly transfers: bigint }>`SELECT COUNT(*) AS transfers FROM transfers`),
    ([row]) => Number(row?.transfers),
  )

/** A history of a year with 1,500 transfers within minutes, and one at either end. */
const withDenseHour = (address: string, from: string): Lab.Lab => {
  const lab = Lab.make(address, { count: 0 })
  const wire = { kind: "cash_in", status: "complete" }
  const at = (millis: number) => new Date(millis).toISOString()
  const times = Array.from({ length: 1500 }, (_, n) => at(Date.parse(from) + n * 2000))
  for (const [n, created_at] of [at(Date.UTC(2024, 0, 1)), ...times, at(Date.UTC(2024, 11, 31))].entries()) {
    Lab.ok(TransferStore.insert(lab.store, { ...wire, id: `tr_${n}`, created_at }))
  }
  return lab
}

/** How many milliseconds a filter of two bounds spans. */
const spanOf = ([from = "", until = ""]: ReadonlyArray<string>): number =>
  Date.parse(until.replace(/^lt:/, "")) - Date.parse(from.replace(/^gte:/, ""))

/** A load by one worker, which divides windows of so many transfers. */
const loadBy = (dense: number) => {
  const until = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")
  return MirrorWorkers.load(
    { partner_id, worker: "one", dense },
    { remaining: [{ lt: until }], until, run_id: 1n, workers: Effect.void, onProgress: () => Effect.void },
  )
}

export const workersSuite = (database: Database): void => {
  describe(`workers on ${database.name}`, { timeout: 120_000 }, () => {
    test("load what one process loads, in windows that are all done", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const [backfill, pass] = await Lab.run(lab, spread)
      expect(backfill).toMatchObject({ kind: "backfill", transfers: 1500, created: 0 })
      expect(pass).toMatchObject({ kind: "pass", created: 0, changed: 0, vanished: 0 })
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.query(lab, "SELECT DISTINCT state, remaining FROM sync_windows")).toEqual([
        { state: "done", remaining: SyncWindows.textOf({ remaining: [] }) },
      ])
      expect(await Lab.query(lab, "SELECT CAST(SUM(transfers) AS BIGINT) AS n FROM sync_windows")).toEqual([
        { n: 1500n },
      ])
      expect(await Lab.query(lab, "SELECT * FROM transfer_changes")).toEqual([])
    })

    test("load for partners whose ids have 300 characters", async () => {
      const lab = Lab.make(await database.fresh(), { count: 100 })
      // They differ in the last of them.
      for (const partner_id of ["a", "b"].map((last) => `${"ü".repeat(299)}${last}`)) {
        await Lab.run(lab, MirrorSync.sync({ partner_id, workers: Effect.void }))
        expect(await Lab.query(lab, `SELECT COUNT(*) AS n FROM transfers WHERE partner_id = '${partner_id}'`)).toEqual([
          { n: 100n },
        ])
      }
    })

    const divided = async (lab: Lab.Lab) =>
      (await Lab.query(lab, "SELECT window_id FROM sync_windows")).filter(
        ({ window_id }) => String(window_id).split(".").length > 2,
      )

    test("share the windows, and offer each other parts of a dense one if no other waits", async () => {
      const lab = withDenseHour(await database.fresh(), "2024-12-28T00:00:00Z")
      // Long enough for the helper to begin.
      lab.onSearch = () => new Promise((resolve) => setTimeout(resolve, 50))
      const helper = MirrorWorkers.work({ partner_id, worker: "helper", dense: 200 })
      await Lab.run(lab, Effect.raceFirst(loadBy(200), helper))
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      const windows = await Lab.query(lab, "SELECT worker, transfers FROM sync_windows")
      expect(windows.reduce((sum, { transfers }) => sum + Number(transfers), 0)).toBe(1502)
      expect(new Set(windows.map(({ worker }) => worker))).toEqual(new Set(["helper", "one"]))
      expect((await divided(lab)).length).toBeGreaterThan(2)
    })

    test("load what came when the first day was looked for, or fail", async () => {
      const lab = Lab.make(await database.fresh(), { count: 0 })
      for (let day = 1; day < 10; day++) {
        const wire = { id: `tr_${day}`, kind: "cash_in", status: "complete" }
        Lab.ok(TransferStore.insert(lab.store, { ...wire, created_at: `2024-09-0${day}T00:00:00Z` }))
      }
      // The service takes `gte` for `gt`.
      lab.lie = (page, { created_at = [] }) => ({
        ...page,
        results: page.results.filter((one) => !created_at.includes(`gte:${one.created_at.text}`)),
      })
      const error = await Lab.run(lab, Effect.flip(spread))
      expect(error.message).toMatch(/it sent the transfer "tr_1"/)
    })

    test("look for what came too early for a window, or for the one that it was a part of", async () => {
      const lab = Lab.make(await database.fresh(), { count: 10 })
      const at = Timestamp.parseUnsafe("2024-07-15T00:00:00Z")
      const strays = [{ id: "ghost", created_at: at }]
      await Lab.run(
        lab,
        Effect.gen(function* () {
          const parts = Checkpoint.split(
            SyncWindows.checkpointOf({ remaining: [{ gte: at, lt: Timestamp.plus(at, 9000) }], strays }),
            2,
          )
          yield* SyncWindows.add(
            parts.map((left, index) => ({ window_id: `1.${index}`, left })),
            { partner_id, run_id: 1n, at: "2025-01-01T00:00:00.000Z" },
          )
          yield* Driver.of(yield* TransferMirror).run((sql) => sql`UPDATE sync_windows SET state = 'failed'`)
        }),
      )
      const error = await Lab.run(lab, Effect.flip(loadBy(4000)))
      expect(error.message).toMatch(/^1 of 2 windows could not be read, .*"ghost"/)
    })

    test("hand on what came too early with the parts of a window that they divide", async () => {
      const lab = withDenseHour(await database.fresh(), "2024-12-28T00:00:00Z")
      // The service lists it once, and after that only within two minutes.
      let listed = 0
      lab.lie = (page, { created_at = [] }) => {
        const results = page.results.filter(({ id }) => id !== "tr_1496")
        if (results.length === page.results.length || spanOf(created_at) < 200_000) return page
        listed += 1
        return listed === 1 ? page : { ...page, results }
      }
      const error = await Lab.run(lab, Effect.flip(loadBy(200)))
      expect(error.message).toMatch(/"tr_1496"/)
      expect((await divided(lab)).length).toBeGreaterThan(2)
    })

    test("read a dense window to its end while others wait", async () => {
      const lab = withDenseHour(await database.fresh(), "2024-01-02T00:00:00Z")
      await Lab.run(lab, loadBy(200))
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await divided(lab)).toEqual([])
    })

    test("go on where an interrupted load was, whoever goes on", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1000 })
      let interrupted = 0
      for (let millis = 100; interrupted < 5; millis += 200) {
        const sync = MirrorSync.sync({ partner_id, workers: Effect.void, concurrency: 2 })
        const result = await Lab.run(lab, Effect.timeoutOption(sync, Duration.millis(millis)))
        interrupted++
        if (result._tag === "Some") break
      }
      await Lab.sync(lab)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.query(lab, "SELECT CAST(SUM(transfers) AS BIGINT) AS n FROM sync_windows")).toEqual([
        { n: 1000n },
      ])
      expect(await Lab.query(lab, "SELECT * FROM transfer_changes")).toEqual([])
    })

    test.each([
      [
        "state = 'waiting', remaining = 'no JSON'",
        /window_id "1\.7" has a remaining that cannot be read, because .*JSON/,
      ],
      [
        "state = 'waiting', remaining = '{}'",
        /window_id "1\.7" has a remaining that cannot be read, because the value at/,
      ],
      [
        "state = 'waiting', window_id = 'unknown'",
        /window_id "unknown" is in no item of sync_queue: set its state to 'failed'/,
      ],
      ["state = 'later'", /window_id "1\.7" has the state "later", which is none of waiting, running, done, failed/],
    ])("name the row that somebody edited: %s", async (edit, named) => {
      const lab = Lab.make(await database.fresh(), { count: 200 })
      lab.onSearch = () => (lab.searches > 25 ? new Promise(() => {}) : undefined)
      await Lab.run(lab, Effect.timeoutOption(spread, Duration.seconds(2)))
      lab.onSearch = () => undefined
      const change = `UPDATE sync_windows SET ${edit} WHERE window_id = '1.7'`
      await Lab.run(
        lab,
        Effect.flatMap(TransferMirror, (mirror) => Driver.of(mirror).run((sql) => sql.unsafe(change))),
      )
      const failure = await Lab.run(lab, Effect.flip(spread))
      expect(failure._tag).toBe("MirrorError")
      expect(failure.message).toMatch(named)
      expect(failure.message).toContain(`partner_id "${partner_id}"`)
    })

    test.each([
      "visible_at = '9999-01-01 00:00:00'",
      "acquired_at = '9999-01-01 00:00:00'",
      database.name === "SQLite" ? "visible_at = 'x'" : "visible_at = 'infinity'",
      database.name === "SQLite" ? "acquired_at = 'x'" : "acquired_at = 'infinity'",
    ])("name the item that no worker sees: %s", async (edit) => {
      const lab = Lab.make(await database.fresh(), { count: 200 })
      lab.onSearch = () => (lab.searches > 25 ? new Promise(() => {}) : undefined)
      await Lab.run(lab, Effect.timeoutOption(spread, Duration.seconds(2)))
      lab.onSearch = () => undefined
      const run = (text: string) =>
        Lab.run(
          lab,
          Effect.flatMap(TransferMirror, (mirror) => Driver.of(mirror).run((sql) => sql.unsafe(text))),
        )
      await run(`UPDATE sync_queue SET ${edit} WHERE state = 'pending'`)
      const failure = await Lab.run(lab, Effect.flip(spread))
      expect(failure._tag).toBe("MirrorError")
      expect(failure.message).toMatch(
        new RegExp(
          `row of sync_queue with queue_name "windows of ${partner_id}" and id "1\\.\\d+" has a visible_at or`,
        ),
      )
      // What the message advises.
      await run("UPDATE sync_queue SET visible_at = CURRENT_TIMESTAMP, acquired_at = NULL WHERE state = 'pending'")
      await Lab.run(lab, spread)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("write nothing for a window that another has claimed since", async () => {
      const lab = Lab.make(await database.fresh(), { count: 10 })
      const at = "2025-01-01T00:00:00.000Z"
      const claimed = (claim: string) => ({ partner_id, window_id: "1.1", claim })
      const outcome = await Lab.run(
        lab,
        Effect.gen(function* () {
          yield* SyncWindows.add([{ window_id: "1.1", left: { remaining: [{}] } }], { partner_id, run_id: 1n, at })
          const first = yield* SyncWindows.claim(claimed("a"), { worker: "a", at })
          const second = yield* SyncWindows.claim(claimed("b"), { worker: "b", at })
          const read = { left: { remaining: [] }, pages: 1, transfers: 10, at }
          const late = yield* SyncWindows.progress(claimed("a"), read)
          const inTime = yield* SyncWindows.progress(claimed("b"), read)
          const done = yield* SyncWindows.claim(claimed("c"), { worker: "c", at })
          return { attempts: [first?.attempts, second?.attempts], late, inTime, done }
        }),
      )
      expect(outcome).toEqual({ attempts: [1n, 2n], late: false, inTime: true, done: undefined })
    })

    test("read no further in a window that another has claimed since, and write nothing more of it", async () => {
      const lab = Lab.make(await database.fresh(), { count: 6000 })
      const [isHalfRead, isClaimed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      lab.onSearch = () => {
        if (lab.applied.flat().length < 1000) return undefined
        isHalfRead.resolve()
        return isClaimed.promise
      }
      const left = { remaining: [{}] }
      const read = await Lab.run(
        lab,
        Effect.gen(function* () {
          const { run } = Driver.of(yield* TransferMirror)
          yield* SyncWindows.add([{ window_id: "1.1", left }], {
            partner_id,
            run_id: 1n,
            at: "2025-01-01T00:00:00.000Z",
          })
          // A load takes up windows that have failed.
          yield* run((sql) => sql`UPDATE sync_windows SET state = 'failed'`)
          const load = yield* Effect.forkChild(
            MirrorWorkers.load(
              { partner_id, worker: "a", concurrency: 1, dense: Infinity },
              { ...left, run_id: 2n, until: Timestamp.latest, workers: Effect.void, onProgress: () => Effect.void },
            ),
          )
          yield* Effect.promise(() => isHalfRead.promise)
          yield* run((sql) => sql`UPDATE sync_windows SET claim = 'another'`)
          const before = { searches: lab.searches, transfers: yield* transfersIn(run) }
          isClaimed.resolve()
          // What is under way ends, and nothing begins.
          for (let last = 0; last !== lab.searches;) {
            last = lab.searches
            yield* Effect.sleep("1 second")
          }
          yield* Fiber.interrupt(load)
          return { before, after: { searches: lab.searches, transfers: yield* transfersIn(run) } }
        }),
      )
      expect(read.after.transfers).toBe(read.before.transfers)
      // An interval that was read ahead, of more than 200 pages that are left.
      expect(read.after.searches - read.before.searches).toBeLessThan(100)
    })

    test("fail with what the service said, keep the rest, and complete the load another time", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1000 })
      const june = CreatedAt.fromParams(["gte:2024-06-01T00:00:00Z", "lt:2024-07-01T00:00:00Z"], {
        lteToken: undefined,
      })
      const hasJune = (created_at: ReadonlyArray<string> | undefined): boolean => {
        const asked = CreatedAt.fromParams(created_at ?? [], { lteToken: undefined })
        const both = CreatedAt.and(Result.getOrThrow(asked), Result.getOrThrow(june))
        // Not the look at the start of the history.
        return !CreatedAt.isEmpty(both) && (created_at ?? []).length === 2
      }
      lab.failure = ({ created_at }) => (hasJune(created_at) ? new Unauthorized({ status: 401 }) : undefined)
      const failure = await Lab.run(lab, Effect.flip(spread))
      expect(failure).toMatchObject({ _tag: "WindowsFailed", windows: 33 })
      expect(failure.message).toMatch(/^[34] of 33 windows could not be read, the first because: The service rejected/)
      expect((await Lab.mirrored(lab)).size).toBeGreaterThan(700)
      lab.failure = () => undefined
      await Lab.sync(lab)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("repeat why the service rejected a window, whatever its words are", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      const message = "no \0 \ud800 \\ud800"
      lab.failure = ({ created_at = [] }) =>
        created_at.length === 2 ? new InvalidRequest({ status: 400, errors: [{ code: "odd", message }] }) : undefined
      const failure = await Lab.run(lab, Effect.flip(spread))
      expect(failure.message).toContain(message)
      const statuses = await Lab.run(lab, WorkerStatus.read())
      expect(statuses.map(({ error }) => error)).toEqual([expect.stringContaining(message)])
    })

    test.runIf(database.name === "SQLite")("end if nothing can be written any more, as one process does", async () => {
      const lab = Lab.make(await database.fresh(), { count: 3000 })
      const failure = await Lab.run(
        lab,
        Effect.flatMap(TransferMirror, (mirror) => {
          const unwritable = Driver.of(mirror).run((sql) => sql.unsafe("PRAGMA query_only = ON").raw)
          return Effect.flip(MirrorSync.sync({ partner_id, workers: Effect.orDie(unwritable) }))
        }),
      )
      expect(failure).toMatchObject({ _tag: "MirrorError", kind: "rejected", reason: expect.stringContaining("write") })
      // There is room in another process.
      await Lab.sync(lab)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("try a window again after a failure that may pass", async () => {
      const lab = Lab.make(await database.fresh(), { count: 500 })
      let failures = 2
      lab.failure = ({ created_at = [] }) =>
        created_at.length === 2 && failures-- > 0 ? new ServiceUnavailable({ status: 503, errors: [] }) : undefined
      await Lab.run(lab, spread)
      expect(failures).toBeLessThan(0)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })
  })
}
