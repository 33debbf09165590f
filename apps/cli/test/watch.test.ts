import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as Thorough from "../../../scripts/test/Thorough.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"
import { startWatch } from "./RunningWatch.ts"
import { see } from "./Terminal.ts"
import { pendingIn } from "./WatchState.ts"

let fake: RunningFakeServer
let folder: string
let state: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 0 })
  folder = await mkdtemp(join(tmpdir(), "transfers-watch-"))
  state = join(folder, "state.json")
  await insertOld()
})

const insertOld = () =>
  Fake.insert(fake.url, {
    id: "tr_old",
    external_id: "order-old",
    status: "executing",
    created_at: "2024-09-01T00:00:00Z",
  })

afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

interface Event {
  readonly event: string
  readonly previous_status?: string
  readonly transfer: { readonly id: string; readonly status: string }
}

/** One look, and what it told: `created tr_1`. */
const look = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { code, stdout, stderr } = await run(["watch", "--once", "--state", state, ...args], { env: demo(fake.url) })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => nameOf(JSON.parse(line)))
}

const nameOf = ({ event, previous_status, transfer }: Event): string =>
  [event, transfer.id, ...(previous_status === undefined ? [] : [previous_status, transfer.status])].join(" ")

test("with --once, says on a terminal that nothing is new, and how to see more", async () => {
  const options = { columns: 200, env: demo(fake.url) }
  expect((await see(["watch", "--once"], options)).text).toMatch(
    /^No transfer is new or changed: the watch began just now\. .*--state FOLDER, or begin earlier with --since TIME\.\n$/,
  )
  const early = ["watch", "--once", "--state", state, "--since", "2024-08-01"]
  expect((await see(early, options)).text).toMatch(/created {2}order-old/)
  expect((await see(early, options)).text).toBe("No transfer is new or changed.\n")
})

test("with --once, fails if the service is down, and keeps the state", async () => {
  const args = ["watch", "--once", "--state", state, "--since", "2024-09-01"]
  expect((await run(args, { env: demo(fake.url) })).code).toBe(0)
  const port = Number(new URL(fake.url).port)
  await fake.close()
  const { code, stderr } = await run(args, { env: demo(fake.url) })
  expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringMatching(/^error: Cannot reach the service/) })
  fake = await startFakeServer({ transfers: 0, port })
  await insertOld()
  await Fake.insert(fake.url, { id: "tr_new", status: "executing", created_at: "2024-09-10T00:00:00Z" })
  expect(await look()).toEqual(["created tr_new"])
})

test("reports each new transfer once, and changes of transfers of any age", async () => {
  expect(await look("--since", "2024-09-01")).toEqual(["created tr_old"])
  expect(await look()).toEqual([])
  await Fake.insert(fake.url, { id: "tr_new", status: "executing", created_at: "2024-09-10T00:00:00Z" })
  expect(await look()).toEqual(["created tr_new"])
  // Nine days before the window that is read, and with a filter on creation only.
  await Fake.change(fake.url, "tr_old", { status: "complete" })
  expect(await look()).toEqual(["changed tr_old executing complete"])
  expect(await look()).toEqual([])
})

test("detects transfers that appear late, and those of the same instant", async () => {
  await Fake.insert(fake.url, { id: "tr_1", status: "complete", created_at: "2024-09-02T12:00:00.5Z" })
  expect(await look("--since", "2024-09-02")).toEqual(["created tr_1"])
  await Fake.insert(fake.url, { id: "tr_tie", status: "complete", created_at: "2024-09-02T12:00:00.5Z" })
  await Fake.insert(fake.url, { id: "tr_late", status: "complete", created_at: "2024-09-02T11:30:00Z" })
  expect(await look()).toEqual(["created tr_late", "created tr_tie"])
  expect(await look()).toEqual([])
})

