/** One sync at a time, and an older response never wins: whatever happens to locks, connections and clocks. */
import { execFileSync } from "node:child_process"
import { copyFile, link, rename, rm, symlink } from "node:fs/promises"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
import * as SyncTables from "../../src/internal/SyncTables.ts"
import * as MirrorLease from "../../src/MirrorLease.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as TransferEvents from "../../src/TransferEvents.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab

/** What another process does that takes the lease without asking, as after its expiry. */
const takeOver = (lab: Lab.Lab) =>
  Lab.run(
    lab,
    Effect.flatMap(TransferMirror, (mirror) =>
      Driver.of(mirror).run((sql) => sql`UPDATE sync_leases SET token = token + 1, holder = 'other'`),
    ),
  )

const history = (lab: Lab.Lab) =>
  Lab.query(lab, "SELECT event, previous_status, status, since_at, seen_at FROM transfer_changes ORDER BY change_id")

export const leaseSuite = (database: Database) =>
  describe(`the lease of a mirror in ${database.name}`, () => {
    const synced = async () => {
      const lab = Lab.make(await database.fresh(), { count: 100 })
      const created_at = "2024-12-31T23:50:00Z"
      Lab.ok(TransferStore.insert(lab.store, { id: "one", kind: "cash_in", status: "executing", created_at }))
      await Lab.sync(lab)
      lab.now += 60_000
      return lab
    }

    test("keeps a second sync out until the first ends, and names its holder", async () => {
      const lab = await synced()
      const [second, own] = await Lab.run(
        lab,
        Effect.gen(function* () {
          const other = yield* Effect.promise(() => Lab.run(lab, Effect.result(MirrorSync.sync({ partner_id }))))
          return [other, yield* MirrorSync.sync({ partner_id })] as const
        }).pipe(MirrorLease.holding([partner_id])),
      )
      expect(Result.isFailure(second) && second.failure).toMatchObject({
        kind: "busy",
        message: expect.stringMatching(/:\d+ is syncing demo\. Wait for it to end, or pass --wait\.$/),
      })
      expect(own).toHaveLength(1)
      expect(await Lab.sync(lab)).toHaveLength(1)
    })

    test("is one of a partner: another one may be synced at the same time", async () => {
      const lab = await synced()
      const other = Lab.make(lab.address, { count: 0 })
      const sync = Effect.promise(() => Lab.run(other, MirrorSync.sync({ partner_id: "other" })))
      expect(await Lab.run(lab, sync.pipe(MirrorLease.holding([partner_id])))).toHaveLength(2)
    })

    test("is waited for, if that is asked for, and free when its holder does not renew it", async () => {
      const lab = await synced()
      await Lab.run(
        lab,
        Effect.flatMap(Effect.map(TransferMirror, Driver.of), ({ run }) =>
          // Killed: it has two seconds left that it does not use.
          run((sql) => {
            const now = sql.onDialectOrElse({
              pg: () => sql`CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`,
              orElse: () => sql`CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)`,
            })
            return sql`UPDATE sync_leases SET holder = 'killed', expires_us = ${now} + 2000000`
          }),
        ),
      )
      const started = performance.now()
      expect(await Lab.sync(lab)).toHaveLength(1)
      expect(performance.now() - started).toBeGreaterThan(500)
    })

    const edited = async () => {
      const lab = await synced()
      const text = "UPDATE sync_leases SET holder = 'edited', expires_us = 9223372036854775807"
      await Lab.run(
        lab,
        Effect.flatMap(Effect.map(TransferMirror, Driver.of), ({ run }) => run((sql) => sql.unsafe(text))),
      )
      return lab
    }

    test("is free after ten seconds without renewal, whatever instant its row has", { timeout: 30_000 }, async () => {
      const lab = await edited()
      const started = performance.now()
      expect(await Lab.sync(lab)).toHaveLength(1)
      expect(performance.now() - started).toBeGreaterThan(9000)
    })

    test("is waited for until an interruption", async () => {
      const lab = await edited()
      const started = performance.now()
      const waiting = MirrorSync.sync({ partner_id }).pipe(MirrorLease.holding([partner_id], { onWait: Effect.void }))
      await Lab.run(lab, Effect.timeoutOption(waiting, "500 millis"))
      expect(performance.now() - started).toBeLessThan(4000)
    })

    test("that is lost while a response is on its way lets nothing be written of it", async () => {
      const lab = await synced()
      let isOnItsWay = true
      lab.onSearch = async () => {
        if (!isOnItsWay) return
        isOnItsWay = false
        // Another sync takes over, and sees the completion.
        await takeOver(lab)
        Lab.ok(TransferStore.change(lab.store, "one", { status: "complete" }))
        await Lab.run(
          lab,
          Effect.flatMap(TransferMirror, (mirror) =>
            Driver.of(mirror).run((sql) => sql`UPDATE sync_leases SET expires_us = 0`),
          ),
        )
        await Lab.sync(lab)
      }
      // The response that was on its way is older than what is there now.
      lab.lie = (page) => ({
        ...page,
        results: page.results.map((one) => (one.id === "one" && lies-- > 0 ? { ...one, status: "executing" } : one)),
      })
      let lies = 0
      const failed = Lab.sync(lab)
      await expect(failed).rejects.toMatchObject({
        kind: "taken_over",
        message: expect.stringContaining("another sync has taken over: this one ends"),
      })
      lab.lie = (page) => page
      const changes = await history(lab)
      expect(changes.map(({ previous_status, status }) => `${previous_status} → ${status}`)).toEqual([
        "executing → complete",
      ])
      expect(changes.every(({ since_at, seen_at }) => String(since_at) < String(seen_at))).toBe(true)
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("is checked by each transaction: none of a run, of its state or of its deliveries is written without", async () => {
      const lab = await synced()
      const before = await Lab.query(lab, "SELECT * FROM sync_state ORDER BY name")
      const runs = await Lab.query(lab, "SELECT * FROM sync_runs")
      const counts = { pages: 0, transfers: 0, created: 0, changed: 0, vanished: 0 }
      const errors = Effect.gen(function* () {
        yield* Effect.promise(() => takeOver(lab))
        return yield* Effect.all([
          Effect.flip(SyncTables.setState(partner_id, { watermark: "0" })),
          Effect.flip(SyncTables.startRun(partner_id, "pass")),
          Effect.flip(SyncTables.endRun(partner_id, 1n, { outcome: "incomplete", counts })),
          Effect.flip(TransferEvents.pending(partner_id)),
          Effect.flip(TransferEvents.delivered(partner_id, [1n])),
        ])
      }).pipe(MirrorLease.holding([partner_id]))
      for (const error of await Lab.run(lab, errors)) expect(error).toMatchObject({ kind: "taken_over" })
      expect(await Lab.query(lab, "SELECT * FROM sync_state ORDER BY name")).toEqual(before)
      expect(await Lab.query(lab, "SELECT * FROM sync_runs")).toEqual(runs)
    })

    test("that is lost before a load adds its windows leaves them out of the load of another sync", async () => {
      const lab = Lab.make(await database.fresh(), { count: 100 })
      let isTaken = false
      // The look at where the history begins.
      lab.onSearch = async () => {
        if (!isTaken) await takeOver(lab)
        isTaken = true
      }
      await expect(Lab.sync(lab, { workers: Effect.void })).rejects.toMatchObject({ kind: "taken_over" })
      expect(await Lab.query(lab, "SELECT window_id FROM sync_windows")).toEqual([])
    })

    test("is taken again by the next pass of a follower that had lost it, once it is free", async () => {
      const lab = await synced()
      const twice = Effect.gen(function* () {
        yield* Effect.promise(() => takeOver(lab))
        const { run } = Driver.of(yield* TransferMirror)
        yield* run((sql) => sql`UPDATE sync_leases SET expires_us = 9223372036854775807`)
        const lost = yield* Effect.flip(MirrorSync.sync({ partner_id })).pipe(Effect.timeoutOption("1 second"))
        yield* run((sql) => sql`UPDATE sync_leases SET expires_us = 0`)
        Lab.ok(TransferStore.change(lab.store, "one", { status: "complete" }))
        return [lost, yield* MirrorSync.sync({ partner_id })] as const
      }).pipe(MirrorLease.holding([partner_id]))
      const [lost, [pass]] = await Lab.run(lab, twice)
      expect(lost).toMatchObject({ _tag: "None" })
      expect(pass).toMatchObject({ changed: 1 })
      expect(await Lab.query(lab, "SELECT expires_us FROM sync_leases")).toEqual([{ expires_us: 0n }])
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    })

    test("is given back when a sync fails or is interrupted", async () => {
      const lab = await synced()
      const begun = Deferred.makeUnsafe<void>()
      const interrupted = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(MirrorLease.holding([partner_id])),
        )
        yield* Deferred.await(begun)
        const { interrupt } = yield* Effect.promise(() => import("effect/Fiber"))
        yield* interrupt(fiber)
      })
      await Lab.run(lab, interrupted)
      const started = performance.now()
      await Lab.sync(lab)
      expect(performance.now() - started).toBeLessThan(2000)
    })

    if (database.name === "SQLite") {
      test("is the same through a symbolic link, because it lies in the file", async () => {
        const lab = await synced()
        const file = lab.address.slice("sqlite:".length)
        await symlink(file, `${file}.link`)
        const linked = Lab.make(`sqlite:${file}.link`, { count: 0 })
        const sync = Effect.promise(() => Lab.run(linked, Effect.result(MirrorSync.sync({ partner_id }))))
        const second = await Lab.run(lab, sync.pipe(MirrorLease.holding([partner_id])))
        expect(Result.isFailure(second) && second.failure).toMatchObject({ kind: "busy" })
      })

      test("cannot be had through a hard link, which has a log of its own", async () => {
        const lab = await synced()
        const file = lab.address.slice("sqlite:".length)
        await link(file, `${file}.link`)
        for (const address of [lab.address, `sqlite:${file}.link`]) {
          await expect(Lab.sync(Lab.make(address, { count: 0 }))).rejects.toThrow(/the file has 2 names \(hard links\)/)
        }
      })

      test.each(["journal", "wal", "shm"])("is not opened beside a pipe in place of its -%s", async (ending) => {
        const lab = await synced()
        const file = lab.address.slice("sqlite:".length)
        await rm(`${file}-${ending}`, { force: true })
        execFileSync("mkfifo", [`${file}-${ending}`])
        await expect(Lab.sync(Lab.make(lab.address, { count: 0 }))).rejects.toThrow(
          /-\w+, where SQLite keeps .+ is no file/,
        )
      })

      test.each([
        ["replaced", (file: string) => copyFile(file, `${file}.new`).then(() => rename(`${file}.new`, file))],
        ["removed", (file: string) => rm(file)],
      ] as const)("is not used any more when its file was %s", async (_, change) => {
        const lab = await synced()
        const file = lab.address.slice("sqlite:".length)
        const twice = Effect.gen(function* () {
          yield* MirrorSync.sync({ partner_id })
          yield* Effect.promise(() => change(file))
          return yield* Effect.flip(MirrorSync.sync({ partner_id }))
        })
        expect(await Lab.run(lab, twice)).toMatchObject({
          kind: "usage",
          reason: `the file at ${file} is not the one that was opened: it was replaced or removed`,
        })
      })
    }
  })
