/** A query of PostgreSQL that takes too long ends at once, in the database too: by its limit, and by a signal. */
import { once } from "node:events"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"

let server: Postgres.Server
let mirror: string

beforeAll(async () => {
  server = await Postgres.start()
  mirror = await server.createDatabase()
  await using fake = await startFakeServer({ transfers: 50 })
  expect(await run(["sync", "--to", mirror], { env: demo(fake.url) })).toMatchObject({ code: 0 })
})
afterAll(() => server.stop())

/** Whether the database runs such a query. */
const isRunning = (text: string): Promise<boolean> =>
  server
    .execute(
      mirror,
      `DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE query = '${text}' AND state = 'active')
      THEN RAISE EXCEPTION 'it does not'; END IF; END $$`,
    )
    .then(
      () => true,
      () => false,
    )

const asked = (seconds: number) => {
  const text = `SELECT pg_sleep(${seconds})`
  return { text, args: ["query", "--from", mirror, text, "--allow-superuser"] }
}

test("a query ends with 124 after its --timeout", async () => {
  const { text, args } = asked(600)
  const { code, stdout } = await run([...args, "--timeout", "1"])
  expect({ code, stdout }).toEqual({ code: 124, stdout: "" })
  expect(await isRunning(text)).toBe(false)
})

test.each([
  ["SIGINT", 130, 601],
  ["SIGTERM", 143, 602],
] as const)("a query ends at once by %s, with %i", async (signal, expected, seconds) => {
  const { text, args } = asked(seconds)
  const child = start(args)
  const closed = once(child, "close")
  await Waiting.until(() => isRunning(text))
  const sent = performance.now()
  child.kill(signal)
  expect(await closed).toEqual([expected, null])
  expect(performance.now() - sent).toBeLessThan(10_000)
  await Waiting.until(async () => !(await isRunning(text)))
})
