/** A sync that is stopped in the middle, for longer than its lease: another takes over, and nothing older is written. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test, vi } from "vitest"
import * as Driver from "../src/internal/Driver.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import { type Database, postgres, sqlite } from "./Database.ts"

const program = fileURLToPath(new URL("WorkerProcess.ts", import.meta.url))
const transfers = 1500

const query = (address: string, text: string) =>
  Effect.runPromise(
    Effect.flatMap(TransferMirror, (mirror) =>
      Driver.of(mirror).run((sql) => sql.unsafe<Record<string, unknown>>(text)),
    ).pipe(Effect.provide(TransferMirror.layer(address))),
  )

/** Whether a transaction of a stopped process keeps others out for ever. PostgreSQL ends it. */
const isLocked = (address: string): boolean => {
  if (!address.startsWith("sqlite:")) return false
  using db = new DatabaseSync(address.slice("sqlite:".length), { timeout: 100 })
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK")
    return false
  } catch {
    return true
  }
}

const suite = (database: Database): void => {
  describe(`a sync to ${database.name} that is stopped while a response is on its way`, () => {
    test("loses its lease to another, and writes nothing when it continues", { timeout: 120_000 }, async () => {
      const address = await database.fresh()
      const latency = { from: Duration.millis(100), to: Duration.millis(100) }
      await using fake = await startFakeServer({ transfers, latency })
      const start = () => {
        const child = spawn(process.execPath, [program, "pass", address, fake.url], {
          stdio: ["ignore", "ignore", "pipe"],
        })
        let stderr = ""
        child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
        return { child, closed: once(child, "close"), stderr: () => stderr }
      }
      const read = async () => Number((await query(address, "SELECT COUNT(*) AS n FROM mirrored_transfers"))[0]?.["n"])
      const first = start()
      await vi.waitUntil(async () => (await read()) > 100, { timeout: 60_000, interval: 50 })
      do {
        first.child.kill("SIGCONT")
        await setTimeout(10)
        first.child.kill("SIGSTOP")
      } while (isLocked(address))
      // Of its transaction, too, if it has one: the database ends it.
      const second = start()
      expect(await second.closed, second.stderr()).toEqual([0, null])
      first.child.kill("SIGCONT")
      const [code] = await first.closed
      expect(code).not.toBe(0)
      expect(first.stderr()).toMatch(/another sync has taken over|database is locked|connection/i)
      expect(await read()).toBe(transfers)
      expect(await query(address, "SELECT * FROM transfer_changes WHERE since_at >= seen_at")).toEqual([])
      expect(await query(address, "SELECT outcome FROM sync_runs WHERE kind = 'pass'")).toEqual([
        { outcome: "complete" },
      ])
    })
  })
}

suite(sqlite())
suite(postgres())
