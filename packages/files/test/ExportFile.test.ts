/** An export is written from its spool, with a manifest by which it can be verified. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { beforeEach, describe, expect, test } from "vitest"
import * as ExportCheck from "../src/exports/ExportCheck.ts"
import * as ExportManifest from "../src/exports/ExportManifest.ts"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as ExportFile from "../src/node/ExportFile.ts"
import * as LedgerFile from "../src/node/LedgerFile.ts"
import * as Spool from "../src/node/Spool.ts"
import * as TransferFile from "../src/node/TransferFile.ts"
import { scratchInMemory } from "./partitions/scratchInMemory.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-export-"))
  return () => rm(folder, { recursive: true })
})

const transfer = (id: string, created_at: string, amount: string) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id,
        external_id: "=1+1",
        kind: "cash_in",
        status: "complete",
        created_at,
        source_total: { amount, currency_code: "fiat/USD" },
      }),
    ),
  )
const [first, second, third] = [
  transfer("tr_1", "2024-09-01T00:00:00Z", "1.10"),
  transfer("tr_2", "2024-09-02T00:00:00Z", "20.25"),
  transfer("tr_3", "2024-09-03T00:00:00.123456Z", "300.00"),
]

const run = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.runPromise(Effect.provide(effect, NodeServices.layer))

const spooled = Effect.gen(function* () {
  const spool = yield* Spool.create(join(folder, "out.spool"), {
    filters: { status: ["complete"] },
    created_at: ["lt:2024-10-01T00:00:00Z"],
    origin: { base_url: "http://a", partner_id: "demo" },
    only: { status: ["complete"] },
    as_of: "2024-10-01T00:00:00Z",
    started_at: "2024-10-01T00:00:00Z",
  })
  const checkpoint = { version: 2, query: "q", transfers: 0, remaining: [] } as const
  yield* Spool.append(spool, [third, second], checkpoint)
  yield* Spool.append(spool, [first], { ...checkpoint, transfers: 2 })
  return spool
})

/** Writes the three transfers, and reads the file back if that is possible. */
const write = (options: Partial<ExportFile.ExportOptions> & Pick<ExportFile.ExportOptions, "format">) =>
  run(
    Effect.scoped(
      Effect.gen(function* () {
        const path = join(folder, "out")
        const all = { path, csvRaw: false, createTable: false, ...options }
        const spool = yield* spooled
        const manifest = yield* ExportFile.write(spool, all)
        yield* Spool.remove(spool.path)
        expect(yield* ExportFile.readManifest(path)).toEqual(manifest)
        const fingerprint = yield* TransferFile.fingerprint(path)
        const { format } = options
        const transfers =
          format === "xlsx" || options.columns !== undefined
            ? undefined
            : TransferFile.transfers({ ...all, format, ...ExportManifest.csvOf(manifest) })
        const checks = yield* ExportCheck.check({ file: "out", ...fingerprint, transfers }, manifest, scratchInMemory())
        const read = transfers === undefined ? undefined : (yield* Stream.runCollect(transfers)).flat()
        return { manifest, read: read?.map((each) => JSON.stringify(each)), failed: checks.filter(({ ok }) => !ok) }
      }),
    ),
  )

describe.each(["ndjson", "json", "csv", "parquet"] as const)("in %s", (format) => {
  test("holds the transfers in order of creation, and passes its own check", async () => {
    const { manifest, read, failed } = await write({ format })
    expect(read).toEqual([first, second, third].map((each) => JSON.stringify(each)))
    expect(failed).toEqual([])
    expect(manifest).toMatchObject({
      transfers_export: 2,
      file: "out",
      format,
      filters: { status: ["complete"] },
      created_at: ["lt:2024-10-01T00:00:00Z"],
      origin: { base_url: "http://a", partner_id: "demo" },
      only: { status: ["complete"] },
      as_of: "2024-10-01T00:00:00Z",
      started_at: "2024-10-01T00:00:00Z",
      transfers: 3,
      totals: { source_total: { "fiat/USD": "321.35" } },
    })
    expect(Object.keys(manifest)).not.toContain("csv_raw")
    expect((await readdir(folder)).toSorted()).toEqual(["out", "out.manifest.json"])
  })

  test("has a table beside it on demand, with the same decimals as any other", async () => {
    await write({ format, createTable: true })
    expect(await readFile(join(folder, "out.sql"), "utf8")).toMatch(/source_total_amount DECIMAL[(]38, 18[)]/)
  })
})

