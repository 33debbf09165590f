/** A call that is interrupted gives its process the time to cancel the statement, and ends when the process has. */
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import * as MirrorQuery from "../src/MirrorQuery.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-query-"))
})
afterAll(() => rm(folder, { recursive: true }))

const mirror = { from: "postgres://me@db.example/t", asOf: undefined, allowIncomplete: false }
const running = (script: string) =>
  MirrorQuery.inProcess({ file: process.execPath, program: ["--eval", script] }, mirror)("SELECT 1")

/** Interrupts a process once it runs. Returns the milliseconds that it took. */
const interrupted = async (name: string, onSignal: string): Promise<number> => {
  const started = join(folder, name)
  const fiber = Effect.runFork(
    running(
      `const { writeFileSync } = require("node:fs")
      process.on("SIGTERM", () => { ${onSignal} })
      setInterval(() => {}, 1000)
      writeFileSync(${JSON.stringify(started)}, String(process.pid))`,
    ),
  )
  await Waiting.until(() => existsSync(started))
  const before = performance.now()
  await Effect.runPromise(Fiber.interrupt(fiber))
  return performance.now() - before
}

test("the database has a limit of its own, below the patience of a call", async () => {
  const [given] = await Effect.runPromise(running("console.log(JSON.stringify([process.argv.slice(1)]))"))
  expect(given).toEqual(["query", "-", "--output", "json", "--timeout", "45", "--from", mirror.from])
})

test("a process that cancels its statement is waited for", async () => {
  const cancelled = join(folder, "cancelled")
  const write = `writeFileSync(${JSON.stringify(cancelled)}, ""); process.exit(130)`
  expect(await interrupted("polite", `setTimeout(() => { ${write} }, 300)`)).toBeGreaterThan(250)
  expect(existsSync(cancelled)).toBe(true)
})

test("a process that goes on is killed after a second", async () => {
  expect(await interrupted("stubborn", "")).toBeGreaterThan(900)
})
