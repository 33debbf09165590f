/** `transfers watch --exec`: an event is done when its command has succeeded. */
import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { startWatch } from "./RunningWatch.ts"
import { pendingIn } from "./WatchState.ts"

let fake: RunningFakeServer
let folder: string
let state: string
let log: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 0 })
  folder = await mkdtemp(join(tmpdir(), "transfers-watch-exec-"))
  state = join(folder, "state.json")
  log = join(folder, "log")
  await writeFile(log, "")
  await Fake.insert(fake.url, { id: "tr_old", status: "executing", created_at: "2024-09-01T00:00:00Z" })
})

afterEach(async () => {
  await fake.close()
  // A command of --exec outlives a watch that is killed.
  await rm(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
})

const poll = (command: string, ...args: ReadonlyArray<string>) =>
  run(["watch", "--once", "--since", "2024-09-01", "--state", state, "--exec", command, ...args], {
    env: demo(fake.url),
  })
const logged = async () => (await readFile(log, "utf8")).split("\n").slice(0, -1)
/** A process that has ended and waits for a parent counts as ended. */
const isRunning = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
  return stdout.trim() !== "" && !stdout.startsWith("Z")
}
const remember = () => `echo "$TRANSFER_EVENT $TRANSFER_ID" >> ${log}`

test("with --once, keeps the event of a failed command for the next run and exits with 1", async () => {
  const first = await poll("exit 7")
  expect(first.code).toBe(1)
  expect(first.stderr).toContain("The command exited with 7 for tr_old.\n")
  expect(first.stderr).toContain("error: The command of --exec failed for 1 of 1 event.")
  expect(first.stderr).not.toContain("Retrying")
  // It is kept however far the window has moved on, and when the transfer is terminal by now.
  await Fake.change(fake.url, "tr_old", { status: "complete" })
  await Fake.insert(fake.url, { id: "tr_new", status: "complete", created_at: "2024-09-10T00:00:00Z" })
  expect((await poll(`[ $TRANSFER_ID != tr_old ] && ${remember()}`)).code).toBe(1)
  expect((await poll(remember())).code).toBe(0)
  // Each of its events, in their order.
  expect(await logged()).toEqual(["created tr_new", "created tr_old", "changed tr_old"])
  expect((await poll(remember())).code).toBe(0)
  expect(await logged()).toHaveLength(3)
})

test("keeps the previous status of a change whose command failed", async () => {
  await poll("true")
  await Fake.change(fake.url, "tr_old", { status: "complete" })
  expect((await poll("false")).code).toBe(1)
  const { code, stdout } = await poll("true")
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ event: "changed", previous_status: "executing" })
})

