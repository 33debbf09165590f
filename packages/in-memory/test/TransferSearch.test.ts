/** Searches over a store against the plainest reference: filter and sort all transfers, every time. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

interface Row {
  readonly id: string
  readonly external_id: string
  readonly created_at: string
  readonly updated_at?: string
}

const at = (row: Row): bigint => Timestamp.parseUnsafe(row.created_at).epochNanoseconds

const updatedAt = (row: Row): bigint => Timestamp.parseUnsafe(row.updated_at ?? row.created_at).epochNanoseconds

const ascendingBy =
  (rank: (row: Row) => bigint) =>
  (a: Row, b: Row): number => {
    const [first, second] = [rank(a), rank(b)]
    return first < second ? -1 : first > second ? 1 : a.id < b.id ? -1 : 1
  }

const byTime = ascendingBy(at)

/** The rows as each order lists them; shuffled ones are compared by time. */
const listed: Readonly<Record<TransferStore.SortOrder, (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>>> = {
  "newest-first": (rows) => rows.toSorted(byTime).toReversed(),
  "oldest-first": (rows) => rows.toSorted(byTime),
  "by-id": (rows) => rows.toSorted(ascendingBy(() => 0n)),
  "by-updated": (rows) => rows.toSorted(ascendingBy(updatedAt)).toReversed(),
  shuffled: (rows) => rows.toSorted(byTime),
}

const generator = TransferGenerator.make({ count: 500 })
const generated: ReadonlyArray<Row> = Array.from({ length: 500 }, (_, index) =>
  JSON.parse(TransferGenerator.json(generator, index)),
)

/** Rows before, between, at the same instant as, and after the generated ones. */
const inserted: ReadonlyArray<Row> = Array.from({ length: 300 }, (_, n) => {
  const twin = generated[n * 3] ?? generated[n]
  const created_at =
    n % 3 === 0
      ? String(twin?.created_at)
      : n % 3 === 1
        ? `2024-${String((n % 12) + 1).padStart(2, "0")}-15T12:00:00.${n}Z`
        : "2031-01-01T00:00:00+05:00"
  const external_id = n % 5 === 0 ? String(twin?.external_id) : n % 7 === 0 ? "shared" : `own-${n}`
  const updated_at = n % 4 === 0 ? {} : { updated_at: generated[(n * 7) % 500]?.updated_at ?? created_at }
  const id = n % 2 === 0 ? `0-${n}` : `z-${n}`
  return { id, external_id, created_at, ...updated_at, kind: "cash_in", status: "complete" }
})

const sourceOf = (order: TransferStore.SortOrder, rows: ReadonlyArray<Row>): TransferSearch.Source => {
  const store = TransferStore.make({ order, generator })
  for (const row of rows) Result.getOrThrow(TransferStore.insert(store, row))
  return { partner: "demo", store, cursorKey: "key", settings: TransferSearch.defaultSettings }
}

const search = (source: TransferSearch.Source, request: Parameters<typeof TransferSearch.search>[1]) => {
  const page = Result.getOrThrow(TransferSearch.search(source, request))
  const rows: ReadonlyArray<Row> = page.rows.map((row) => JSON.parse(Buffer.from(row).toString("utf8")))
  return { ...page, rows }
}

const all = (source: TransferSearch.Source, request: Parameters<typeof TransferSearch.search>[1]) => {
  const rows: Array<Row> = []
  let after_cursor: string | undefined
  for (let pages = 0; pages < 2000; pages++) {
    const page = search(source, { ...request, ...(after_cursor !== undefined && { after_cursor }) })
    rows.push(...page.rows)
    if (!page.has_next_page) return rows
    after_cursor = page.end_cursor
  }
  throw new Error("paging does not end")
}

const filters: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["gte:2024-05-01T00:00:00Z", "lt:2024-06-01T00:00:00Z"],
  ["gt:2024-07-15T12:00:00.7Z"],
  ["lte:2024-02-15T12:00:00.1Z"],
  ["gte:2030-01-01T00:00:00Z"],
  ["lt:2020-01-01T00:00:00Z"],
  ["gt:2024-06-01T00:00:00Z", "lt:2024-05-01T00:00:00Z"],
  [`gte:${generated[96]?.created_at}`, `lte:${generated[96]?.created_at}`],
]

