import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import * as SilentNames from "../../../scripts/test/SilentNames.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"

test("a second interrupt ends the program at once, while the first is still being handled", async () => {
  const fake = await startFakeServer({ transfers: 10 })
  await Fake.addFaults(fake.url, { fault: "latency", ms: 60_000 })
  const child = start(["watch", "--exec", "sleep 60"], { env: demo(fake.url) })
  await expect.poll(async () => (await Fake.journal(fake.url)).length).toBeGreaterThan(0)
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  child.kill("SIGINT")
  child.kill("SIGINT")
  expect(await closed).toBe(130)
  await fake.close()
})

test("an interrupted sync says that what was read is stored, and that the same command continues", async () => {
  const folder = mkdtempSync(join(tmpdir(), "transfers-"))
  await using fake = await startFakeServer({ transfers: 300 })
  await Fake.addFaults(fake.url, { fault: "no_reply" })
  const child = start(["sync", "--to", join(folder, "transfers.db")], { env: demo(fake.url) })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  await expect.poll(async () => (await Fake.journal(fake.url)).length).toBeGreaterThan(0)
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  child.kill("SIGINT")
  expect(await closed).toBe(130)
  expect(stderr).toContain("interrupted: what was read is stored; the same command continues\n")
  rmSync(folder, { recursive: true })
})

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("one %s ends what waits for a response, with the code that shells report for it", async (signal, code) => {
  await using fake = await startFakeServer({ transfers: 10 })
  await Fake.addFaults(fake.url, { fault: "no_reply" })
  const child = start(["search"], { env: demo(fake.url) })
  await expect.poll(async () => (await Fake.journal(fake.url)).length).toBeGreaterThan(0)
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  child.kill(signal)
  expect(await closed).toBe(code)
})

test.each(["SIGINT", "SIGTERM"] as const)("one %s ends the wait for a file without a writer", async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), "transfers-"))
  const pipe = join(folder, "pipe.ndjson")
  execFileSync("mkfifo", ["-m", "600", pipe])
  for (const args of [
    ["summary", "--from", pipe],
    ["whoami", "--partner-id", "a", "--base-url", "https://a.example", "--secret-key-file", pipe],
    ["validate", "-", "--capabilities", pipe],
  ]) {
    const child = start(args)
    child.stdin.end("[{}]")
    const closed = new Promise((resolve) => child.on("close", (code, by) => resolve(by ?? code)))
    // Long enough to open it; on a machine so busy that it is not, the signal comes before.
    setTimeout(() => child.kill(signal), 2000)
    expect([signal, { SIGINT: 130, SIGTERM: 143 }[signal]]).toContain(await closed)
  }
  rmSync(folder, { recursive: true })
})

test("one SIGTERM ends a document that was begun, although its reader takes nothing", async () => {
  await using fake = await startFakeServer({ transfers: 5000 })
  const child = start(["search", "--all", "--output", "json"], { env: demo(fake.url) })
  await once(child.stdout, "readable")
  // By then its pipe is full; on a machine so busy that it is not, the signal comes before.
  setTimeout(() => child.kill("SIGTERM"), 2000)
  expect(await once(child, "exit")).toEqual([143, null])
  child.stdout.destroy()
})

const silentNames = SilentNames.compile()

test.runIf(SilentNames.isPossible).each(["SIGINT", "SIGTERM"] as const)(
  "one %s ends the look-up of a name that no server answers",
  async (signal) => {
    const home = mkdtempSync(join(tmpdir(), "transfers-"))
    for (const args of [
      ["search"],
      ["doctor"],
      ["sync", "--to", join(home, "transfers.db"), "--follow"],
      ["query", "--from", "postgres://reader@db.example/transfers", "SELECT 1"],
      ["worker", "--to", "postgres://writer@db.example/transfers"],
      ["mcp", "--http", "--host", "mcp.example", "--port", "0", "--sandbox"],
    ]) {
      const names = silentNames()
      const token = { TRANSFERS_MCP_TOKEN: "open-sesame" }
      const child = start(args, { env: { ...demo("https://service.example"), ...token, ...names.env } })
      const closed = new Promise((resolve) => child.on("close", (code, by) => resolve(by ?? code)))
      await Waiting.until(names.areAsked)
      const began = performance.now()
      child.kill(signal)
      expect([args[0], await closed]).toEqual([args[0], signal])
      expect(performance.now() - began).toBeLessThan(5000)
    }
    rmSync(home, { recursive: true })
  },
)
