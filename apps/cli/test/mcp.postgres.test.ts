/** A query of MCP that is cancelled is gone from PostgreSQL when the call has ended. */
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as MirrorQuery from "@transferkit/mcp/MirrorQuery"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"

let server: Postgres.Server
let fake: RunningFakeServer
let address: string
beforeAll(async () => {
  server = await Postgres.start()
  address = await server.createDatabase()
  fake = await startFakeServer({ data: [] })
  expect(await run(["sync", "--to", address], { env: demo(fake.url) })).toMatchObject({ code: 0 })
  await server.execute(
    address,
    "CREATE ROLE asks LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO asks; GRANT pg_read_all_stats TO asks",
  )
}, 60_000)
afterAll(async () => {
  await fake.close()
  await server.execute(address, "DROP OWNED BY asks; DROP ROLE asks")
  await server.stop()
})

test("a cancelled query is gone from the database when its call has ended", async () => {
  const from = Object.assign(new URL(address), { username: "asks" }).href
  const program = { file: process.execPath, program: [join(import.meta.dirname, "../src/bin.ts")] }
  const fiber = Effect.runFork(
    MirrorQuery.inProcess(program, { from, asOf: undefined, allowIncomplete: true })("SELECT pg_sleep(30)"),
  )
  const asleep = async () => {
    const sql =
      "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)' AND state = 'active' AND pid <> pg_backend_pid()"
    const { stdout, stderr } = await run([
      "query",
      sql,
      "--from",
      address,
      "--allow-superuser",
      "--allow-incomplete",
      "-o",
      "json",
    ])
    expect(stderr).not.toContain("error")
    return JSON.parse(stdout).length
  }
  await Waiting.until(async () => (await asleep()) === 1)
  await Effect.runPromise(Fiber.interrupt(fiber))
  expect(await asleep()).toBe(0)
})
