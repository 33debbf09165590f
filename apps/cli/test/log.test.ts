/** `--log-level`: what a command asks of the service; and why a person waits. */
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import { demo, run } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { see } from "./Terminal.ts"

let fake: RunningFakeServer
beforeEach(async () => {
  fake = await startFakeServer({ transfers: 3 })
})
afterEach(() => fake.close())

const limitOnce = (seconds: number) =>
  Fake.addRule(fake.url, { faults: [{ fault: "rate_limited", retry_after: String(seconds) }], times: 1 })

const logged = async (level: string, ...more: ReadonlyArray<string>) => {
  await limitOnce(1)
  return run(["search", "-o", "json", "--log-level", level, ...more], { env: demo(fake.url) })
}

test("debug logs each request as a curl command without the secret key, each response, and each retry", async () => {
  const { code, stdout, stderr } = await logged("debug")
  expect(code).toBe(0)
  expect(JSON.parse(stdout).results).toHaveLength(3)
  expect(stderr).not.toContain("demo-secret")
  expect(stderr).not.toContain(Buffer.from("demo:demo-secret").toString("base64"))
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\[[\d:.]+\] (\w+) \(#\d+\): /, "$1 "))
  expect(lines).toEqual([
    expect.stringMatching(/^DEBUG curl .*\/v1\/transfers\/search\?limit=20'$/),
    expect.stringMatching(/^DEBUG status 429 in \d+ ms, request id \S+$/),
    expect.stringMatching(/^INFO Attempt 1 failed, retrying in 1s: The service limits the rate/),
    expect.stringMatching(/^DEBUG curl /),
    expect.stringMatching(/^DEBUG status 200 in \d+ ms, request id \S+$/),
  ])
})

test("info logs retries only, and by default nothing is logged", async () => {
  expect((await logged("info")).stderr.trimEnd().split("\n")).toEqual([expect.stringContaining("INFO")])
  expect((await logged("warn")).stderr).toBe("")
})

test("a wait of more than a second shows on a terminal, unless a script reads it", async () => {
  const terminal = { columns: 80, env: demo(fake.url) }
  await limitOnce(2)
  expect((await see(["search"], terminal)).text).toMatch(/The service limits the rate.* Retrying in 2s\.\n/)
  await limitOnce(2)
  expect((await see(["search", "-o", "json"], terminal)).text).not.toContain("Retrying")
})
