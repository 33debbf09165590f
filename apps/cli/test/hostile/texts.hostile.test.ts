/** Texts that UTF-8 cannot encode: legal JSON, and in every command they are kept, shown as escapes, and stop nothing. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo, run } from "../Cli.ts"
import { see } from "../Terminal.ts"

const odd = ["order-\ud800", "order-\udc00", "order-\\ud800", "order-\0", "\ud83d\ud83d", "order-\u{1f600}"]

let folder: string
let fake: RunningFakeServer
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-texts-"))
  fake = await startFakeServer({
    data: odd.map((text, index) => ({
      id: `tr_${index}${text}`,
      external_id: text,
      kind: "cash_in",
      status: "complete",
      created_at: `2024-09-0${index + 1}T00:00:00Z`,
      source_total: { amount: "10.00", currency_code: "fiat/USD" },
      wallet_address: text,
      [`note${text}`]: text,
    })),
  })
  env = demo(fake.url)
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const inFolder = (name: string) => join(folder, name)

/** Each transfer of a source by its id. */
const transfersOf = async (...source: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(["search", "--all", "--output", "ndjson", ...source], { env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const lines = stdout.split("\n").filter((line) => line !== "")
  return new Map(lines.map((line) => JSON.parse(line)).map((transfer) => [transfer.id, transfer]))
}

test("a mirror in SQLite holds them, and syncs, watches and reports go on", async () => {
  const served = await transfersOf()
  expect([...served.values()].map(({ external_id }) => external_id).toSorted()).toEqual(odd.toSorted())
  const mirror = inFolder("transfers.db")
  for (let pass = 0; pass < 2; pass++) {
    expect(await run(["sync", "--to", mirror], { env })).toMatchObject({ code: 0 })
    expect(await transfersOf("--from", mirror)).toEqual(served)
  }
  const shown = await run(["show", "tr_0order-\\ud800", "--from", mirror, "--json", "id"])
  expect(shown.code).toBe(1)
  const watched = await run(
    ["watch", "--once", "--since", "2024-09", "--state", inFolder("state"), "--output", "ndjson"],
    { env },
  )
  expect(watched).toMatchObject({ code: 0 })
  const seen = watched.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).transfer.external_id)
  expect(seen.toSorted()).toEqual(odd.toSorted())
})

test.each(["csv", "ndjson", "json", "parquet", "xlsx"])("an export as %s gives each back as it was", async (format) => {
  const file = inFolder(`all.${format}`)
  expect(await run(["export", "--out", file], { env })).toMatchObject({ code: 0 })
  expect(await run(["verify", file])).toMatchObject({ code: 0 })
  if (format !== "xlsx") expect(await transfersOf("--from", file)).toEqual(await transfersOf())
})

test("exports in all formats are the same", async () => {
  for (const format of ["ndjson", "json", "parquet"]) {
    const { code, stdout } = await run(["diff", inFolder("all.csv"), inFolder(`all.${format}`)])
    expect({ code, stdout }).toMatchObject({ code: 0 })
  }
})

test("a terminal and a page show escapes", async () => {
  const { text, code } = await see(["search"], { columns: 200, env })
  expect(code).toBe(0)
  expect(text).toContain("order-\\ud800")
  expect(text.isWellFormed()).toBe(true)
  await writeFile(inFolder("ledger.csv"), "external_id,amount,currency\norder-1,1.00,fiat/USD\n")
  const page = inFolder("page.html")
  const september = ["--since", "2024-09", "--until", "2024-09"]
  expect(await run(["reconcile", inFolder("ledger.csv"), ...september, "--html", page], { env })).toMatchObject({
    code: 1,
  })
  const html = await readFile(page, "utf8")
  expect(html).toContain("order-\\ud800")
  expect(html).not.toContain("\ufffd\ufffd")
})
