/** `transfers sync --follow` whose database dies and comes back, and `--dataset` of a mirror in PostgreSQL. */
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"

let server: Postgres.Server
let folder: string
// The one that tests are given is not ours to restart.
const isOurs = process.env["TRANSFERKIT_TEST_DATABASE_URL"] === undefined

beforeAll(async () => {
  server = await Postgres.start()
  folder = await mkdtemp(join(tmpdir(), "transfers-follow-"))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const insert = (url: string, id: string) =>
  Fake.insert(url, { id, status: "executing", created_at: new Date().toISOString() })

describe.runIf(isOurs).each(["fast", "immediate"] as const)("a database that dies (%s)", (mode) => {
  test("during a delivery loses no event, and none is delivered twice", async () => {
    await using fake = await startFakeServer({ transfers: 50 })
    const env = { ...demo(fake.url), TRANSFERS_MIRROR: await server.createDatabase() }
    const [log, isRunning, mayEnd] = ["log", "running", "end"].map((name) => join(folder, `${mode}-${name}`))
    await writeFile(`${log}`, "")
    expect(await run(["sync"], { env })).toMatchObject({ code: 0 })
    const ids = ["tr_1", "tr_2", "tr_3"]
    for (const id of ids) await insert(fake.url, id)
    // The second event's command succeeds while the database is away, which cannot record it then.
    const hold = `touch ${isRunning}; while [ ! -e ${mayEnd} ]; do sleep 0.01; done`
    const command = `echo "$TRANSFER_EVENT $TRANSFER_ID" >> ${log}; if [ $TRANSFER_ID = tr_2 ]; then ${hold}; fi`
    const follower = start(["sync", "--follow", "--interval", "1", "--exec", command, "--output", "ndjson"], { env })
    const output = { stdout: "", stderr: "" }
    follower.stdout.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk))
    follower.stderr.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk))
    const logged = async () => (await readFile(`${log}`, "utf8")).split("\n").slice(0, -1)
    const waitFor = (condition: () => boolean | Promise<boolean>) =>
      Waiting.until(async () => follower.exitCode !== null || (await condition())).catch((cause) => {
        throw new Error(`The follower does not get there: ${output.stderr}`, { cause })
      })
    try {
      await waitFor(() => existsSync(`${isRunning}`))
      await server.restart?.(mode, async () => {
        await writeFile(`${mayEnd}`, "")
        // Nothing shows that it could not be recorded. A shorter wait would only test less.
        await new Promise((resolve) => setTimeout(resolve, 1000))
      })
      await waitFor(async () => (await logged()).includes("created tr_3"))
      await Fake.change(fake.url, "tr_2", { status: "complete" })
      await waitFor(async () => (await logged()).includes("changed tr_2"))
      expect({ code: follower.exitCode, stderr: output.stderr }).toMatchObject({ code: null })
      expect(await logged()).toEqual(["created tr_1", "created tr_2", "created tr_3", "changed tr_2"])
      const printed = output.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
      expect(printed.map(({ event, transfer }) => `${event} ${transfer.id}`)).toEqual(await logged())
    } finally {
      follower.kill("SIGKILL")
    }
  })
})

test("DuckDB reads each transfer of a PostgreSQL mirror from its data set, and what changed is written anew", async () => {
  await using fake = await startFakeServer({ transfers: 300 })
  const [warehouse, env] = [
    join(folder, "warehouse"),
    { ...demo(fake.url), TRANSFERS_MIRROR: await server.createDatabase() },
  ]
  const sync = () => run(["sync", "--dataset", warehouse], { env })
  const manifest = async () => JSON.parse(await readFile(join(warehouse, "manifest.json"), "utf8"))
  const paths = async () => (await manifest()).files.map(({ path }: { readonly path: string }) => path)
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" })
  const connection = await instance.connect()
  const duck = async (columns: string) => {
    const files = (await paths()).map((path: string) => `'${join(warehouse, path)}'`).join(", ")
    return (await connection.runAndReadAll(`SELECT ${columns} FROM read_parquet([${files}])`)).getRowObjectsJson()
  }
  try {
    await Fake.insert(fake.url, {
      id: "tiny",
      status: "executing",
      created_at: "2024-02-10T00:00:00Z",
      source_total: { amount: "0.000000000000000001", currency_code: "ethereum/ETH" },
    })
    expect(await sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("files of 301 transfers to ") })
    const before = await paths()
    const all = "COUNT(*) AS n, COUNT(DISTINCT id) AS ids, MIN(source_total_amount) FILTER (id = 'tiny') AS tiny"
    expect(await duck(all)).toEqual([{ n: "301", ids: "301", tiny: "0.000000000000000001" }])
    await Fake.change(fake.url, "tiny", { status: "complete" })
    expect(await sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("Wrote 1 file of ") })
    const after: ReadonlyArray<string> = await paths()
    expect(after.filter((path) => !before.includes(path))).toEqual([expect.stringContaining("month=2024-02/")])
    expect(await duck("MIN(status) FILTER (id = 'tiny') AS status")).toEqual([{ status: "complete" }])
    expect(await duck(all)).toEqual([{ n: "301", ids: "301", tiny: "0.000000000000000001" }])
    // Nothing has changed: nothing is written.
    expect((await sync()).stderr).not.toContain("Wrote")
    expect(await paths()).toEqual(after)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
})