describe("from a spool of cells", () => {
  const odd = [
    `{"id":"#1","kind":"cash_in","status":"complete","created_at":"2024-09-01T02:00:00.5+02:00","external_id":""}`,
    String.raw`{"id":"a\nb","kind":"\u0000","status":"\ud800","created_at":"2024-09-01T00:00:01.123456789Z","wallet_address":"\\u0000 \"x\",;\r\n=1"}`,
    `{"id":"tr_3","kind":"k","status":"s","created_at":"2016-12-31T23:59:60Z","source_total":{"amount":"-0.10","currency_code":"a,b/\\"c"},"rate":1.10,"deep":[{"x":null}]}`,
  ].map((text) => Result.getOrThrow(Transfer.fromJson(text)))
  const checkpoint = { version: 2, query: "q", transfers: 3, remaining: [] } as const

  /** The bytes of a file, written at once or after the spool was resumed. */
  const bytesOf = (format: ExportFile.ExportOptions["format"], rows: "cells" | undefined, isResumed: boolean) =>
    run(
      Effect.gen(function* () {
        const path = join(folder, `${rows}-${isResumed}.${format}`)
        const spoolPath = Spool.pathOf(path)
        const write = (spool: Spool.Spool) =>
          ExportFile.write(spool, { path, format, csvRaw: false, createTable: format === "csv" })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const what = { filters: {}, created_at: [], started_at: "2024-10-01T00:00:00Z", ...(rows && { rows }) }
            const spool = yield* Spool.create(spoolPath, what)
            yield* Spool.append(spool, odd, checkpoint)
            if (!isResumed) yield* write(spool)
          }),
        )
        if (isResumed) yield* Effect.scoped(Effect.flatMap(Spool.resume(spoolPath), write))
        return (yield* Effect.promise(() => readFile(path))).toString("latin1")
      }),
    )

  test.each(["csv", "parquet", "xlsx", "ndjson"] as const)(
    "%s has the same bytes as from one of JSON, whatever is in the transfers, resumed or not",
    async (format) => {
      const expected = await bytesOf(format, undefined, false)
      expect(expected.length).toBeGreaterThan(100)
      for (const isResumed of [false, true]) {
        const written = await bytesOf(format, "cells", isResumed)
        // Cells are in the order of their columns, in which fields need not come.
        if (format === "ndjson") {
          expect(
            written
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
          ).toEqual(
            expected
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
          )
        } else expect(written).toBe(expected)
      }
    },
  )
})

describe("an amount with more digits than DECIMAL(38, 18) holds", () => {
  const long = transfer("tr_9", "2024-09-04T00:00:00Z", "0.0000000000000000001")
  const write = (amounts: "decimal" | "text") =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const path = join(folder, "long.parquet")
          const spool = yield* spooled
          yield* Spool.append(spool, [long], { version: 2, query: "q", transfers: 3, remaining: [] })
          const options = { path, format: "parquet", csvRaw: false, createTable: true, amounts } as const
          const written = yield* Effect.result(ExportFile.write(spool, options))
          if (Result.isFailure(written)) return { reason: written.failure.reason, read: [] }
          const read = (yield* Stream.runCollect(TransferFile.transfers(options))).flat()
          return { reason: undefined, read: read.map(({ source_total }) => source_total?.text) }
        }),
      ),
    )

  test("fails an export to Parquet, which names its transfer and writes nothing", async () => {
    expect((await write("decimal")).reason).toMatch(/^transfer tr_9: source_total_amount .* --amounts text$/)
    expect((await readdir(folder)).toSorted()).toEqual(["out.spool"])
  })

  test("is kept if all amounts are text, in the table too", async () => {
    expect((await write("text")).read).toEqual(["1.10", "20.25", "300.00", "0.0000000000000000001"])
    expect(await readFile(join(folder, "long.parquet.sql"), "utf8")).not.toContain("DECIMAL")
  })
})