test("delivers what surrounds an id that cannot be a variable, and that one by standard input", async () => {
  const long = "x".repeat(300_000)
  const ids = ["a\u0000b", "__proto__", long, "z"]
  for (const [second, id] of ids.entries()) {
    await Fake.insert(fake.url, { id, status: "complete", created_at: `2024-09-01T00:00:1${second}Z` })
  }
  const { code, stderr } = await poll(`wc -c >> ${log}; echo "\${TRANSFER_ID-none} $TRANSFER_STATUS" >> ${log}`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  const lines = await logged()
  expect(lines.filter((line) => line.includes(" "))).toEqual([
    "tr_old executing",
    "none complete",
    "__proto__ complete",
    "none complete",
    "z complete",
  ])
  expect(lines.map(Number).filter((bytes) => bytes > long.length)).toHaveLength(1)
  expect((await poll("false")).code).toBe(0)
})

test("saves each event when its command has succeeded, so that a kill repeats one at most", async () => {
  for (let index = 0; index < 4; index++) {
    await Fake.insert(fake.url, { id: `tr_${index}`, status: "complete", created_at: "2024-09-01T00:00:01Z" })
  }
  const busy = join(folder, "busy")
  await writeFile(busy, "")
  const child = start(
    [
      "watch",
      "--once",
      "--since",
      "2024-09-01",
      "--state",
      state,
      "--exec",
      `${remember()}; [ $TRANSFER_ID != tr_2 ] || while [ -e ${busy} ]; do sleep 0.1; done`,
    ],
    { env: demo(fake.url) },
  )
  await Waiting.until(async () => (await logged()).length === 4)
  child.kill("SIGKILL")
  await new Promise((resolve) => child.on("exit", resolve))
  await rm(busy)
  expect((await poll(remember())).code).toBe(0)
  expect(await logged()).toEqual(["tr_old", "tr_0", "tr_1", "tr_2", "tr_2", "tr_3"].map((id) => `created ${id}`))
})

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends all that a command has started, also what ignores signals, and a second one does not wait for it",
  async (signal) => {
    for (const signals of [1, 2]) {
      const pids = join(folder, `pids-${signal}-${signals}`)
      const stubborn = `sh -c 'trap "" TERM INT; echo $$ >> ${pids}; while :; do sleep 0.1; done'`
      const command = `${stubborn} & (echo $(exec sh -c 'echo $PPID') >> ${pids}; sleep 600) & echo $$ >> ${pids}; wait`
      const child = start(["watch", "--since", "2024-09-01", "--state", `${state}-${signals}`, "--exec", command], {
        env: demo(fake.url),
      })
      const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
      const started = async () => (await readFile(pids, "utf8").catch(() => "")).split("\n").slice(0, -1).map(Number)
      await Waiting.until(async () => (await started()).length === 3)
      const at = performance.now()
      for (let sent = 0; sent < signals; sent++) {
        child.kill(signal)
        await new Promise((resolve) => void setTimeout(resolve, 200))
      }
      expect(await closed).toBe(signal === "SIGINT" ? 130 : 143)
      expect(performance.now() - at).toBeLessThan(10_000)
      await Waiting.until(async () => (await started()).every((pid) => !isRunning(pid)))
    }
  },
)

test("what a command leaves running on purpose goes on", async () => {
  const pid = join(folder, "pid")
  expect((await poll(`sleep 600 >&- 2>&- & echo $! > ${pid}`)).code).toBe(0)
  const left = Number(await readFile(pid, "utf8"))
  expect(isRunning(left)).toBe(true)
  process.kill(left)
})

test("retries a failed command after the interval, then less often, and prints its event once", async () => {
  const watch = startWatch(fake.url, state, `${remember()}; [ $(wc -l < ${log}) -gt 2 ]`)
  await Waiting.until(async () => (await logged()).length === 3)
  await Waiting.until(() => pendingIn(state) === 0)
  expect(await watch.stop()).toBe(130)
  expect(watch.stderr.match(/Retrying in \d+s/g)).toEqual(["Retrying in 1s", "Retrying in 2s"])
  expect(watch.stdout.split("\n")).toHaveLength(2)
})

test.each([
  "postgres://me:mirror-secret@127.0.0.1/transfers",
  "postgres://me@127.0.0.1/transfers?password=mirror-secret",
  "postgres://me@127.0.0.1/transfers?PASSWORD=mirror-secret",
  "postgres://me@127.0.0.1/transfers?sslpassword=mirror-secret",
  "postgres://me%3Amirror-secret@127.0.0.1/transfers",
])("gives the command no secret of ours, unless it stands under another name: %s", async (address) => {
  const seen = join(folder, "environment")
  await Fake.insert(fake.url, { id: "tr_secret", created_at: new Date().toISOString() })
  const env = {
    ...demo(fake.url),
    TRANSFERS_MCP_TOKEN: "token-4711",
    PGPASSWORD: "database-secret",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=collector-secret",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=collector-secret",
    TRANSFERS_MIRROR: address,
    FOR_HOOK: "given-on-purpose",
  }
  await run(["watch", "--once", "--since", "1h", "--exec", `env > ${seen}`], { env })
  const text = await readFile(seen, "utf8")
  expect(text).toContain("FOR_HOOK=given-on-purpose")
  expect(text).toContain("TRANSFERS_PARTNER_ID=demo")
  expect(text).not.toMatch(/demo-secret|token-4711|mirror-secret|database-secret|collector-secret/)
})
