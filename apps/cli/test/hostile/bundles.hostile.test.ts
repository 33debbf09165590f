/** Bundles of a close that somebody else made: none verifies, reads beyond itself, or costs more than a close of its size. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Part, zip } from "../../../../scripts/test/Zip.ts"
import * as BundleFiles from "../BundleFiles.ts"
import { run } from "../InProcess.ts"
import { measured } from "../Measured.ts"
import { see } from "../Terminal.ts"

type Files = Readonly<Record<string, string>>

let folder: string
let good: Files
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-bundles-"))
  const [all, bank] = [join(folder, "all.ndjson"), join(folder, "bank.csv")]
  await run(["export", "--sandbox", "--now", "2025-01-01", "--since", "2024-08", "--until", "2024-10", "--out", all])
  await writeFile(bank, "external_id,amount,currency,day\nnobody,5,EUR,2024-09-02\n")
  const out = join(folder, "good.zip")
  const own = ["--map", "date=day", "--grace", "3", "--out", out]
  await run(["close", "--month", "2024-09", "--from", all, "--ledger", bank, ...own])
  good = await BundleFiles.read(out)
}, 120_000)
afterAll(() => rm(folder, { recursive: true }))

const part = (name: string, text: string): Part => ({ name, bytes: Buffer.from(text) })

/** A bundle whose `close.json` has the hashes that fit, as whoever means harm would make it. */
const sealed = (files: Files, more: object = {}): ReadonlyArray<Part> => {
  const { "close.json": manifest = "", ...rest } = files
  const entries = Object.entries(rest).map(([path, text]) => ({
    path,
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
  }))
  const sealing = JSON.stringify({ ...JSON.parse(manifest), files: entries, ...more })
  return [part("close.json", sealing), ...Object.entries(rest).map(([name, text]) => part(name, text))]
}

/** A `close.json` that says of a file that it is withheld. */
const withheld = (name: string): string => {
  const { files, ...rest } = JSON.parse(good["close.json"] ?? "")
  const marked = files.map((one: { path: string }) => (one.path === name ? { ...one, withheld: true } : one))
  return JSON.stringify({ ...rest, files: marked })
}

/** With other settings. */
const settings = (change: object, more: object = {}): Files => {
  const kept = JSON.parse(good["settings.json"] ?? "")
  return {
    ...good,
    "settings.json": JSON.stringify({ ...kept, ...more, settings: { ...kept.settings, ...change } }),
  }
}

const carried = (entry: object, transfers: ReadonlyArray<unknown> = [], payouts: ReadonlyArray<unknown> = []): string =>
  JSON.stringify({
    open_items: 1,
    as_of_day: "2024-08-31",
    base: {
      created_at: ["gte:2024-08-01T00:00:00Z", "lt:2024-09-01T00:00:00Z"],
      time_zone: "+00:00",
      key: "external_id",
      amount: "source_total",
      group: false,
      settled: ["complete"],
      failed: ["declined"],
    },
    items: [
      {
        outcome: "NotAtService",
        entries: [{ reference: "r", key: "k", amount: "1", currency_code: "fiat/EUR", since: "2024-08-01", ...entry }],
        transfers,
      },
    ],
    unused: [],
    payouts,
    seen: { since: "2024-08-29", rows: [] },
  })

const file = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, "hostile.zip")
  await writeFile(path, bytes)
  return path
}

const verify = async (parts: ReadonlyArray<Part>) => {
  const { code, stdout, stderr } = await run(["verify", await file(zip(parts)), "--output", "json"])
  const checks: ReadonlyArray<{ readonly check: string; readonly ok: boolean }> =
    stdout === "" ? [] : JSON.parse(stdout).checks
  return { code, stderr, failed: checks.filter(({ ok }) => !ok).map(({ check }) => check) }
}

test("a bundle with the same files verifies", async () => {
  expect(await verify(sealed(good))).toEqual({ code: 0, stderr: "", failed: [] })
})

