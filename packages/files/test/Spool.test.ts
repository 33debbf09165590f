import { createHash } from "node:crypto"
import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as Spool from "../src/node/Spool.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-spool-"))
})
afterAll(() => rm(folder, { recursive: true }))

const header = JSON.stringify({ transfers_spool: 3, filters: {}, created_at: [], started_at: "2024-09-01T00:00:00Z" })

/** The checkpoint line that closes a batch. */
const markOf = (head: string, ...lines: ReadonlyArray<string>): string => {
  const digest = (...texts: ReadonlyArray<string>) => createHash("sha256").update(texts.join("\n")).digest("base64url")
  return `#${digest(digest("", head), ...lines)} ${lines.at(-1)}`
}

const endsBeforeItStarts =
  '{"version":2,"query":"q","transfers":0,"remaining":[{"gte":"2024-09-02T00:00:00Z","lt":"2024-09-01T00:00:00Z"}]}'

test.each([
  ["", "it is not the spool of an export: it is empty"],
  ["{}\n", "it is not the spool of an export"],
  [header.replace(":3,", ":2,") + "\n", "it is not the spool of an export of this version"],
  [`${header}\n${markOf(header, "{}")}\n`, "its checkpoint cannot be resumed: "],
  [`${header}\n${markOf(header, endsBeforeItStarts)}\n`, "its checkpoint cannot be resumed: "],
  [header.replace("[]", '["gte:2024-09-02","lt:2024-09-01"]') + "\n", "it is damaged: "],
  [`${header}\n#{}\n`, "it was altered: a checksum does not match, in the batch after 0 transfers"],
])("resuming %j names its fault", async (text, reason) => {
  const path = join(folder, "out.csv.spool")
  await writeFile(path, text)
  const error = await Effect.runPromise(Effect.scoped(Effect.flip(Spool.resume(path))))
  expect(error).toMatchObject({ _tag: "FileError", path })
  expect(error.reason).toContain(reason)
  expect(error.reason).not.toContain("checkpoint that can be resumed")
})

const transfer = (id: string, created_at = "2024-09-01T00:00:00Z") =>
  Result.getOrThrow(
    Transfer.fromJson(
      `{"id":"${id}","kind":"cash_in","status":"complete","created_at":"${created_at}","source_total":{"amount":"1.00","currency_code":"fiat/USD"}}`,
    ),
  )

const checkpoint = { version: 2, query: "q", transfers: 0, remaining: [] } as const
const what = { filters: {}, created_at: [], started_at: "2024-09-01T00:00:00Z" }

/** The ids of a spool, from its transfers and from their texts. */
const ids = Effect.fnUntraced(function* (spool: Spool.Spool) {
  const transfers = yield* Stream.runCollect(Spool.sorted(spool))
  const texts = yield* Stream.runCollect(Spool.sortedTexts(spool))
  expect(texts).toEqual(transfers.map((batch) => batch.map((each) => JSON.stringify(each)).join("\n")))
  return transfers.map((batch) => batch.map(({ id }) => id))
})

/** The ids of a spool, as they are read back: by the spool itself, and after it was resumed. */
const readBack = (path: string, batches: ReadonlyArray<ReadonlyArray<Transfer.Transfer>>, rows?: "cells") => {
  return Effect.runPromise(
    Effect.gen(function* () {
      const own = yield* Effect.scoped(
        Effect.gen(function* () {
          const spool = yield* Spool.create(path, { ...what, ...(rows && { rows }) })
          for (const batch of batches) yield* Spool.append(spool, batch, checkpoint)
          return yield* ids(spool)
        }),
      )
      const resumed = yield* Effect.scoped(Effect.flatMap(Spool.resume(path), ids))
      expect(resumed).toEqual(own)
      return own
    }),
  )
}

test("reads batches back by instant to the nanosecond, then by id, in whatever order they came", async () => {
  const noon = "2024-09-01T12:00:00"
  const batches = [
    [transfer("e", `${noon}.000000002Z`), transfer("é", `${noon}.000000001Z`)],
    [],
    [transfer("d", "2025-01-01T00:00:00Z")],
    [transfer("b", `${noon}Z`), transfer("c", "2024-09-01T11:59:59.999999999Z"), transfer("a", `${noon}.000Z`)],
  ]
  for (const rows of [undefined, "cells"] as const) {
    const read = await readBack(join(folder, `sorted-${rows}.spool`), batches, rows)
    expect(read).toEqual([["c", "a", "b"], ["é", "e"], ["d"]])
  }
})

