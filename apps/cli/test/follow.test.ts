/** `transfers sync --follow`: what is asked for once holds for one of its passes. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string
let mirror: string
let follower: ReturnType<typeof follow> | undefined

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 300 })
  folder = await mkdtemp(join(tmpdir(), "transfers-follow-"))
  mirror = join(folder, "transfers.db")
})
afterEach(async () => {
  follower?.child.kill("SIGKILL")
  await follower?.closed
  await fake.close()
  await rm(folder, { recursive: true })
})

const sync = () => run(["sync", "--to", mirror], { env: demo(fake.url) })

const insert = (id: string) =>
  Fake.insert(fake.url, { id, external_id: `order-${id}`, status: "executing", created_at: new Date().toISOString() })

/** A follower, what it says, and its end. */
const follow = (...args: ReadonlyArray<string>) => {
  const child = start(["sync", "--to", mirror, "--follow", "--interval", "1", ...args], { env: demo(fake.url) })
  const started = { child, closed: once(child, "close"), stderr: "" }
  child.stderr.setEncoding("utf8").on("data", (text: string) => (started.stderr += text))
  follower = started
  return started
}

describe("--allow-vanished of a follower", () => {
  const open = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `tr_${from + index}`)
  const remove = async (from: number, to: number) => {
    for (const id of open(from, to)) await Fake.remove(fake.url, id)
  }
  beforeEach(async () => {
    for (const id of open(0, 90)) await insert(id)
  })

  /** A follower that stops when so many are missing after a pass that says this. */
  const stopsAfter = async (said: string) => {
    const started = follow("--allow-vanished", "50")
    await Waiting.until(() => started.stderr.includes(said))
    const before = started.stderr.length
    // So many that a pass meets more than 20 of them, even if it begins in the middle.
    await remove(40, 90)
    await Waiting.until(() => started.child.exitCode !== null || /\d vanished,/.test(started.stderr.slice(before)))
    expect(started.child.exitCode).toBe(5)
    expect(started.stderr).toMatch(/did not return (\d+) of \d+ transfers .* allow it once with --allow-vanished \1/)
  }

  test("holds for one pass", async () => {
    expect(await sync()).toMatchObject({ code: 0 })
    await remove(0, 40)
    await stopsAfter("40 vanished")
  })

  test("is over after a pass that did not need it", () => stopsAfter("loaded 390 transfers"))
})

test("--follow --verify reads everything again after the first pass that succeeds", async () => {
  expect(await sync()).toMatchObject({ code: 0 })
  await Fake.addFaults(fake.url, { fault: "status", status: 500 })
  const started = follow("--verify")
  await Waiting.until(() => started.stderr.includes("Retrying."))
  await Fake.clearFaults(fake.url)
  await Waiting.until(() => started.stderr.includes("read 300 transfers again"))
  const pages = (await Fake.journal(fake.url)).length
  await Waiting.until(async () => (await Fake.journal(fake.url)).length > pages)
  started.child.kill("SIGTERM")
  await started.closed
  expect(started.stderr.match(/read 300 transfers again/g)).toHaveLength(1)
})