describe.each(TransferStore.sortOrders)("%s", (order) => {
  const source = sourceOf(order, inserted)
  const everything = listed[order]([...generated, ...inserted])

  test.each(filters.map((filter) => [filter]))("pages through %j completely, each transfer once", (created_at) => {
    const matches = everything.filter((row) =>
      created_at.every((value) => {
        const [operator, bound] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)]
        const limit = Timestamp.parseUnsafe(bound).epochNanoseconds
        switch (operator) {
          case "gt":
            return at(row) > limit
          case "gte":
            return at(row) >= limit
          case "lt":
            return at(row) < limit
          default:
            return at(row) <= limit
        }
      }),
    )
    for (const limit of [1, 7, 20]) {
      const found = all(source, { created_at: [...created_at], limit })
      if (order === "shuffled") found.sort(byTime)
      expect(found.map((row) => row.id)).toEqual(matches.map((row) => row.id))
    }
  })

  test("finds by external_id, those that share one across pages", () => {
    let several = 0
    for (const external_id of new Set(everything.map((row) => row.external_id))) {
      const matches = everything.filter((row) => row.external_id === external_id)
      const found = all(source, { external_id, limit: 2 })
      if (order === "shuffled") found.sort(byTime)
      expect(found.map((row) => row.id)).toEqual(matches.map((row) => row.id))
      if (matches.length > 2) several++
    }
    expect(several).toBeGreaterThan(1)
  })

  test("keeps a cursor's place while others are inserted", () => {
    const growing = sourceOf(order, inserted.slice(0, 150))
    const before = [...generated, ...inserted.slice(0, 150)].map((row) => row.id)
    const seen: Array<string> = []
    let after_cursor: string | undefined
    for (let n = 150; ; n++) {
      const page = search(growing, { limit: 5, ...(after_cursor !== undefined && { after_cursor }) })
      seen.push(...page.rows.map((row) => row.id))
      if (!page.has_next_page) break
      after_cursor = page.end_cursor
      if (n < 300) Result.getOrThrow(TransferStore.insert(growing.store, inserted[n]))
    }
    expect(new Set(seen).size).toBe(seen.length)
    for (const id of before) expect(seen).toContain(id)
  })
})

test("lists shuffled results in no order of time, but always in the same one", () => {
  const source = sourceOf("shuffled", [])
  const rows = all(source, { limit: 20 })
  const rising = rows.slice(1).filter((row, index) => byTime(rows[index] ?? row, row) < 0).length
  expect(rising).toBeGreaterThan(150)
  expect(rising).toBeLessThan(350)
  expect(all(sourceOf("shuffled", []), { limit: 7 })).toEqual(rows)
})

test("accepts a cursor for its partner, key and filter only, however the filter is written", () => {
  const source = sourceOf("newest-first", [])
  const created_at = ["gte:2024-02-01T00:00:00Z"]
  const { end_cursor: after_cursor = "" } = search(source, { created_at, limit: 3 })
  const isTaken = (by: TransferSearch.Source, request: Parameters<typeof TransferSearch.search>[1]) =>
    Result.isSuccess(TransferSearch.search(by, { after_cursor, ...request }))
  expect(isTaken(source, { created_at, limit: 20 })).toBe(true)
  expect(isTaken(source, { created_at: ["gte:2024-02-01T01:00:00+01:00"] })).toBe(true)
  expect(isTaken(source, { created_at: ["gt:2024-02-01T00:00:00Z"] })).toBe(false)
  expect(isTaken(source, {})).toBe(false)
  expect(isTaken(source, { created_at, external_id: "x" })).toBe(false)
  expect(isTaken({ ...source, partner: "other" }, { created_at })).toBe(false)
  expect(isTaken({ ...source, cursorKey: "other" }, { created_at })).toBe(false)
})

test("rejects a cursor with any one character changed", () => {
  const source = sourceOf("newest-first", [])
  const { end_cursor = "" } = search(source, { limit: 3 })
  let rejected = 0
  for (let n = 0; n < end_cursor.length; n++) {
    for (const other of [end_cursor[n] === "A" ? "B" : "A", String.fromCharCode(end_cursor.charCodeAt(n) + 0x100)]) {
      const after_cursor = end_cursor.slice(0, n) + other + end_cursor.slice(n + 1)
      if (Result.isFailure(TransferSearch.search(source, { after_cursor }))) rejected++
    }
  }
  expect(rejected).toBe(end_cursor.length * 2)
  expect(rejected).toBeGreaterThan(80)
})

test("inserts a transfer once, and nothing that is not one", () => {
  const store = TransferStore.make()
  const row = { id: "a", kind: "cash_in", status: "new-status", created_at: "2024-01-01T00:00:00Z" }
  expect(Result.isSuccess(TransferStore.insert(store, row))).toBe(true)
  expect(Result.isFailure(TransferStore.insert(store, row))).toBe(true)
  expect(Result.isFailure(TransferStore.insert(store, { ...row, id: "b", created_at: "yesterday" }))).toBe(true)
  expect(Result.isFailure(TransferStore.insert(store, "a transfer"))).toBe(true)
})

test.each([500, 40_000])(
  "of %i transfers, a page written as JSON equals the page of rows, whatever is requested next",
  (count) => {
    const store = TransferStore.make({ generator: TransferGenerator.make({ count }) })
    for (const row of inserted) TransferStore.insert(store, row)
    const source = { partner: "demo", store, cursorKey: "key", settings: TransferSearch.defaultSettings }
    const requests = Array.from({ length: 200 }, (_, n) => ({
      created_at: [`lt:${new Date(Date.UTC(2024, 1, 1) + n * 150_000_000).toISOString()}`],
      limit: (n % 20) + 1,
    }))
    const pages = [...requests, ...requests].map((request) =>
      Result.getOrThrow(TransferSearch.searchJson(source, request, Buffer.alloc)),
    )
    for (const [n, { json, end_cursor }] of pages.entries()) {
      const page = Result.getOrThrow(TransferSearch.search(source, requests[n % requests.length] ?? {}))
      expect(Buffer.from(json).toString("utf8")).toBe(Buffer.concat(TransferSearch.toJson(page)).toString("utf8"))
      expect(end_cursor).toBe(page.end_cursor)
    }
    expect(pages.length).toBe(400)
  },
)
