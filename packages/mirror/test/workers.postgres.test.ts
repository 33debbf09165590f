/** Workers that are killed, paused and added. In the mode of PostgreSQL, because it takes a while. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test, vi } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Driver from "../src/internal/Driver.ts"
import * as SyncWindows from "../src/internal/SyncWindows.ts"
import * as WorkQueue from "../src/internal/WorkQueue.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import { type Database, postgres, sqlite } from "./Database.ts"
import * as Lab from "./Lab.ts"
import * as Life from "./Life.ts"

const program = fileURLToPath(new URL("WorkerProcess.ts", import.meta.url))
const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const query = (address: string, text: string) =>
  Effect.runPromise(
    Effect.flatMap(TransferMirror, (mirror) =>
      Driver.of(mirror).run((sql) => sql.unsafe<Record<string, unknown>>(text)),
    ).pipe(Effect.provide(TransferMirror.layer(address))),
  )

const suite = (database: Database): void => {
  describe(`worker processes on ${database.name}, LAW_SEED=${Seeds.drawn}`, () => {
    test(
      "load each transfer once, though they are killed, paused and wrong about the time",
      { timeout: 240_000 },
      async () => {
        const roll = Life.dice(`${Seeds.drawn} workers`)
        const address = await database.fresh()
        const transfers = 4000
        await using fake = await startFakeServer({
          transfers,
          latency: { from: Duration.millis(200), to: Duration.millis(200) },
        })
        const running = new Set<ChildProcess>()
        const start = (role: string, millis = 0): ChildProcess => {
          const child = spawn(process.execPath, [program, role, address, fake.url, String(millis)], {
            stdio: ["ignore", "ignore", "inherit"],
          })
          running.add(child)
          child.on("exit", () => running.delete(child))
          return child
        }
        const kill = async (child: ChildProcess): Promise<void> => {
          const ended = once(child, "exit")
          child.kill("SIGKILL")
          await ended
        }
        const done = async (): Promise<number> => {
          const rows = await query(address, "SELECT COUNT(*) AS n FROM sync_windows WHERE state = 'done'")
          return Number(rows[0]?.["n"])
        }
        try {
          const first = start("sync")
          await vi.waitUntil(async () => (await done()) > 0, { timeout: 60_000, interval: 100 })
          const [killed, paused] = [start("killed"), start("paused")]
          start("wrong", 3_600_000)
          await sleep(1000 + roll(1500))
          await kill(killed)
          paused.kill("SIGSTOP")
          await sleep(roll(1000))
          await kill(first)
          expect(await done()).toBeLessThan(33)
          // Its windows go to others after 10 seconds.
          const second = start("sync")
          await sleep(12_000)
          paused.kill("SIGCONT")
          start("added")
          const [code] = second.exitCode === null ? await once(second, "exit") : [second.exitCode]
          expect(code).toBe(0)
          await sleep(1000)
        } finally {
          await Promise.all([...running].map(kill))
        }
        expect(await query(address, "SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM transfers")).toEqual([
          { n: BigInt(transfers), ids: BigInt(transfers) },
        ])
        expect(await query(address, "SELECT CAST(SUM(transfers) AS BIGINT) AS n FROM sync_windows")).toEqual([
          { n: BigInt(transfers) },
        ])
        expect(await query(address, "SELECT DISTINCT state FROM sync_windows")).toEqual([{ state: "done" }])
        expect(await query(address, "SELECT * FROM transfer_changes")).toEqual([])
        const [latest] = await query(address, "SELECT MAX(first_seen_at) AS at FROM mirrored_transfers")
        // SQLite has no clock but that of a process, which is the wrong one here.
        if (database.name === "PostgreSQL") expect(Date.parse(String(latest?.["at"]))).toBeLessThan(Date.now())
        const workers = await query(address, "SELECT DISTINCT worker FROM sync_windows")
        expect(workers.length).toBeGreaterThan(2)
      },
    )
  })
}

const { partner_id } = Lab
const at = "2025-01-01T00:00:00.000Z"
const june = { gte: Timestamp.parseUnsafe("2024-06-01T00:00:00Z"), lt: Timestamp.parseUnsafe("2024-07-01T00:00:00Z") }

/** Adds a window of June that waits, with its item. */
const offer = Effect.fnUntraced(function* (window_id: string) {
  const queue = yield* WorkQueue.make(partner_id)
  yield* SyncWindows.add([{ window_id, left: { remaining: [june] } }], { partner_id, run_id: 0n, at })
  yield* queue.offer({ window_id }, { id: window_id })
})

/** Writes what a worker does that divides a window, and stays within the transaction until `isOver`. */
const dividing = async (lab: Lab.Lab, window_id: string) => {
  const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const claim = { partner_id, window_id, claim: window_id }
  const written = Effect.gen(function* () {
    const read = { left: SyncWindows.nothing, pages: 1, transfers: 0, at }
    expect(yield* SyncWindows.progress(claim, read)).toBe(true)
    isHeld.resolve()
    yield* Effect.promise(() => isOver.promise)
    yield* offer(`${window_id}.1`)
  })
  const worker = Effect.gen(function* () {
    yield* SyncWindows.claim(claim, { worker: "slow", at })
    yield* Driver.of(yield* TransferMirror).transaction(written)
  })
  const ended = Lab.run(lab, worker.pipe(WorkQueue.provide(WorkQueue.defaultLease)))
  await Promise.race([isHeld.promise, ended])
  return () => {
    isOver.resolve()
    return ended
  }
}

const loadsAnew = (database: Database): void => {
  test("a load that begins while workers divide the windows of an earlier one reads everything", async () => {
    const lab = Lab.make(await database.fresh(), { count: 300 })
    const windows = ["0.1", "0.2"]
    await Lab.run(lab, Effect.forEach(windows, offer).pipe(WorkQueue.provide(WorkQueue.defaultLease)))
    const [first, second] = [await dividing(lab, "0.1"), await dividing(lab, "0.2")]
    const sync = Lab.sync(lab)
    const locked =
      "SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await vi.waitUntil(async () => (await query(lab.address, locked)).length > 0, { timeout: 20_000, interval: 100 })
    await first()
    // Its part is divided, too, before the load has removed any window.
    const third = await dividing(lab, "0.1.1")
    await second()
    await third()
    await sync
    expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
    expect(await query(lab.address, "SELECT window_id FROM sync_windows")).toEqual([])
  })
}

const server = postgres()
suite(sqlite())
suite(server)
loadsAnew(server)
