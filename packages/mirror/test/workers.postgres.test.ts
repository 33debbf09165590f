/** Workers that are killed, paused and added. In the mode of PostgreSQL, because it takes a while. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test, vi } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Driver from "../src/internal/Driver.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import { type Database, postgres, sqlite } from "./Database.ts"
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

suite(sqlite())
suite(postgres())