test("a workbook holds its amounts as numbers, and has no table beside it", async () => {
  const { manifest, failed } = await write({ format: "xlsx", createTable: true })
  expect([manifest.format, failed]).toEqual(["xlsx", []])
  expect((await readdir(folder)).toSorted()).toEqual(["out", "out.manifest.json"])
})

describe("the amounts of a workbook", () => {
  const reading = async (amount: string) => {
    const path = join(folder, "book.xlsx")
    const written = Effect.gen(function* () {
      const spool = yield* Spool.create(join(folder, "book.spool"), {
        filters: {},
        created_at: [],
        started_at: "2024-10-01T00:00:00Z",
      })
      const checkpoint = { version: 2, query: "q", transfers: 0, remaining: [] } as const
      yield* Spool.append(spool, [transfer("tr_1", "2024-09-01T00:00:00Z", amount)], checkpoint)
      yield* ExportFile.write(spool, { path, format: "xlsx", csvRaw: false, createTable: false })
      const columns = { key: "id", amount: "source_total_amount", currency: "source_total_currency_code" }
      return yield* LedgerFile.read(path, { ...LedgerFile.detectAll, columns })
    })
    const { entries, reading } = await run(Effect.scoped(written))
    return [entries.map((entry) => entry.amount.text), reading.numbers]
  }

  test("are numbers, up to fifteen digits", async () => {
    expect(await reading("1234567890123.25")).toEqual([["1234567890123.25"], 1])
  })

  test("are texts above that", async () => {
    expect(await reading("12345678901234.25")).toEqual([["12345678901234.25"], undefined])
  })
})

test("JSON is one document, though its batches are written one by one", async () => {
  const { manifest } = await write({ format: "json" })
  const text = await readFile(join(folder, "out"), "utf8")
  expect(JSON.parse(text)).toMatchObject({ results: [{ id: "tr_1" }, { id: "tr_2" }, { id: "tr_3" }] })
  expect(manifest.bytes).toBe(Buffer.byteLength(text))
  const columns = TransferColumns.flat.filter(({ name }) => name === "id")
  await write({ format: "json", columns })
  expect(JSON.parse(await readFile(join(folder, "out"), "utf8"))).toMatchObject({
    results: [{ id: "tr_1" }, { id: "tr_2" }, { id: "tr_3" }],
  })
})

test("the manifest says how the CSV was written", async () => {
  const raw = await write({ format: "csv", csvRaw: true })
  expect([raw.manifest.csv_raw, raw.failed]).toEqual([true, []])
  expect(await readFile(join(folder, "out"), "utf8")).toContain(",=1+1,")
  const dialect = await write({ format: "csv", csvDialect: "excel-de" })
  expect([dialect.manifest.csv_dialect, dialect.failed]).toEqual(["excel-de", []])
  const columns = TransferColumns.flat.filter(({ name }) => ["id", "status"].includes(name))
  const some = await write({ format: "csv", columns })
  expect([some.manifest.columns, some.failed]).toEqual([["id", "status"], []])
  expect(await readFile(join(folder, "out"), "utf8")).toBe("id,status\ntr_1,complete\ntr_2,complete\ntr_3,complete\n")
})

test("an altered file fails its check", async () => {
  const { manifest } = await write({ format: "ndjson" })
  const path = join(folder, "out")
  const text = await readFile(path, "utf8")
  const failedOf = async (altered: string) => {
    await writeFile(path, altered)
    const checks = Effect.flatMap(TransferFile.fingerprint(path), (fingerprint) =>
      ExportCheck.check(
        { file: "out", ...fingerprint, transfers: TransferFile.transfers({ path, format: "ndjson" }) },
        manifest,
        scratchInMemory(),
      ),
    )
    return (await run(checks)).filter(({ ok }) => !ok).map(({ check, found }) => `${check}: ${found}`)
  }
  const [a = "", b = "", c = ""] = text.trimEnd().split("\n")
  const contentOf = async (...lines: ReadonlyArray<string>) =>
    (await failedOf(`${lines.join("\n")}\n`)).filter((each) => !/^(bytes|sha256):/.test(each))
  expect(await failedOf(text.replace("1.10", "1.20"))).toEqual([
    expect.stringMatching(/^sha256: /),
    "source_total in fiat/USD: 321.45",
  ])
  expect(await contentOf(b, a, c)).toEqual(["out of order: 1"])
  expect(await contentOf(a, b, c, c)).toEqual(["transfers: 4", "duplicate ids: 1", "source_total in fiat/USD: 621.35"])
  expect(await contentOf(a, b)).toEqual(["transfers: 2", "source_total in fiat/USD: 21.35"])
  expect(await contentOf(a, b, c.replace("2024-09-03", "2024-10-03"))).toEqual(["outside the time range: 1"])
  expect(await contentOf(a, b, "no transfer")).toEqual([expect.stringMatching(/^readable: .*line 3/)])
})

