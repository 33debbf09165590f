/** A database that restarts while workers load a mirror in it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Driver from "../src/internal/Driver.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const program = fileURLToPath(new URL("WorkerProcess.ts", import.meta.url))
const transfers = 4000

let server: Postgres.Server
// The one that tests are given is not ours to restart.
const isOurs = process.env["TRANSFERKIT_TEST_DATABASE_URL"] === undefined

beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

const query = (address: string, text: string) =>
  Effect.runPromise(
    Effect.flatMap(TransferMirror, (mirror) =>
      Driver.of(mirror).run((sql) => sql.unsafe<Record<string, unknown>>(text)),
    ).pipe(Effect.provide(TransferMirror.layer(address))),
  )

describe.runIf(isOurs).each(["fast", "immediate"] as const)("a database that restarts (%s) during a load", (mode) => {
  test(
    "leaves each transfer there once: workers reconnect, and another sync completes it",
    { timeout: 240_000 },
    async () => {
      const address = await server.createDatabase()
      const latency = { from: Duration.millis(150), to: Duration.millis(150) }
      await using fake = await startFakeServer({ transfers, latency })
      const running = new Set<ChildProcess>()
      const start = (role: string) => {
        const child = spawn(process.execPath, [program, role, address, fake.url], {
          stdio: ["ignore", "ignore", "pipe"],
        })
        let stderr = ""
        child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
        running.add(child)
        child.on("exit", () => running.delete(child))
        return { child, closed: once(child, "close"), stderr: () => stderr }
      }
      const done = async (worker = "") => {
        const where = `state = 'done' AND worker LIKE '${worker}%'`
        const [row] = await query(address, `SELECT COUNT(*) AS n FROM sync_windows WHERE ${where}`).catch(() => [])
        return Number(row?.["n"] ?? 0)
      }
      try {
        const first = start("sync")
        await vi.waitUntil(async () => (await done()) > 0, { timeout: 60_000, interval: 100 })
        const helper = start("helper")
        await vi.waitUntil(async () => (await done("helper")) > 0, { timeout: 60_000, interval: 100 })
        await server.restart?.(mode)
        const before = await done("helper")
        expect(await done()).toBeLessThan(33)
        const [code] = await first.closed
        // Between two of its statements, it may not notice.
        expect(code === 0 || first.stderr().includes("MirrorError: postgres://tests@127.0.0.1")).toBe(true)
        await vi.waitUntil(async () => (await done("helper")) > before, { timeout: 60_000, interval: 100 })
        const second = start("sync")
        expect(await second.closed).toEqual([0, null])
        expect(helper.child.exitCode).toBeNull()
      } finally {
        for (const child of running) child.kill("SIGKILL")
      }
      expect(await query(address, "SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM transfers")).toEqual([
        { n: BigInt(transfers), ids: BigInt(transfers) },
      ])
      expect(await query(address, "SELECT CAST(SUM(transfers) AS BIGINT) AS n FROM sync_windows")).toEqual([
        { n: BigInt(transfers) },
      ])
      expect(await query(address, "SELECT DISTINCT state FROM sync_windows")).toEqual([{ state: "done" }])
      expect(await query(address, "SELECT * FROM transfer_changes")).toEqual([])
    },
  )
})
