/** A query of PostgreSQL that takes too long ends at once, in the database too: by its limit, and by a signal. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import { measured } from "./Measured.ts"

let server: Postgres.Server
let mirror: string

beforeAll(async () => {
  server = await Postgres.start()
  mirror = await server.createDatabase()
  await using fake = await startFakeServer({ transfers: 50 })
  expect(await run(["sync", "--to", mirror], { env: demo(fake.url) })).toMatchObject({ code: 0 })
})
afterAll(() => server.stop())

/** The processes of the server that stand still. */
const stopped: Array<number> = []

/** All of them: the first, which accepts connections, and those of sessions. */
const stopServer = async () => {
  const first = server.pid
  if (first === undefined) throw new Error("this test needs a server of its own")
  const children = await readFile(`/proc/${first}/task/${first}/children`, "utf8")
  stopped.push(first, ...children.trim().split(" ").map(Number))
  for (const pid of stopped) process.kill(pid, "SIGSTOP")
}

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

test("a query ends with 124 after its --timeout, too, where a lock keeps the mirror back", async () => {
  const lock = "BEGIN; LOCK TABLE mirror_migrations IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(20)"
  const locking = server.execute(mirror, lock).catch(() => undefined)
  await Waiting.until(() => isRunning(lock))
  const begun = performance.now()
  const { args } = asked(0)
  const { code, stdout } = await run([...args, "--timeout", "2"])
  expect({ code, stdout }).toEqual({ code: 124, stdout: "" })
  expect(performance.now() - begun).toBeLessThan(10_000)
  await locking
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
  expect(performance.now() - sent).toBeLessThan(1500)
  await Waiting.until(async () => !(await isRunning(text)))
})

test("a query ends in the database after its process was killed", async () => {
  const { text, args } = asked(604)
  const child = start(args)
  const closed = once(child, "close")
  await Waiting.until(() => isRunning(text))
  child.kill("SIGKILL")
  await closed
  await Waiting.until(async () => !(await isRunning(text)))
})

test.each([
  ["a server that stops answering", "SELECT pg_sleep(603)", () => stopServer()],
  ["rows that still come", "SELECT i, repeat('x', 100) AS x FROM generate_series(1, 100000000) AS i", async () => {}],
] as const)("a query ends at once by SIGINT in spite of %s", async (_, text, meanwhile) => {
  const child = start(["query", "--from", mirror, text, "--allow-superuser"])
  const closed = once(child, "close")
  await Waiting.until(() => isRunning(text.replaceAll("'", "''")))
  await meanwhile()
  try {
    await setTimeout(500)
    const sent = performance.now()
    child.kill("SIGINT")
    expect(await closed).toEqual([130, null])
    expect(performance.now() - sent).toBeLessThan(1500)
  } finally {
    for (const pid of stopped.splice(0)) {
      // A session may have been about to end.
      if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGCONT")
    }
  }
  await Waiting.until(async () => !(await isRunning(text.replaceAll("'", "''"))))
})

test.each([
  ["rows", "SELECT i, repeat('x', 1000) AS x FROM generate_series(1, 5000000) AS i"],
  ["a few large values", "SELECT repeat('x', 10000000) AS x FROM generate_series(1, 500)"],
])("%s that are too large together end a query with 2, before they fill the memory", async (_, text) => {
  // As the process that runs the statement, which is the one to measure.
  const env = { TRANSFERS_OWN_PROCESS: String(process.pid) }
  const args = ["query", "--from", mirror, text, "--allow-superuser"]
  const { code, stdout, stderr, memory } = await measured(args, { env })
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain("the result is too large: PostgreSQL may send 256 MiB for it")
  expect(memory).toBeLessThan(1024)
  await Waiting.until(async () => !(await isRunning(text.replaceAll("'", "''"))))
})

test.each(["json", "ndjson", "csv", "table"])("values that JSON lacks are shown as %s", async (output) => {
  const text =
    "SELECT 'infinity'::timestamptz AS a, '-infinity'::timestamp AS b, 'NaN'::float8 AS c, 'NaN'::numeric AS d"
  const { code, stdout } = await run(["query", "--from", mirror, text, "--allow-superuser", "--output", output])
  expect(code).toBe(0)
  for (const shown of [/(?<!-)infinity/, /-infinity/, /NaN.*NaN/s]) expect(stdout).toMatch(shown)
})

test.each(["json", "ndjson", "csv", "table"])(
  "values that JavaScript would change are what they are as %s",
  async (output) => {
    const text = `SELECT row_to_json(t) AS a, '0.65'::money AS b, interval '1 hour' AS c, timestamp '2024-01-01 00:00:00.999999' AS d
    FROM (SELECT 12345678901234567.10::numeric AS amount) AS t`
    const { code, stdout } = await run(["query", "--from", mirror, text, "--allow-superuser", "--output", output])
    expect(code).toBe(0)
    for (const shown of [/12345678901234567\.10/, /\$0\.65/, /01:00:00/, /2024-01-01 00:00:00\.999999/]) {
      expect(stdout).toMatch(shown)
    }
  },
)