test.each([
  ["{}", "a line does not hold the cells of a transfer"],
  ["[]", "a line does not hold the cells of a transfer"],
  [JSON.stringify(TransferColumns.flat.map(() => 1)), "a line does not hold the cells of a transfer"],
  [JSON.stringify(TransferColumns.flat.map(() => "x")), "its column extra: "],
  [JSON.stringify(TransferColumns.flat.map(() => null)), "transfer 1: the value at /id should be present"],
  ["[", "is not valid JSON|Unexpected end"],
])("rejects cells that are none: %s", async (line, reason) => {
  const path = join(folder, "cells.spool")
  const head = header.replace(/\}$/, ',"rows":"cells"}')
  await writeFile(path, `${[head, line, markOf(head, line, JSON.stringify(checkpoint))].join("\n")}\n`)
  const error = await Effect.runPromise(Effect.scoped(Effect.flip(Spool.resume(path))))
  expect(error.reason).toMatch(new RegExp(`^it is damaged: .*(?:${reason})`))
})

test("rejects a batch out of order, which it never writes", async () => {
  const path = join(folder, "disordered.spool")
  const [late, early] = [transfer("a", "2024-09-02T00:00:00Z"), transfer("b")].map((each) => JSON.stringify(each))
  const mark = markOf(header, late ?? "", early ?? "", JSON.stringify(checkpoint))
  await writeFile(path, `${[header, late, early, mark].join("\n")}\n`)
  expect((await Effect.runPromise(Effect.scoped(Effect.flip(Spool.resume(path))))).reason).toBe(
    "it is damaged: a batch is out of order",
  )
})

test("keeps the totals of all batches, those from before it was resumed included", async () => {
  const path = join(folder, "totals.spool")
  const total = (spool: Spool.Spool) => Spool.summary(spool).groups[0]?.totals.source_total?.map(String)
  const totals = Effect.gen(function* () {
    const one = yield* Effect.scoped(
      Effect.gen(function* () {
        const spool = yield* Spool.create(path, what)
        yield* Spool.append(spool, [transfer("a"), transfer("b")], checkpoint)
        return total(spool)
      }),
    )
    const all = yield* Effect.scoped(
      Effect.gen(function* () {
        const spool = yield* Spool.resume(path)
        yield* Spool.append(spool, [transfer("c")], checkpoint)
        return [total(spool), Spool.count(spool)]
      }),
    )
    return [one, all]
  })
  expect(await Effect.runPromise(totals)).toEqual([["2.00 fiat/USD"], [["3.00 fiat/USD"], 3]])
})

test("does not read back what was altered since it was appended", async () => {
  const path = join(folder, "changed.spool")
  const read = Effect.gen(function* () {
    const spool = yield* Spool.create(path, what)
    yield* Spool.append(spool, [transfer("a")], checkpoint)
    const text = yield* Effect.promise(() => readFile(path, "utf8"))
    yield* Effect.promise(() => writeFile(path, text.replace("1.00", "9.00")))
    return [
      yield* Effect.flip(Stream.runDrain(Spool.sorted(spool))),
      yield* Effect.flip(Stream.runDrain(Spool.sortedTexts(spool))),
    ].map(({ reason }) => reason)
  })
  const reason = "it is damaged: a batch was altered since it was written"
  expect(await Effect.runPromise(Effect.scoped(read))).toEqual([reason, reason])
})

test.each([
  ["the same transfer in two batches", ["a", "a"], ["2024-09-01T00:00:00Z", "2024-09-01T00:00:00Z"]],
  ["a batch that begins before the one before it ends", ["c", "b"], ["2024-09-03T00:00:00Z", "2024-09-02T00:00:00Z"]],
])("detects %s", async (_, [last = "", next = ""], [at = "", then = ""]) => {
  const batches = [[transfer("0", "2024-01-01T00:00:00Z"), transfer(last, at)], [transfer(next, then)]]
  await rm(join(folder, "overlap.spool"), { force: true })
  await expect(readBack(join(folder, "overlap.spool"), batches)).rejects.toMatchObject({
    reason: "it is damaged: its batches overlap",
  })
})

