/** `pnpm lambda:local` as a user runs it: a process, a fake service, requests over HTTP. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"

const main = new URL("../local/main.ts", import.meta.url).pathname
const golden = (name: string): string => new URL(`golden/${name}.event.json`, import.meta.url).pathname

const environment = (baseUrl: string) => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  TRANSFERS_BASE_URL: baseUrl,
  TRANSFERS_PARTNER_ID: "demo",
  TRANSFERS_SECRET_KEY: "demo-secret",
})

describe("lambda:local", () => {
  it("serves a Function URL until it is interrupted", async () => {
    await using fake = await startFakeServer()
    const local = spawn(process.execPath, [main, "--port", "0", "--client", "plain"], { env: environment(fake.url) })
    const [line] = await once(local.stdout.setEncoding("utf8"), "data")
    const url = /listens on (\S+)/.exec(String(line))?.[1] ?? ""
    const post = async (body: string, type: string) => {
      const response = await fetch(url, { method: "POST", body, headers: { "content-type": type } })
      return { status: response.status, body: await response.json() }
    }
    const proposal = {
      external_id: "order-1",
      country_code: "US",
      payment_method: "nothing-of-the-sort",
      source: { amount: "1000000000.00", currency_code: "fiat/USD" },
      destination_currency_code: "ethereum/USDC",
    }
    expect(await post(JSON.stringify(proposal), "application/json")).toMatchObject({
      status: 200,
      body: {
        valid: false,
        results: [{ violations: [{ code: "unsupported_payment_method" }, { code: "above_maximum" }] }],
      },
    })
    expect(await post(JSON.stringify({ transfers: [proposal] }), "application/vnd.partner+json")).toMatchObject({
      status: 200,
    })
    const headers = { "content-type": "application/json", "content-encoding": "gzip" }
    const gzipped = await fetch(url, { method: "POST", body: gzipSync(JSON.stringify([proposal])), headers })
    expect(await gzipped.json()).toMatchObject({ results: { length: 1 } })
    expect(await post("{", "application/json")).toMatchObject({ status: 400 })
    expect(await post("a=b", "text/csv")).toMatchObject({ status: 415 })
    expect((await fetch(url)).status).toBe(405)
    expect(await post(" ".repeat(6 * 1024 * 1024), "application/json")).not.toMatchObject({
      body: { message: expect.anything() },
    })
    expect(await post(" ".repeat(6 * 1024 * 1024 + 1), "application/json")).toEqual({
      status: 413,
      body: { message: "Request must be smaller than 6291456 bytes" },
    })
    local.kill("SIGINT")
    const [status] = await once(local, "exit")
    expect(status).toBe(0)
  })

  it("handles one event of any kind", async () => {
    await using fake = await startFakeServer()
    const run = (name: string) =>
      spawnAsync([main, "--client", "plain", "--event", golden(name)], environment(fake.url))
    expect(JSON.parse((await run("queue")).stdout)).toMatchObject({ batchItemFailures: { length: 1 } })
    expect(await run("s3")).toMatchObject({ status: 1, stdout: expect.stringContaining("UnknownEvent") })
  })

  it("shows its help", () => {
    const { status, stdout } = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("--event FILE") })
  })

  const wrongArguments: ReadonlyArray<readonly [args: ReadonlyArray<string>, message: RegExp]> = [
    [["--bogus"], /^Unknown option '--bogus'/],
    [["event.json"], /^Unexpected argument 'event.json'/],
    [["--port", "many"], /^--port is "many", and must be a whole number from 0 to 65535\.\n$/],
    [["--timeout", "0"], /^--timeout is "0", and must be a whole number from 1 to 900\.\n$/],
    [["--client", "none"], /^The runtime client "none" does not exist\. Use aws or plain\.\n$/],
    [
      ["--event", "nowhere.json"],
      /^The event cannot be read: ENOENT: no such file or directory, open 'nowhere.json'\.\n$/,
    ],
    [["--event", main], /main\.ts is not JSON\. .*test\/golden/],
  ]
  it.each(wrongArguments)("rejects %j and says what to do", (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) })
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it("rejects an event that is not UTF-8", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lambda-local-"))
    const file = join(folder, "latin1.json")
    await writeFile(file, Buffer.from('{"external_id":"M\u00fcller-1"}', "latin1"))
    const { status, stderr } = spawnSync(process.execPath, [main, "--event", file], { encoding: "utf8" })
    await rm(folder, { recursive: true })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("latin1.json: line 1: a character was lost; save the file as UTF-8."),
    })
  })

  it("says if a port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const { status, stderr } = spawnSync(process.execPath, [main, "--port", port], { encoding: "utf8" })
    other.close()
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(`^Port ${port} is taken\\. .* --port`),
    })
  })

  it("shows no stack if the function's settings are wrong", async () => {
    const wrong = { ...environment("http://api.example.com"), TRANSFERS_PARTNER_ID: "" }
    for (const env of [wrong, environment("http://api.example.com")]) {
      const { status, stdout } = await spawnAsync([main, "--client", "plain", "--event", golden("direct")], env)
      expect(status).toBe(1)
      expect(stdout).toMatch(/TRANSFERS_PARTNER_ID is not set|Use https:/)
      expect(stdout).not.toMatch(/\bat /)
    }
  })
})

const spawnAsync = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, args, { env })
  let stdout = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  const [status] = await once(child, "close")
  return { status: Number(status), stdout }
}