describe("rejects", () => {
  test.each<[string, () => ReadonlyArray<Part>, RegExp]>([
    [
      "a ledger outside of the bundle",
      () => sealed(settings({}, { ledgers: [`../${"../".repeat(20)}etc/passwd`] })),
      /etc\/passwd is no ledger of a bundle/,
    ],
    ["a file of the bundle as a ledger", () => sealed(settings({}, { ledgers: ["settings.json"] })), /is no ledger/],
    [
      "two files of a name, of which other programs show the other one",
      () => [part("report.html", "<h1>All matches</h1>"), ...sealed(good)],
      /two parts report.html/,
    ],
    [
      "a ledger that counts twice",
      () => sealed(settings({}, { ledgers: ["ledgers/bank.csv", "ledgers/bank.csv"] })),
      /one that it has twice/,
    ],
    ["two manifests", () => [part("close.json", "{}"), ...sealed(good)], /two parts close.json/],
    ["names that differ in case alone", () => sealed({ ...good, "SETTINGS.json": "{}" }), /names a file/],
    ["a path upwards", () => [...sealed(good), part("../evil", "x")], /invalid relative path/],
    ["a path from the root", () => [...sealed(good), part("/tmp/evil", "x")], /absolute path/],
    [
      "zeros of 256 MB",
      () => sealed({ ...good, "ledgers/zeros.csv": "\0".repeat(1 << 28) }),
      /its files have more than [0-9]+ MiB, far more/,
    ],
    [
      "400,000 files",
      () => [
        part(
          "close.json",
          JSON.stringify({
            ...JSON.parse(good["close.json"] ?? ""),
            files: Array.from({ length: 400_000 }, (_, at) => ({ path: `f${at}`, bytes: 0, sha256: "" })),
          }),
        ),
      ],
      /more than \d+ commas, lists or objects/,
    ],
    ["a month that its times are not", () => sealed(settings({}, { month: "2031-12" })), /not the month .{1,2}2031-12/],
    ["a day that is none", () => sealed(settings({ as_of_day: "constructor" })), /as_of_day: Not a date/],
    ["a grace of ages", () => sealed(settings({ grace_days: 1e15 })), /between 0 and 366/],
    ["a zone that is a path", () => sealed(settings({ time_zone: "../../etc/passwd" })), /no time zone/],
    ["settings that nest", () => sealed({ ...good, "settings.json": "[".repeat(300_000) }), /not what transfers close/],
    ["no settings", () => sealed({ "close.json": good["close.json"] ?? "" }), /settings.json/],
    [
      "a withheld file that is no ledger",
      () => [part("close.json", withheld("transfers.ndjson")), ...sealed(good).slice(1)],
      /names a file .{1,2}transfers.ndjson/,
    ],
    ["an open item of no day", () => sealed({ ...good, "carried.json": carried({ since: "constructor" }) }), /a day/],
    [
      "an open item of a million digits",
      () => sealed({ ...good, "carried.json": carried({ amount: "1".repeat(1e6) }) }),
      /Not an amount/,
    ],
    [
      "a payout of a million digits",
      () => {
        const payout = { id: "P", day: "2024-08-30", rows: 1, sums: [["1".repeat(1e6), "fiat/EUR"]], entries: [] }
        return sealed({ ...good, "carried.json": carried({}, [], [payout]) })
      },
      /Not an amount/,
    ],
    [
      "an open item that nests",
      () =>
        sealed({
          ...good,
          "carried.json": carried({}, ["N"]).replace('"N"', `{"id":${"[".repeat(2e5)}${"]".repeat(2e5)}}`),
        }),
      /\/id\/0\/0.* is more than 36 levels deep/,
    ],
  ])("%s", async (_, parts, reason) => {
    const { code, stderr } = await verify(parts())
    expect({ code, stderr: stderr.slice(0, 500) }).toEqual({ code: 2, stderr: expect.stringMatching(reason) })
  })
})

test("takes little memory for transfers of many objects beside the month", async () => {
  const [first = ""] = (good["transfers.ndjson"] ?? "").split("\n", 1)
  const objects = `${first.slice(0, -1)},"x":[${"{},".repeat(4000)}{}]}\n`
  const path = await file(zip(sealed({ ...good, "others.ndjson": objects.repeat(2000) })))
  const { code, memory } = await measured(["verify", path])
  expect(code).toBe(0)
  expect(memory).toBeLessThan(400)
})

/** Twenty million of a mark take 130 kB of a bundle, and took 1.5 GB once they were parsed. */
describe("takes little time and memory for", () => {
  const lists = "[".repeat(20_000_000)
  const objects = `[${"{},".repeat(7_000_000)}{}]`
  test.each<[string, () => Files]>([
    ["a transfer of lists", () => ({ ...good, "transfers.ndjson": lists })],
    ["a transfer of objects", () => ({ ...good, "transfers.ndjson": objects })],
    ["a transfer beside the month of objects", () => ({ ...good, "others.ndjson": objects })],
    ["settings of lists", () => ({ ...good, "settings.json": lists })],
    ["settings of objects", () => ({ ...good, "settings.json": objects })],
    ["open items of lists", () => ({ ...good, "carried.json": lists })],
    ["accepted breaks of objects", () => ({ ...good, "accepted.json": objects })],
  ])("%s", async (_, files) => {
    const path = await file(zip(sealed(files())))
    expect((await stat(path)).size).toBeLessThan(400_000)
    const { code, stderr, memory, cpu } = await measured(["verify", path])
    expect({ code, stderr: stderr.slice(0, 500) }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/more than \d+ (?:commas, lists or objects|values)/),
    })
    expect(memory).toBeLessThan(400)
    expect(cpu).toBeLessThan(10)
  })
})

test.each([
  ["month", "2031-12"],
  ["origin", { base_url: "https://api.example.com", partner_id: "somebody" }],
  ["source", "the service"],
  ["as_of", "2031-12-01T00:00:00Z"],
])("finds a close.json of another %s than its books", async (name, value) => {
  expect(await verify(sealed(good, { [name]: value }))).toMatchObject({ code: 1, failed: [`close.json ${name}`] })
})

test("shows nothing of a close.json that a terminal would interpret", async () => {
  const escapes = "\u001b]0;title\u0007\u001b[2J"
  const path = await file(zip(sealed(good, { month: `${escapes}2024-09`, version: escapes })))
  const { text } = await see(["verify", path], { columns: 100 })
  expect(text).toContain("x1b]0;title")
  for (const escape of ["\u001b]", "\u001b[2J", "\u0007"]) expect(text).not.toContain(escape)
})

test("waits for no pipe", async () => {
  const pipe = join(folder, "pipe.zip")
  execFileSync("mkfifo", [pipe])
  const { code, stderr } = await run(["verify", pipe])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("it is a pipe or a device") })
})

test("finds a file that has another name for programs that read from the start", async () => {
  const bytes = zip(sealed(good))
  bytes.write("x", bytes.indexOf("report.html"))
  const { code, stdout } = await run(["verify", await file(bytes), "--output", "json"])
  expect(code).toBe(1)
  expect(stdout).toContain("its part report.html is damaged: it has another name beside its bytes")
})
