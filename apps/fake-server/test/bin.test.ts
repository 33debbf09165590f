/** The program as it is started by a person or a script. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import { expect, test } from "vitest"
import { call } from "./partner.ts"

const bin = path.join(import.meta.dirname, "../src/bin.ts")

const run = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  const line = new Promise<string>((resolve) =>
    child.stdout.on("data", () => output.stdout.includes("\n") && resolve(output.stdout)),
  )
  const exit = new Promise<number | null>((resolve) => child.on("exit", resolve))
  return { child, output, line, exit }
}

test("says where it listens as one line of JSON, serves, and stops on SIGTERM", async () => {
  const { child, line, exit } = run("--port", "0", "--json", "--transfers", "7", "--partner", "p:s")
  const { event, url } = JSON.parse(await line)
  expect(event).toBe("listening")
  const page = await call(`${url}/v1/transfers/search`, { credentials: "p:s" })
  expect(page.json.results).toHaveLength(7)
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
})

test("says what is wrong with its options and does not start", async () => {
  const { exit, output } = run("--port", "0", "--partner", "nobody")
  expect(await exit).toBe(2)
  expect(output.stderr + output.stdout).toContain("Write <id>:<secret>")
})
