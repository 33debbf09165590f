/** A pipe without a writer in place of each file: one SIGTERM ends the wait. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "fake-pipes-"))
const pipe = join(folder, "pipe.db")
execFileSync("mkfifo", ["-m", "600", pipe])
afterAll(() => rmSync(folder, { recursive: true }))

const bin = join(import.meta.dirname, "../src/bin.ts")

test.each([
  ["--data", pipe],
  ["--faults", pipe],
  ["--fees", pipe],
  ["--dialect", pipe],
  ["--replay", pipe],
  ["--from", `sqlite:${pipe}`],
  ["--tls", pipe],
  ["--record", "http://127.0.0.1:1", "--out", pipe],
])("%s", async (...args) => {
  const child = spawn(process.execPath, [bin, "--port", "0", ...args], { stdio: "ignore" })
  const closed = once(child, "close")
  // Long enough to open it; on a machine so busy that it is not, the signal comes before.
  const late = setTimeout(() => child.kill("SIGTERM"), 3000)
  const [code, signal] = await closed
  clearTimeout(late)
  // By the signal, or because it is no file.
  expect([0, 2, "SIGTERM"]).toContain(signal ?? code)
})
