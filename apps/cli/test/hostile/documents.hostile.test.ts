/** Damaged manifests and proposals are read or rejected with a reason, in bounded time and memory. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as ProposalRow from "@transferkit/domain/ProposalRow"
import * as Validation from "@transferkit/domain/Validation"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import { type Outcome, readEach } from "../../../../scripts/test/mutated.ts"
import * as ProposalFile from "../../src/files/ProposalFile.ts"
import { measured } from "../Measured.ts"

const cases = 400

const manifest = ExportManifest.seal({
  transfers_export: 2,
  file: "out.csv",
  format: "csv",
  csv_raw: true,
  filters: { status: ["complete"], since: ["2024-09"] },
  created_at: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
  started_at: "2024-10-02T00:00:00Z",
  transfers: 12,
  totals: { source_total: { "fiat/EUR": "12.50", "fiat/USD": "1200.00" } },
  bytes: 4711,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
})

test(`reads or rejects each of ${cases} damaged manifests`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "transfers-manifests-"))
  const file = join(folder, "out.csv")
  const path = `${file}.manifest.json`
  await writeFile(file, "")
  const good = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
  try {
    const readManifest = Effect.suspend(() => Effect.provide(ExportFile.readManifest(file), NodeServices.layer))
    await writeFile(path, good)
    const whole = await Effect.runPromise(readManifest)
    const { reasons } = await readEach({ name: "manifest", good, cases }, async (damaged, note) => {
      await writeFile(path, damaged)
      return Effect.runPromise(
        Effect.match(readManifest, {
          onSuccess: (value): Outcome => {
            // The digest finds all damage but that of white space.
            expect(value, note).toEqual(whole)
            return { read: value }
          },
          onFailure: (error): Outcome => {
            expect(error, note).toMatchObject({ _tag: "FileError", path })
            return { reason: error.reason }
          },
        }),
      )
    })
    expect(reasons.size).toBeGreaterThan(3)
  } finally {
    await rm(folder, { recursive: true })
  }
})

const capabilities = Result.getOrThrow(
  Capabilities.fromJson(
    JSON.stringify({
      supported_countries: [{ country_code: "US", country_name: "United States" }],
      supported_currencies: [
        { currency_code: "fiat/USD", legacy_currency_code: "USD", currency_name: "US Dollar" },
        { currency_code: "bitcoin/BTC", legacy_currency_code: "BTC", currency_name: "Bitcoin" },
      ],
      supported_payment_methods: [{ payment_method_code: "pix", payment_method_name: "Pix" }],
      transfer_limits: { "fiat/USD": { min_transfer: "5.00", max_transfer: "2500.00" } },
    }),
  ),
)

const proposals = ["a", "b", "c"].map((external_id) => ({
  country_code: "US",
  payment_method: "pix",
  source: { amount: "12.50", currency_code: "fiat/USD" },
  destination_currency_code: "bitcoin/BTC",
  external_id,
}))

test.each([
  ["a list of proposals", JSON.stringify(proposals, undefined, 2)],
  ["an envelope of proposals", JSON.stringify({ transfers: proposals })],
  ["a proposal a line", proposals.map((one) => `${JSON.stringify(one)}\n`).join("")],
])(`%s: judges or rejects each of ${cases} damaged ones`, async (name, text) => {
  const judge = (content: string) =>
    Result.map(ProposalFile.parse(content), (values) => Validation.validateAll(values, capabilities))
  expect(Result.getOrThrow(judge(text)).map(({ valid }) => valid)).toEqual([true, true, true])
  const { read, reasons } = await readEach({ name, good: Buffer.from(text), cases }, (damaged, note) => {
    const verdicts = judge(damaged.toString("utf8"))
    if (Result.isFailure(verdicts)) return { reason: verdicts.failure }
    expect(verdicts.success.length, note).toBeLessThanOrEqual(2 ** 3 * proposals.length)
    expect(JSON.stringify(verdicts.success).length, note).toBeLessThan(100_000)
    for (const { valid, violations } of verdicts.success) expect(valid, note).toBe(violations.length === 0)
    return { read: verdicts.success }
  })
  expect(read).toBeGreaterThan(10)
  expect(reasons.size).toBeGreaterThan(3)
})

const manyProposals = "there are 1000000 of them, and at most 100000 are read at once"

test.each([
  ["JSON", `[${"{},".repeat(999_999)}{}]`, "it has more than 250000 commas, lists or objects"],
  ["lines", "{}\n".repeat(1_000_000), manyProposals],
  ["CSV", `${ProposalRow.names.join(",")}\n${"a,US,pix,1,fiat/USD,bitcoin/BTC\n".repeat(1_000_000)}`, manyProposals],
])("a million proposals in %s are too many", async (_, text, reason) => {
  const found = await measured(["validate", "-", "--sandbox"], { stdin: text })
  expect(found.code, found.stderr).toBe(2)
  expect(found.stdout).toBe("")
  expect(found.stderr).toContain(reason)
  expect(found.memory).toBeLessThan(1500)
  expect(found.cpu).toBeLessThan(30)
})

test.each([
  ["search", "--from", "deep.ndjson"],
  ["validate", "deep.json", "--sandbox"],
  ["validate", "few.json", "--capabilities", "deep.json"],
  ["audit", "--sandbox", "--since", "2024-09", "--until", "2024-09", "--fees", "deep.json"],
  ["reconcile", "few.csv", "--sandbox", "--since", "2024-09", "--until", "2024-09", "--ledger-profile", "deep.json"],
  ["certify", "--against", "deep.json", "--base-url", "http://127.0.0.1:1"],
])("%s %s %s … takes little memory for 30 million lists", async (...args) => {
  const folder = await mkdtemp(join(tmpdir(), "transfers-deep-"))
  try {
    const deep = "[".repeat(30_000_000)
    const few = { "few.json": "[{}]", "few.csv": "external_id,amount,currency\nx,1.00,USD\n" }
    for (const [name, text] of Object.entries({ ...few, "deep.json": deep, "deep.ndjson": `${deep}\n` }))
      await writeFile(join(folder, name), text)
    const named = args.map((arg) => (/^(?:few|deep)[.]/.test(arg) ? join(folder, arg) : arg))
    const env = { TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
    const { code, stderr, memory, cpu } = await measured(named, { env })
    expect(code, stderr).toBe(2)
    expect(stderr).toContain("commas, lists or objects")
    expect(memory).toBeLessThan(500)
    expect(cpu).toBeLessThan(15)
  } finally {
    await rm(folder, { recursive: true })
  }
})
