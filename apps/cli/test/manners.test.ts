import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { run, start } from "./Cli.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-cli-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe("where the command line is wrong", () => {
  test.each([
    [["serch"], "search"],
    [["search", "--limt", "3"], "--limit"],
    [["summary", "--charts"], "--chart"],
  ])("%j is a usage error that suggests %s, on standard error alone", async (args, suggestion) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(suggestion)
    expect(stderr).toContain("--help")
  })

  test.each([
    [["search", "--limit", "21"], "20"],
    [["search", "--since", "soon"], "2024-09-01"],
    [["search", "--created-at", "after:2024-09-01T00:00:00Z"], "gt, gte, lt, lte"],
    [["search", "--since", "2024-10", "--until", "2024-09"], "no transfer can match"],
    [["export", "--out", "transfers"], ".ndjson"],
  ])("%j says what is accepted", async (args, hint) => {
    const { code, stdout, stderr } = await run([...args, "--sandbox"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(hint)
  })

  test("says everything that is missing, and how to do without", async () => {
    const { code, stderr } = await run(["search"])
    expect(code).toBe(2)
    for (const hint of ["TRANSFERS_BASE_URL", "TRANSFERS_PARTNER_ID", "TRANSFERS_SECRET_KEY", "--sandbox"]) {
      expect(stderr).toContain(hint)
    }
  })
})

test("an error is JSON on standard error where JSON was asked for", async () => {
  const { code, stdout, stderr } = await run(["summary", "--sandbox", "--by", "hour", "--output", "json"])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "UsageError", exit_code: 2 } })
})

test.each(["--version", "-v"])("%s prints the version alone", async (flag) => {
  expect(await run([flag])).toEqual({ code: 0, stdout: `transfers ${manifest.version}\n`, stderr: "" })
})

test("ends quietly when its reader goes away", async () => {
  const child = start(["search", "--sandbox", "--all"])
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  child.stdout.destroy()
  const code = await new Promise((resolve) => child.on("close", resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})

describe("the secret key", () => {
  const secret = "s3cr3t-K3y"
  const encoded = Buffer.from(`me:${secret}`).toString("base64")
  const unreachable = { TRANSFERS_BASE_URL: "http://127.0.0.1:1", TRANSFERS_PARTNER_ID: "me" }

  test("is read from a file or standard input, and shown nowhere, at any log level", async () => {
    const file = join(folder, "key")
    await writeFile(file, `${secret}\n`)
    const runs = await Promise.all([
      run(["capabilities", "--secret-key-file", file, "--log-level", "trace"], { env: unreachable }),
      run(["capabilities", "--secret-key-stdin", "--log-level", "trace"], { env: unreachable, stdin: `${secret}\n` }),
      run(["capabilities", "--log-level", "trace"], { env: { ...unreachable, TRANSFERS_SECRET_KEY: secret } }),
    ])
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
      expect(stderr).toContain("Cannot reach the service")
      expect(stderr).not.toContain(secret)
      expect(stderr).not.toContain(encoded)
    }
  })

  test("is no flag, and one that is typed as one is not repeated", async () => {
    const { code, stderr } = await run(["capabilities", `--secret-key=${secret}`])
    expect(code).toBe(2)
    expect(stderr).not.toContain(secret)
  })
})