describe("the manifest of a file", () => {
  const reasonOf = (path: string) => run(Effect.map(Effect.flip(ExportFile.readManifest(path)), ({ reason }) => reason))

  test("is missed by name if there is none, or no file", async () => {
    const path = join(folder, "other")
    expect(await reasonOf(path)).toBe("no such file")
    await writeFile(path, "")
    expect(await reasonOf(path)).toContain(`transfers export writes one with each file, here ${path}.manifest.json`)
  })

  test.each(["", "{}", "[]", '{"transfers_export":1}'])("is rejected if it is %j", async (text) => {
    const path = join(folder, "other")
    await writeFile(path, "")
    await writeFile(`${path}.manifest.json`, text)
    expect(await reasonOf(path)).toContain("it is not the manifest of an export")
  })

  test.each([
    ["created_at", ["bogus"], '"bogus"'],
    ["unread", [["lt:yesterday"]], '"lt:yesterday"'],
    ["as_of", "soon", 'Expected an RFC 3339 timestamp\n  at ["as_of"]'],
    ["started_at", "soon", 'Expected an RFC 3339 timestamp\n  at ["started_at"]'],
    ["only", { colour: ["red"] }, "restrictions of external_id"],
    ["origin", { base_url: "bogus", partner_id: "demo" }, 'at ["origin"]["base_url"]'],
    ["origin", { base_url: "http://a", partner_id: "" }, "a partner id"],
  ])("that states nonsense in %s is rejected, and named", async (field, value, named) => {
    const { manifest } = await write({ format: "ndjson" })
    await writeFile(join(folder, "out.manifest.json"), JSON.stringify({ ...manifest, [field]: value }))
    expect(await reasonOf(join(folder, "out"))).toContain(named)
  })

  test("that claims what is later than its export is rejected, and says so", async () => {
    const { manifest } = await write({ format: "ndjson" })
    const { digest: _, ...statements } = manifest
    const path = join(folder, "out.manifest.json")
    const claiming = (as_of: string) => writeFile(path, JSON.stringify(ExportManifest.seal({ ...statements, as_of })))
    await claiming("2024-10-01T02:00:00+02:00")
    expect(await run(ExportFile.readManifest(join(folder, "out")))).toMatchObject({ transfers: 3 })
    await claiming("2024-10-01T00:00:00.000000001Z")
    expect(await reasonOf(join(folder, "out"))).toContain(
      "its as_of 2024-10-01T00:00:00.000000001Z is after its started_at 2024-10-01T00:00:00Z: an export cannot have what is later than itself, so a clock was wrong. Export the file again",
    )
  })

  test("speaks only of its file: one of another size is rejected", async () => {
    await write({ format: "ndjson" })
    const path = join(folder, "out")
    expect(await run(ExportFile.manifestBeside(path))).toMatchObject({ transfers: 3 })
    expect(await run(ExportFile.manifestBeside(join(folder, "none")))).toBeUndefined()
    await writeFile(path, `${await readFile(path, "utf8")}\n`)
    expect(await run(Effect.flip(ExportFile.manifestBeside(path)))).toMatchObject({
      reason: expect.stringContaining("it was changed since it was exported"),
    })
  })
})

test("the fingerprint of a file that cannot be read names the file and the reason", async () => {
  const path = join(folder, "missing")
  const error = await run(Effect.flip(TransferFile.fingerprint(path)))
  expect(error).toMatchObject({ _tag: "FileError", path, reason: expect.stringContaining("no such file") })
})