test("an altered spool is rejected, wherever it was altered; an intact one is resumed", async () => {
  const path = join(folder, "altered.spool")
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const spool = yield* Spool.create(path, what)
        yield* Spool.append(spool, [transfer("a"), transfer("b")], { ...checkpoint, transfers: 2 })
        yield* Spool.append(spool, [transfer("c")], { ...checkpoint, transfers: 3 })
      }),
    ),
  )
  const text = await readFile(path, "utf8")
  const resume = async (altered: string) => {
    await writeFile(path, altered)
    const resumed = Effect.scoped(Effect.map(Spool.resume(path), Spool.count))
    return Effect.runPromise(Effect.match(resumed, { onFailure: ({ reason }) => reason, onSuccess: String }))
  }
  const lines = text.split("\n")
  expect(await resume(text)).toBe("3")
  expect(await resume(`${text}{"id":"cut`)).toBe("3")
  // What was cut off is gone, so that the next batch follows the last one.
  expect(await readFile(path, "utf8")).toBe(text)
  const alterations = [
    text.replace("1.00", "9.00"),
    text.replace('"c"', '"d"'),
    text.replace('"transfers":3', '"transfers":2'),
    text.replace('{"filters"', '{ "filters"').replace("2024-09-01T00:00:00Z", "2024-09-01T00:00:01Z"),
    // A batch removed, one twice, two swapped, a line moved.
    lines.toSpliced(1, 3).join("\n"),
    lines.toSpliced(4, 0, ...lines.slice(1, 4)).join("\n"),
    [lines[0], ...lines.slice(4, 6), ...lines.slice(1, 4), ""].join("\n"),
    [lines[0], lines[2], lines[1], ...lines.slice(3)].join("\n"),
  ]
  expect(alterations.filter((altered) => altered === text)).toEqual([])
  for (const altered of alterations) {
    expect(await resume(altered)).toMatch(
      /^it was altered: a checksum does not match, in the batch after [02] transfers$/,
    )
  }
})

test("lines without a checkpoint are truncated, up to 250,000, and more are no spool", async () => {
  const path = join(folder, "lines.spool")
  const resume = async (lines: number) => {
    await writeFile(path, `${header}\n${"{}\n".repeat(lines)}`)
    const resumed = Effect.scoped(Effect.map(Spool.resume(path), Spool.count))
    return Effect.runPromise(Effect.match(resumed, { onFailure: ({ reason }) => reason, onSuccess: String }))
  }
  expect(await resume(250_000)).toBe("0")
  expect(await readFile(path, "utf8")).toBe(`${header}\n`)
  expect(await resume(250_001)).toBe("it is damaged: there is no checkpoint for 250001 lines")
})

test("an altered spool is named by the transfers before, one or more", async () => {
  const path = join(folder, "one.spool")
  const reasonAfter = async (count: number) => {
    await rm(path, { force: true })
    const transfers = Array.from({ length: count }, (_, index) => transfer(`t${index}`))
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const spool = yield* Spool.create(path, what)
          yield* Spool.append(spool, transfers, checkpoint)
        }),
      ),
    )
    await writeFile(path, `${await readFile(path, "utf8")}#x {}\n`)
    return Effect.runPromise(Effect.scoped(Effect.map(Effect.flip(Spool.resume(path)), ({ reason }) => reason)))
  }
  const reason = "it was altered: a checksum does not match, in the batch after"
  expect(await reasonAfter(1)).toBe(`${reason} 1 transfer`)
  expect(await reasonAfter(2)).toBe(`${reason} 2 transfers`)
})

test("a spool is readable and writable by its owner alone, is not created over another, and is removed", async () => {
  const path = join(folder, "owner.spool")
  await Effect.runPromise(Effect.scoped(Spool.create(path, what)))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const again = Effect.scoped(Effect.flip(Spool.create(path, what)))
  expect((await Effect.runPromise(again)).reason).toBe("it already exists")
  await Effect.runPromise(Spool.remove(path))
  await Effect.runPromise(Spool.remove(path))
  const missing = Effect.scoped(Effect.flip(Spool.resume(path)))
  expect((await Effect.runPromise(missing)).reason).toBe("no such file or folder")
})

test("a spool of another user is not resumed, and stays as it is", async () => {
  const path = join(folder, "foreign.spool")
  await Effect.runPromise(Effect.scoped(Spool.create(path, what)))
  const text = `${await readFile(path, "utf8")}cut`
  await writeFile(path, text)
  // Only root may give a file away; whoever else runs this is another user from now on.
  if (process.getuid?.() === 0) await chown(path, 65_534, 65_534)
  else vi.spyOn(process, "geteuid").mockReturnValue(65_534)
  const error = await Effect.runPromise(Effect.scoped(Effect.flip(Spool.resume(path))))
  expect(error.reason).toMatch(/^it belongs to another user \(uid \d+\), who could read what is written to it$/)
  expect(await readFile(path, "utf8")).toBe(text)
})
