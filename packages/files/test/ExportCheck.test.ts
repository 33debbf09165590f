/** An export is checked against its manifest, whatever is in either of them. */
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as ExportCheck from "../src/exports/ExportCheck.ts"
import type { ExportManifest } from "../src/exports/ExportManifest.ts"
import { FileError } from "../src/FileError.ts"
import type { Scratch } from "../src/partitions/Scratch.ts"
import { scratchInMemory } from "./partitions/scratchInMemory.ts"

const transfer = (id: string, amount?: string) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id,
        kind: "cash_in",
        status: "complete",
        created_at: "2024-09-01T00:00:00Z",
        ...(amount === undefined ? {} : { source_total: { amount, currency_code: "fiat/USD" } }),
      }),
    ),
  )

const manifest = (more: Partial<ExportManifest>): ExportManifest => ({
  transfers_export: 2,
  file: "out",
  format: "parquet",
  filters: {},
  created_at: [],
  as_of: "2024-10-01T00:00:00Z",
  started_at: "2024-10-01T00:00:00Z",
  transfers: 1,
  totals: {},
  bytes: 4,
  sha256: "s",
  digest: "d",
  ...more,
})

const check = (
  expected: ExportManifest,
  transfers: ReadonlyArray<Transfer.Transfer> | undefined,
  scratch: Scratch = scratchInMemory(),
) =>
  ExportCheck.check(
    { file: "out", bytes: 4, sha256: "s", transfers: transfers === undefined ? undefined : Stream.make(transfers) },
    expected,
    scratch,
  )

const checked = async (...[expected, transfers]: Parameters<typeof check>) =>
  (await Effect.runPromise(check(expected, transfers))).map(({ check: name, expected: was, found, ok }) =>
    [name, was, found, ok ? "ok" : "differs"].join("|"),
  )

const unchanged = ["file|out|out|ok", "bytes|4|4|ok", "sha256|s|s|ok"]

test("checks the bytes alone of a file that cannot be read back", async () => {
  expect(await checked(manifest({ bytes: 5 }), undefined)).toEqual([
    "file|out|out|ok",
    "bytes|5|4|differs",
    "sha256|s|s|ok",
  ])
})

test("passes an export without transfers", async () => {
  expect(await checked(manifest({ transfers: 0 }), [])).toEqual([
    ...unchanged,
    "readable|yes|yes|ok",
    "transfers|0|0|ok",
    "duplicate ids|0|0|ok",
    "outside the time range|0|0|ok",
    "outside the filters|0|0|ok",
    "out of order|0|0|ok",
  ])
})

test("checks what the manifest says of each transfer: its time and its properties", async () => {
  const found = async (more: Partial<ExportManifest>) =>
    (await checked(manifest(more), [transfer("tr_1")])).filter((line) => line.startsWith("outside"))
  const before = ["lt:2024-09-01T00:00:00Z"]
  expect(await found({ created_at: before })).toContain("outside the time range|0|1|differs")
  // Of a file, more may have been read than it claims.
  expect(await found({ created_at: before, read: [] })).toContain("outside the time range|0|0|ok")
  expect(await found({ created_at: before, read: before })).toContain("outside the time range|0|1|differs")
  expect(await found({ only: { status: ["Complete"] } })).toContain("outside the filters|0|0|ok")
  expect(await found({ only: { status: ["complete"], kind: ["cash_out"] } })).toContain(
    "outside the filters|0|1|differs",
  )
})

test("claims nothing of the transfers of an unknown source", async () => {
  const { as_of: _, created_at: __, ...unknown } = manifest({})
  expect((await checked(unknown, [transfer("tr_1")])).filter((line) => line.startsWith("outside"))).toEqual([])
})

test("compares totals that are longer than an amount may be", async () => {
  const longest = "9".repeat(255)
  const totals = { source_total: { "fiat/USD": `1${"9".repeat(254)}8` } }
  const results = await checked(manifest({ transfers: 2, totals }), [transfer("a", longest), transfer("b", longest)])
  expect(results.filter((result) => !result.endsWith("|ok"))).toEqual([])
})

test("takes transfers of one instant for in order, and counts those that are duplicates", async () => {
  const found = await checked(
    manifest({ transfers: 3 }),
    ["tr_2", "tr_1", "tr_2"].map((id) => transfer(id)),
  )
  expect(found).toContain("out of order|0|0|ok")
  expect(found).toContain("duplicate ids|0|1|differs")
})

describe("compares totals", () => {
  test.each<[string, string | undefined, string | undefined, string]>([
    ["that are equal", "1.10", "1.10", "ok"],
    ["that differ in their zeros", "1.10", "1.1", "differs"],
    ["that differ", "1.10", "1.2", "differs"],
    ["that differ in zeros of the whole", "100", "10", "differs"],
    ["of which one is missing in the file", "1.10", undefined, "differs"],
    ["of which one is missing in the manifest", undefined, "1.10", "differs"],
    ["of which one is no amount", "much", "1.10", "differs"],
  ])("%s", async (_, was, is, verdict) => {
    const totals = was === undefined ? {} : { source_total: { "fiat/USD": was } }
    const found = await checked(manifest({ totals }), [transfer("tr_1", is)])
    expect(found.at(-1)).toBe(`source_total in fiat/USD|${was ?? "none"}|${is ?? "none"}|${verdict}`)
  })
})

describe("ids that do not fit in memory", () => {
  const long = (first: string) => transfer(first.padEnd(1 << 20, "x"))
  const [a, b] = [long("a"), long("b")]

  test("are counted all the same, those of one transfer as its duplicates", async () => {
    const found = await checked(manifest({ transfers: 13 }), [...Array.from({ length: 12 }, () => a), b])
    expect(found).toContain("transfers|13|13|ok")
    expect(found).toContain("duplicate ids|0|11|differs")
  })

  test("fail the check, and say nothing of the file, if there is no room for them", async () => {
    const full: Scratch = {
      ...scratchInMemory(),
      append: () => {
        throw new FileError({ path: "scratch", reason: "the disk is full" })
      },
    }
    const failed = Effect.flip(
      check(
        manifest({}),
        Array.from({ length: 12 }, () => a),
        full,
      ),
    )
    expect(await Effect.runPromise(failed)).toEqual(new FileError({ path: "scratch", reason: "the disk is full" }))
  })
})
