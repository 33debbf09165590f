/** Commands that take more than half a second say on a terminal what they do, and take it back when they are done. */
import { writeFile } from "node:fs/promises"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { program } from "../src/Main.ts"
import * as Screens from "../src/terminal/Screen.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const sandbox = ["--sandbox", "--now", "2025-01-01"]
const month = ["--since", "2024-09", "--until", "2024-09"]
beforeAll(async () => {
  expect(await run(["export", ...sandbox, ...month, "--out", "month.csv"])).toMatchObject({ code: 0 })
  await writeFile("ledger.csv", "external_id,amount,currency\no-1,1.00,USD\n")
})

let drawn = ""
let spy: { readonly mockRestore: () => void }
beforeEach(() => {
  drawn = ""
  Reflect.set(process.stderr, "isTTY", true)
  spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    drawn += String(text)
    return true
  })
})
afterEach(() => {
  spy.mockRestore()
  Reflect.deleteProperty(process.stderr, "isTTY")
})

/** Runs a command on a terminal; each time that it waits for something, so much time passes. */
const see = (args: ReadonlyArray<string>, milliseconds: number) => {
  const output: Screens.Output = {
    capabilities: { isTerminal: true, columns: 140, colour: false },
    write: () => Effect.void,
  }
  const screen = Layer.succeed(Screens.Screen, Screens.over({ stdout: output, stderr: output }))
  return Effect.gen(function* () {
    // A service has nothing of the future yet.
    yield* TestClock.setTime(Date.parse("2025-01-01"))
    const fiber = yield* Effect.forkChild(program(args, { version: "0.0.0", screen }))
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust(milliseconds)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return yield* Fiber.join(fiber)
  }).pipe(
    Effect.provide([TestClock.layer(), ConfigProvider.layer(ConfigProvider.fromUnknown({ HOME: "/home/me" }))]),
    Effect.runPromise,
  )
}

const commands = [
  [["verify", "month.csv"], /hashing|[\d,]+ transfers/],
  [["summary", "--from", "month.csv"], /[\d,]+ transfers · /],
  [["reconcile", "ledger.csv", "--from", "month.csv", ...month], /reading the ledger · /],
  [["reconcile", "ledger.csv", "--from", "month.csv", ...month], /matching · /],
  [["export", ...sandbox, ...month, "--out", "again.csv", "--force"], /sorting and writing · /],
] as const

test.each(commands)("%j shows %s", async (args, words) => {
  expect(await see(args, 600)).toBeLessThan(2)
  expect(drawn).toMatch(words)
  // The line is cleared, and the cursor is shown again.
  expect(drawn).toContain("\u001b[?25h")
  expect(drawn.endsWith("\u001b[1G\u001b[2K")).toBe(true)
})

test.each(commands)("%j shows nothing if it is done sooner", async (args) => {
  expect(await see(args, 0)).toBeLessThan(2)
  expect(drawn).toBe("")
})

test.each(commands)("%j shows nothing to a script", async (args) => {
  expect(await see([...args, "--output", "json"], 600)).toBeLessThan(2)
  expect(drawn).toBe("")
})
