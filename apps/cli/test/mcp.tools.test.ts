/** What a client can rely on: schemas, cursors, progress, and the tools over a mirror. The SDK checks each result. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo, run } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { call, conversations } from "./Mcp.ts"

let fake: RunningFakeServer
let folder: string
let mirror: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 300, seed: 7, now: "2025-01-01T00:00:00Z" })
  folder = await mkdtemp(join(tmpdir(), "transfers-mcp-"))
  mirror = join(folder, "transfers.db")
  await run(["sync", "--to", mirror], { env: demo(fake.url) })
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const conversation = conversations(() => ({ env: demo(fake.url) }))
const ask = async (...args: ReadonlyArray<string>) => (await conversation(...args)).client

test("every argument and every field of a result is described, and nothing is declared that is not there", async () => {
  const client = await ask()
  expect(client.getServerCapabilities()).toEqual({ logging: {}, tools: {} })
  const { tools } = await client.listTools()
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect({ name, argument, schema }).toMatchObject({ schema: { description: expect.any(String) } })
    }
    expect({ name, ...Object(outputSchema?.properties?.["data"]) }).toMatchObject({ name, type: "object" })
    const fields = Object(outputSchema?.properties?.["data"]).properties
    expect(Object.keys(fields).length).toBeGreaterThan(0)
  }
  const validate = tools.find(({ name }) => name === "validate_proposal")
  expect(validate?.inputSchema.properties?.["proposal"]).toMatchObject({
    anyOf: [
      { properties: { source: { properties: { amount: { type: "string" } } } } },
      { type: "string", description: "The same as JSON text" },
    ],
  })
})

test.each(["by", "fields"])("totals by each of %s once, however often a call names it", async (name) => {
  const client = await ask("--from", mirror)
  const repeated = name === "by" ? "currency" : "source_total"
  for (const count of [2, 24_000]) {
    const { isError, text } = await call(client, "summarise", { [name]: Array.from({ length: count }, () => repeated) })
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(/unique|at most/) })
  }
})

test("a proposal has the same verdict as an object and as its JSON text", async () => {
  const client = await ask()
  const proposal = { country_code: "AQ", source: { amount: "1.00", currency_code: "fiat/USD" } }
  const [object, text] = [
    await call(client, "validate_proposal", { proposal }),
    await call(client, "validate_proposal", { proposal: JSON.stringify(proposal) }),
  ]
  expect(object.answer.data).toMatchObject({ valid: false })
  expect(text.answer.data).toEqual(object.answer.data)
  const broken = await call(client, "validate_proposal", { proposal: "{" })
  expect(broken).toMatchObject({ isError: true, text: expect.stringContaining("the text is not JSON") })
  const twice = await call(client, "validate_proposal", { proposal: '{"source":{"amount":"9",\n"amount":"1"}}' })
  const place = "line 2, column 1: its object has a name twice"
  expect(twice).toMatchObject({ isError: true, text: expect.stringContaining(place) })
})

test("a number that is none of JavaScript is shown in the verdict on its proposal", async () => {
  const client = await ask()
  const verdict = await call(client, "validate_proposal", { proposal: '{"country_code":1e999,"payment_method":1.10}' })
  expect(verdict).toMatchObject({ isError: false, text: expect.stringMatching(/"actual":1e999.*"actual":1\.10/s) })
})

test("a search continues with its cursor until every match was shown once", async () => {
  const filters = { since: "2024-11", until: "2024-12", status: ["complete"] }
  for (const args of [[], ["--from", mirror]]) {
    const client = await ask(...args)
    const ids: Array<unknown> = []
    let cursor: string | undefined
    do {
      const { answer } = await call(client, "search_transfers", { ...filters, limit: 7, ...(cursor && { cursor }) })
      ids.push(...answer.data.transfers.map((transfer) => Object(transfer).id))
      cursor = Object(answer.data).next_cursor
      // What arrives meanwhile moves the pages.
      if (cursor !== undefined && ids.length === 7) {
        await Fake.insert(fake.url, {
          id: `late_${args.length}`,
          status: "complete",
          created_at: "2024-12-31T23:00:00Z",
        })
      }
    } while (cursor !== undefined)
    const printed = await run(
      ["search", "--all", ...args, "--since", "2024-11", "--until", "2024-12", "--status", "complete"],
      { env: demo(fake.url) },
    )
    const all = printed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id)
    expect(all.length).toBeGreaterThan(15)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !String(id).startsWith("late_")).toSorted()).toEqual(
      all.filter((id) => !String(id).startsWith("late_")).toSorted(),
    )
  }
  const client = await ask()
  const first = Object((await call(client, "search_transfers", { ...filters, limit: 1 })).answer.data)
  const other = await call(client, "search_transfers", { limit: 1, cursor: first.next_cursor })
  expect(other).toMatchObject({ isError: true, text: expect.stringContaining("other filters") })
  const unknown = await call(client, "search_transfers", { ...filters, cursor: "nowhere" })
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining("not known any more") })
})

test.each<[string, object]>([
  ["without a filter", {}],
  ["since a day", { since: "2025-01-01" }],
  ["until a day to come", { since: "2025-01-01", until: "2100-01-01" }],
])("a search of a service or a file %s shows what is dated after our clock", async (_, filters) => {
  const transfers = [
    "2025-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z",
    "2099-01-01T00:00:00Z",
    "2099-06-01T00:00:00Z",
  ].map((created_at, index) => ({ id: `dated_${index}`, kind: "cash_in", status: "complete", created_at }))
  const file = join(folder, "dated.ndjson")
  await writeFile(file, transfers.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
  const service = await startFakeServer({ data: transfers, now: "2099-12-01T00:00:00Z" })
  try {
    for (const args of [
      ["--from", file],
      ["--base-url", service.url],
    ]) {
      const client = await ask(...args)
      const ids: Array<unknown> = []
      let cursor: string | undefined
      do {
        const { answer } = await call(client, "search_transfers", { ...filters, limit: 1, ...(cursor && { cursor }) })
        ids.push(...answer.data.transfers.map((transfer) => Object(transfer).id))
        cursor = Object(answer.data).next_cursor
      } while (cursor !== undefined)
      expect(ids.toSorted(), args[0]).toEqual(transfers.map(({ id }) => id))
    }
  } finally {
    await service.close()
  }
})

test("a part of a search does not look as if it had the newest, in a service that lists the oldest first", async () => {
  const oldestFirst = await startFakeServer({ transfers: 50, order: "oldest-first" })
  try {
    const client = await ask("--base-url", oldestFirst.url)
    const { tools } = await client.listTools()
    const said = tools.find(({ name }) => name === "search_transfers")?.description
    expect(said).toContain("the first ones need not be the newest")
    const { answer } = await call(client, "search_transfers", { limit: 3 })
    const times = answer.data.transfers.map((transfer) => Object(transfer).created_at)
    expect(times).toEqual(times.toSorted())
    expect(answer).toMatchObject({ truncated: true, hint: expect.stringContaining("these need not be the newest") })
  } finally {
    await oldestFirst.close()
  }
})

test("a long read reports growing progress to a client that gives a token", async () => {
  const client = await ask()
  const seen: Array<number> = []
  const onprogress = ({ progress }: { readonly progress: number }) => void seen.push(progress)
  await client.callTool({ name: "summarise", arguments: { since: "2024" } }, undefined, { onprogress })
  expect(seen.length).toBeGreaterThan(0)
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
})

test("query returns the rows of a mirror, can only read, and is off without one or with a mask", async () => {
  const client = await ask("--from", mirror)
  const sql = "SELECT status, COUNT(*) AS transfers FROM transfers GROUP BY status ORDER BY status"
  const { answer } = await call(client, "query", { sql })
  const printed = await run(["query", "--from", mirror, sql, "--output", "json"])
  expect(answer.data).toEqual({ rows: JSON.parse(printed.stdout) })
  const written = await call(client, "query", { sql: "DELETE FROM transfers" })
  expect(written).toMatchObject({ isError: true, text: expect.stringContaining("cannot modify transfers") })
  expect(written.text).not.toContain(folder)
  expect((await call(client, "query", { sql })).answer.data).toEqual(answer.data)
  expect((await call(await ask(), "query", { sql })).text).toContain("NoMirror")
  expect((await call(await ask("--from", mirror, "--mask", "wallet_address"), "query", { sql })).text).toContain(
    "Masked",
  )
})

test("reconcile pairs a ledger with the transfers of its period, and lists what does not match", async () => {
  const rows = await run(["search", "--all", "--from", mirror, "--since", "2024-10", "--until", "2024-10"])
  const settled = rows.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ status, external_id }) => status === "complete" && external_id !== undefined)
  const keys = settled.map(({ external_id }) => external_id)
  const single = settled.filter(({ external_id }) => keys.indexOf(external_id) === keys.lastIndexOf(external_id))
  const [wrong, missing, ...right] = single
  const entry = ({ external_id, source_total }: (typeof settled)[number]) => ({ key: external_id, ...source_total })
  const ledger = [
    ...right.map(entry),
    { ...entry(wrong), amount: "0.01" },
    { key: "no-such-order", amount: "1.00", currency_code: "fiat/USD" },
  ]
  for (const args of [["--from", mirror], []]) {
    const { answer } = await call(await ask(...args), "reconcile", { since: "2024-10", until: "2024-10", ledger })
    const { totals, breaks } = Object(answer.data)
    expect(totals.Matched.outcomes).toBe(right.length)
    const found = breaks.map((each: { readonly outcome: string }) => each.outcome)
    expect(found).toEqual(expect.arrayContaining(["Differs", "NotAtService", "NotInLedger"]))
    const keysOf = (outcome: string) =>
      breaks
        .filter((each: { readonly outcome: string }) => each.outcome === outcome)
        .flatMap((each: { readonly transfers: ReadonlyArray<{ readonly external_id: string }> }) =>
          each.transfers.map(({ external_id }) => external_id),
        )
    expect(keysOf("Differs")).toEqual([wrong.external_id])
    expect(keysOf("NotInLedger")).toContain(missing.external_id)
  }
  const bad = { ledger: [{ key: "x", amount: "1e5", currency_code: "fiat/USD" }] }
  expect((await call(await ask(), "reconcile", bad)).text).toContain("ledger: row 1 has no amount")
})