test("misses transfers that appear later than --look-back, and its help says so", async () => {
  await Fake.insert(fake.url, { id: "tr_1", status: "complete", created_at: "2024-09-02T12:00:00Z" })
  expect(await look("--since", "2024-09-02", "--look-back", "60")).toEqual(["created tr_1"])
  await Fake.insert(fake.url, { id: "tr_late", status: "complete", created_at: "2024-09-02T11:59:30Z" })
  await Fake.insert(fake.url, { id: "tr_too_late", status: "complete", created_at: "2024-09-02T11:58:30Z" })
  expect(await look("--look-back", "60")).toEqual(["created tr_late"])
  // A mirror tells what it has reported, however far it looks back.
  expect(await look("--look-back", "3600")).toEqual(["created tr_too_late"])
  const { stdout } = await run(["watch", "--help"])
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("later ones are missed (default 3600)")
})

test("killed at any moment, resumes from its state without losing an event", async () => {
  const kills = Thorough.times(8, 15)
  const told = new Set<string>()
  const args = ["watch", "--interval", "1", "--since", "2024-09-01", "--state", state]
  for (let kill = 0; kill < kills; kill++) {
    await Fake.insert(fake.url, { id: `tr_${kill}`, status: "executing", created_at: "2024-09-01T00:00:01Z" })
    if (kill > 0) await Fake.change(fake.url, `tr_${kill - 1}`, { status: "complete" })
    const child = start(args, { env: demo(fake.url) })
    let stdout = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
    // From before it has begun to look until after it has saved what it saw.
    setTimeout(() => child.kill("SIGKILL"), 100 + kill * (750 / kills))
    expect(await closed).toBe(null)
    for (const line of stdout.split("\n").slice(0, -1)) told.add(nameOf(JSON.parse(line)))
  }
  for (const name of await look("--since", "2024-09-01")) told.add(name)
  for (let kill = 0; kill < kills; kill++) {
    // One that was seen only after it had changed was created as it is.
    expect(told).toContain(`created tr_${kill}`)
  }
  expect(await look()).toEqual([])
  expect(await readdir(folder)).toEqual(["state.json"])
})

test("does not report earlier transfers as created, but reports their changes", async () => {
  expect(await look("--since", "2024-09-01T00:30:00Z")).toEqual([])
  await Fake.change(fake.url, "tr_old", { status: "declined" })
  expect(await look()).toEqual(["changed tr_old executing declined"])
})

test("reads a transfer without external_id again by its creation time", async () => {
  const other = await startFakeServer({
    data: [{ id: "tr_bare", kind: "cash_in", status: "executing", created_at: "2024-09-01T00:00:00.123456Z" }],
  })
  const watch = (...args: ReadonlyArray<string>) =>
    run(["watch", "--once", "--state", state, ...args], { env: demo(other.url) })
  await watch("--since", "2024-09-01")
  await Fake.insert(other.url, { id: "tr_recent", status: "complete", created_at: "2024-09-20T00:00:00Z" })
  await watch()
  await Fake.change(other.url, "tr_bare", { status: "complete" })
  const { stdout } = await watch()
  await other.close()
  expect(JSON.parse(stdout)).toMatchObject({
    event: "changed",
    previous_status: "executing",
    transfer: { id: "tr_bare" },
  })
})

describe("while it runs", () => {
  test("outlives an outage, runs a command for each event, and ends with 130 and its state saved", async () => {
    const log = join(folder, "log")
    const command = `cat >> ${log}; echo "$TRANSFER_EVENT $TRANSFER_ID \${TRANSFERS_SECRET_KEY:-no secret}" >> ${log}`
    const watch = startWatch(fake.url, state, command)
    await Waiting.until(() => watch.stdout.includes("tr_old"))
    await Fake.addFaults(fake.url, { fault: "status", status: 400, body: "<html>" })
    await Fake.clearFaults(fake.url)
    await Fake.addFaults(fake.url, { fault: "reset", at: "before" })
    await Waiting.until(() => watch.stderr.includes("Retrying in 1 s."))
    await Fake.insert(fake.url, { id: "tr_after", status: "complete", created_at: "2024-09-01T00:10:00Z" })
    await Fake.clearFaults(fake.url)
    await Waiting.until(() => watch.stdout.includes("tr_after"))
    await Waiting.until(async () => (await readFile(log, "utf8")).includes("tr_after no secret"))
    await Waiting.until(() => pendingIn(state) === 0)
    expect(await watch.stop()).toBe(130)
    expect(await look()).toEqual([])
    expect((await readFile(log, "utf8")).split("\n").filter((line) => line.endsWith("no secret"))).toEqual([
      "created tr_old no secret",
      "created tr_after no secret",
    ])
  })
})

