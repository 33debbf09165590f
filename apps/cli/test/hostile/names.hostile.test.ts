/** Names of `Object.prototype`, paths and quotes where commands take texts for keys, labels and names of files. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo, run, start } from "../Cli.ts"
import { measured } from "../Measured.ts"

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "../../x", `a"} 1\\`]
const partner = `../../p"'} \\x`

let outer: string
let folder: string
let fake: RunningFakeServer
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  outer = await mkdtemp(join(tmpdir(), "transfers-names-"))
  folder = join(outer, "a", "b")
  await mkdir(folder, { recursive: true })
  fake = await startFakeServer({
    partners: [`${partner}:demo-secret`],
    data: names.map((name, index) => ({
      id: name,
      external_id: name,
      kind: name,
      status: name,
      created_at: `2024-09-0${index + 1}T00:00:00Z`,
      payment_method: name,
      source_total: { amount: "10.00", currency_code: "fiat/USD" },
      ...JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(name)}}`),
    })),
  })
  env = { ...demo(fake.url), TRANSFERS_PARTNER_ID: partner }
})
afterAll(async () => {
  await fake.close()
  expect(await readdir(outer)).toEqual(["a"])
  expect(await readdir(join(outer, "a"))).toEqual(["b"])
  await rm(outer, { recursive: true })
})

const inFolder = (name: string) => join(folder, name)
const mirror = () => inFolder("transfers.db")
const json = async (...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run([...args, "--output", "json"], { env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return JSON.parse(stdout)
}

test("transfers are kept field by field, in a mirror and in files", async () => {
  expect(await run(["sync", "--to", mirror()], { env })).toMatchObject({ code: 0 })
  const served = await run(["search", "--all", "--output", "ndjson"], { env })
  expect(served.stdout.trim().split("\n")).toHaveLength(names.length)
  expect((await run(["search", "--all", "--output", "ndjson", "--from", mirror()])).stdout).toBe(served.stdout)
  for (const format of ["csv", "parquet", "json"]) {
    const file = inFolder(`all.${format}`)
    expect(await run(["export", "--out", file], { env })).toMatchObject({ code: 0 })
    expect(await run(["verify", file])).toMatchObject({ code: 0 })
    const found = await run(["search", "--all", "--output", "ndjson", "--from", file])
    expect(found.stdout.trim().split("\n").toSorted()).toEqual(served.stdout.trim().split("\n").toSorted())
  }
})

test.each(["status", "kind", "payment_method"])("each is a group of its own by %s", async (by) => {
  for (const source of [[], ["--from", mirror()], ["--from", inFolder("all.csv")]]) {
    const { groups } = await json("summary", "--by", by, ...source)
    const found = groups.map((group: Readonly<Record<string, unknown>>) => JSON.stringify(group))
    expect(found).toHaveLength(names.length)
    for (const name of names) expect(found.join("\n")).toContain(JSON.stringify(name))
  }
})

test("each is found by its name, in the service and in a mirror", async () => {
  for (const name of names) {
    for (const source of [[], ["--from", mirror()]]) {
      const { code, stdout } = await run(["show", name, "--json", "id", ...source], { env })
      expect({ code, ids: JSON.parse(stdout) }).toEqual({ code: 0, ids: { id: name } })
    }
  }
})

test("a ledger whose columns and keys have such names is reconciled", async () => {
  const ledger = inFolder("ledger.csv")
  const rows = names.map((name) => `"${name.replaceAll('"', '""')}",10.00,fiat/USD,x,y\n`).join("")
  await writeFile(ledger, `external_id,amount,currency,__proto__,constructor\n${rows}`)
  const { breaks, outcomes } = JSON.parse(
    (
      await run([
        "reconcile",
        ledger,
        "--from",
        mirror(),
        "--since",
        "2024-09",
        "--until",
        "2024-09",
        "--output",
        "json",
      ])
    ).stdout,
  )
  // None is complete, so that none may be booked; but each is found.
  expect(outcomes).toHaveLength(names.length)
  expect(breaks).toBe(names.length)
  for (const { service } of outcomes) expect(service).toBeDefined()
})

test("a ledger of 100,000 currencies is rejected, and one of 1,000 reconciled", async () => {
  const ledger = inFolder("currencies.csv")
  const rows = Array.from({ length: 100_000 }, (_, index) => `k${index},1.00,net${index}/T\n`)
  for (const [count, code] of [
    [rows.length, 2],
    [1000, 1],
  ] as const) {
    await writeFile(ledger, `external_id,amount,currency\n${rows.slice(0, count).join("")}`)
    const found = await measured(["reconcile", ledger, "--from", mirror(), "--output", "json"])
    expect(found.code).toBe(code)
    expect(found.cpu).toBeLessThan(5)
    if (code === 2) expect(found.stderr).toContain("line 1002: the ledger has more than 1000 currencies. Which column")
  }
}, 120_000)

test("columns of a query may have such names", async () => {
  const { stdout } = await run(["query", "--from", mirror(), `SELECT 1 AS "__proto__", 2 AS "constructor"`])
  expect(stdout).toBe('{"__proto__":1,"constructor":2}\n')
})

test("proposals that have such names are distinguished", async () => {
  const stdin = JSON.stringify(names.map((external_id) => ({ external_id, __proto__: {}, constructor: 1 })))
  const { code, stdout } = await run(["validate", "-", "--sandbox", "--output", "json"], { stdin })
  expect(code).toBe(1)
  const codes = JSON.parse(stdout).results.flatMap(({ violations }: { violations: ReadonlyArray<{ code: string }> }) =>
    violations.map((violation) => violation.code),
  )
  expect(codes.length).toBeGreaterThan(0)
  expect(codes).not.toContain("duplicate_external_id")
})

test("a partner's id cannot end its label, and names no file", async () => {
  const child = start(["sync", "--follow", "--to", mirror(), "--metrics", "0"], { env })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk))
  const url = () => /http:\/\/\S+\/metrics/.exec(said)?.[0]
  await expect.poll(url, { timeout: 60_000 }).toBeDefined()
  const metrics = async () => (await fetch(url() ?? "")).text()
  await expect.poll(metrics, { timeout: 60_000 }).toContain("transfers_mirror_open")
  const labels = (await metrics()).split("\n").filter((line) => line.startsWith("transfers_mirror_open{"))
  expect(labels).toEqual([expect.stringContaining(`partner="../../p\\"'} \\\\x"`)])
  child.kill("SIGTERM")
  await new Promise((resolve) => child.on("close", resolve))
  expect(await run(["watch", "--once", "--since", "2024-09", "--state", inFolder("state")], { env })).toMatchObject({
    code: 0,
  })
})
