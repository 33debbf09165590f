/** `transfers watch --state` on the state file of an earlier version: it becomes a folder with a mirror, once. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import { demo, run } from "./Cli.ts"
import * as Fake from "./Fake.ts"

/** As version 0.1.0 left it: the command failed for a change of tr_failed. */
const saved = `{"transfers_watch":1,"since":"2024-09-01T00:00:00Z","floor":"2024-09-02T23:00:00Z","watermark":"2024-09-03T00:00:00Z","known":{"tr_same":{"external_id":"order-same","created_at":"2024-09-01T00:00:00Z","status":"executing","digest":"PIy6c6qUe_9Kicqswt7J7P"},"tr_moved":{"created_at":"2024-09-01T01:00:00.5Z","status":"executing","digest":"VanTeV4Txa-F8hsYRhIOjW"},"tr_recent":{"created_at":"2024-09-03T00:00:00Z","status":"complete","digest":"yrSmvnYZjM9zZKXbRJ_CIK"}},"pending":{"tr_failed":{"created_at":"2024-09-01T02:00:00Z","event":"changed","previous_status":"executing"}}}\n`

const source_total = { amount: "12.50", currency_code: "fiat/USD" }
const transfers = [
  {
    id: "tr_same",
    external_id: "order-same",
    kind: "cash_in",
    status: "executing",
    created_at: "2024-09-01T00:00:00Z",
  },
  { id: "tr_moved", kind: "cash_in", status: "frozen", created_at: "2024-09-01T01:00:00.5Z", source_total },
  // It was reported, and forgotten because it cannot change any more.
  { id: "tr_done", kind: "cash_in", status: "complete", created_at: "2024-09-01T01:00:00.5Z" },
  { id: "tr_failed", kind: "cash_out", status: "complete", created_at: "2024-09-01T02:00:00Z" },
  { id: "tr_recent", kind: "cash_in", status: "complete", created_at: "2024-09-03T00:00:00Z" },
  { id: "tr_new", kind: "cash_in", status: "executing", created_at: "2024-09-03T00:00:01Z" },
]

const news = [
  "changed tr_moved executing frozen",
  "changed tr_failed executing complete",
  "created tr_new undefined executing",
]

let fake: RunningFakeServer
let folder: string
let state: string

beforeEach(async () => {
  fake = await startFakeServer({ data: transfers })
  folder = await mkdtemp(join(tmpdir(), "transfers-watch-state-"))
  state = join(folder, "state.json")
  await writeFile(state, saved)
})

afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const watch = (url = fake.url) => run(["watch", "--once", "--state", state], { env: demo(url) })

const look = async (): Promise<ReadonlyArray<string>> => {
  const { code, stdout, stderr } = await watch()
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map(({ event, transfer, previous_status }) => `${event} ${transfer.id} ${previous_status} ${transfer.status}`)
}

test("reports what changed since, what had yet to be delivered, and nothing else", async () => {
  expect(await look()).toEqual(news)
  expect(await look()).toEqual([])
  expect(await readdir(folder)).toEqual(["state.json"])
  expect(await readFile(join(state, "replaced.json"), "utf8")).toBe(saved)
  if (process.platform !== "win32") expect((await stat(state)).mode & 0o777).toBe(0o700)
  await Fake.change(fake.url, "tr_same", { status: "declined" })
  expect(await look()).toEqual(["changed tr_same executing declined"])
})

test("is done again, or finished, if it was interrupted", async () => {
  const next = `${state}.new`
  await mkdir(next)
  await writeFile(join(next, "transfers.db"), "not complete")
  expect(await look()).toEqual(news)
  // Between the two names.
  await rename(state, next)
  expect(await look()).toEqual([])
  expect(await readdir(folder)).toEqual(["state.json"])
})

test("waits for a service that is down, and leaves a file that is something else alone", async () => {
  expect((await watch("http://127.0.0.1:1")).code).toBe(4)
  expect(await readFile(state, "utf8")).toBe(saved)
  await writeFile(state, "{}")
  expect(await watch()).toMatchObject({ code: 2, stderr: expect.stringContaining("it is not the state of a watch") })
  expect(await readFile(state, "utf8")).toBe("{}")
  expect(await readdir(folder)).toEqual(["state.json"])
})