test("prints the events of a single poll as one JSON document", async () => {
  const poll = () =>
    run(["watch", "--once", "--since", "2024-09-01", "--state", state, "-o", "json"], { env: demo(fake.url) })
  await Fake.insert(fake.url, { id: "tr_new", status: "executing", created_at: "2024-09-10T00:00:00Z" })
  const { code, stdout } = await poll()
  expect(code).toBe(0)
  expect(JSON.parse(stdout).map(nameOf)).toEqual(["created tr_old", "created tr_new"])
  expect(JSON.parse((await poll()).stdout)).toEqual([])
})

describe("begun by a clock that was ahead", () => {
  afterEach(() => vi.useRealTimers())

  const poll = (...args: ReadonlyArray<string>) =>
    run(["watch", "--once", "--state", state, "--output", "table", ...args], { env: demo(fake.url) })

  /** The poll by which a watch begins, as a machine does that wakes up with the time of tomorrow. */
  const begin = async (...args: ReadonlyArray<string>) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 3_600_000 })
    const begun = new Date()
    expect(await poll(...args)).toMatchObject({ code: 0 })
    vi.useRealTimers()
    await Fake.insert(fake.url, { id: "tr_new", status: "complete", created_at: new Date().toISOString() })
    return begun.toISOString().slice(0, 13)
  }

  test.each([
    ["", []],
    [", if it counts from then", ["--since", "30m"]],
  ])("is an error in each poll by a right clock, which names its state and what to do%s", async (_, since) => {
    const begun = await begin(...since)
    for (let polls = 0; polls < 2; polls++) {
      const { code, stdout, stderr } = await poll(...since)
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain(`${state}: The clock was ahead when the watch began: it said ${begun}`)
      expect(stderr).toContain("Start a new watch with another --state FOLDER and --since TIME, ")
      expect(stderr).not.toContain("No transfer is new")
    }
    state = join(folder, "anew")
    expect((await poll("--since", "10m")).stdout).toMatch(/created .*order-new/)
  })

  test("delivers what it has found all the same", async () => {
    await begin()
    await Fake.change(fake.url, "tr_new", { created_at: new Date(Date.now() + 3 * 3_600_000).toISOString() })
    const { code, stdout } = await poll()
    expect(code).toBe(2)
    expect(stdout).toMatch(/created .*order-new/)
  })

  test.each([
    ["since", "2024-09-01"],
    ["created-at", "gte:2024-09-01T00:00:00Z"],
  ])("misses nothing if it begins at a time that is given: --%s %s", async (flag, time) => {
    await begin(`--${flag}`, time)
    const { code, stdout } = await poll()
    expect(code).toBe(0)
    expect(stdout).toMatch(/created .*order-new/)
  })
})

test("rejects a file as its folder, and leaves it as it was", async () => {
  await writeFile(state, "notes")
  const { code, stderr } = await run(["watch", "--once", "--state", state], { env: demo(fake.url) })
  expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${state}: --state names a folder, and this is a file\n` })
  expect(await readFile(state, "utf8")).toBe("notes")
})

test("rejects json without --once, which would have no end", async () => {
  const { code, stderr } = await run(["watch", "--sandbox", "--output", "json"])
  expect(code).toBe(2)
  expect(stderr).toContain("--output ndjson")
})
