/** Paging in every order, with and without late rows, while the store changes underneath. */
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

interface Row {
  readonly id: string
}

const count = 200

const sourceOf = (order: TransferStore.SortOrder, displaced: number): TransferSearch.Source => {
  const store = TransferStore.make({ order, generator: TransferGenerator.make({ count }) })
  for (let n = 0; n < 40; n++) Result.getOrThrow(TransferStore.insert(store, inserted(n)))
  TransferStore.displace(store, displaced, 7)
  return { partner: "demo", store, cursorKey: "key", settings: TransferSearch.defaultSettings }
}

const inserted = (n: number) => ({
  id: `${n % 2 === 0 ? "0" : "z"}-${n}`,
  status: "executing",
  created_at: `2024-${String((n % 12) + 1).padStart(2, "0")}-15T12:00:00Z`,
  kind: "cash_in",
  external_id: `own-${n % 10}`,
})

const rowsOf = (page: TransferSearch.Page): ReadonlyArray<Row> =>
  page.rows.map((row) => JSON.parse(Buffer.from(row).toString("utf8")))

/** All ids in order. `between` is called after each page, with its rows. */
const all = (
  source: TransferSearch.Source,
  request: Parameters<typeof TransferSearch.search>[1] = {},
  between: (rows: ReadonlyArray<Row>, page: number) => void = () => {},
): ReadonlyArray<string> => {
  const ids: Array<string> = []
  let after_cursor: string | undefined
  for (let n = 1; n < 500; n++) {
    const next = after_cursor === undefined ? {} : { after_cursor }
    const page = Result.getOrThrow(TransferSearch.search(source, { limit: 7, ...request, ...next }))
    const rows = rowsOf(page)
    ids.push(...rows.map((row) => row.id))
    if (!page.has_next_page) return ids
    between(rows, n)
    after_cursor = page.end_cursor
  }
  throw new Error("paging does not end")
}

const duplicates = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) < index)

const may = ["gte:2024-05-01T00:00:00Z", "lt:2024-06-15T12:00:00.001Z"]

describe.each(TransferStore.sortOrders)("%s", (order) => {
  test.each([0, 1, 25, count + 40, 1000])("lists each transfer once, with %i displaced", (displaced) => {
    const [usual, changed] = [sourceOf(order, 0), sourceOf(order, displaced)]
    const generated = TransferGenerator.externalId(TransferGenerator.make({ count }), 7)
    for (const request of [{}, { created_at: may }, { external_id: "own-3" }, { external_id: generated }]) {
      const [before, after] = [all(usual, request), all(changed, request)]
      expect(after.toSorted()).toEqual(before.toSorted())
      expect(duplicates(after)).toEqual([])
      const late = changed.store.late.ids
      const isLate = after.map((id) => late.has(id))
      expect(isLate).toEqual(isLate.toSorted())
      // Shuffled late rows have no order to compare with.
      const compared = (ids: ReadonlyArray<string>) => (order === "shuffled" ? ids.filter((id) => !late.has(id)) : ids)
      const usualOrder = [...before.filter((id) => !late.has(id)), ...before.filter((id) => late.has(id))]
      expect(compared(after)).toEqual(compared(usualOrder))
    }
    expect(changed.store.late.ids.size).toBe(Math.min(displaced, count + 40))
  })

  test.each([0, 25])(
    "with %i displaced, lists each transfer once while others are inserted and removed",
    (displaced) => {
      const source = sourceOf(order, displaced)
      const start = all(source)
      const removed = new Set<string>()
      const seen = all(source, {}, (rows, page) => {
        Result.getOrThrow(TransferStore.insert(source.store, inserted(100 + page)))
        const { id = "" } = rows[page % rows.length] ?? {}
        Result.getOrThrow(TransferStore.remove(source.store, id))
        const ahead = start[(page * 31) % start.length] ?? ""
        if (Result.isSuccess(TransferStore.remove(source.store, ahead))) removed.add(ahead)
      })
      expect(duplicates(seen)).toEqual([])
      expect(start.filter((id) => !seen.includes(id) && !removed.has(id))).toEqual([])
      expect(removed.size).toBeGreaterThan(10)
    },
  )

  test.each([0, 25])("with %i displaced, lists each transfer once while statuses change", (displaced) => {
    const source = sourceOf(order, displaced)
    const start = all(source, { created_at: may })
    const seen = all(source, { created_at: may, limit: 3 }, (rows, page) => {
      for (const id of [rows[0]?.id ?? "", start[(page * 5) % start.length] ?? ""]) {
        Result.getOrThrow(TransferStore.change(source.store, id, { status: `changed-${page}` }))
      }
    })
    expect(duplicates(seen)).toEqual([])
    expect(seen.toSorted()).toEqual(start.toSorted())
    expect(start.length).toBeGreaterThan(20)
  })

  test("lists generated transfers that were removed and inserted again", () => {
    const source = sourceOf(order, 5)
    const before = all(source)
    for (const id of before.filter((each) => each.length > 10).slice(0, 30)) {
      const json = Buffer.from(TransferStore.get(source.store, id) ?? []).toString("utf8")
      Result.getOrThrow(TransferStore.remove(source.store, id))
      Result.getOrThrow(TransferStore.insertJson(source.store, json))
    }
    const after = all(source, { limit: 1 })
    expect(duplicates(after)).toEqual([])
    expect(after.toSorted()).toEqual(before.toSorted())
    if (order !== "shuffled") expect(after).toEqual(before)
  })

  test("lists the same after a reset to its snapshot", () => {
    const source = sourceOf(order, 5)
    const before = all(source)
    const snapshot = TransferStore.snapshot(source.store)
    for (const id of before.slice(10, 40)) Result.getOrThrow(TransferStore.remove(source.store, id))
    TransferStore.restore(source.store, snapshot)
    expect(all(source)).toEqual(before)
  })
})

describe("by-updated", () => {
  test("moves a transfer to the front when it changes", () => {
    const source = sourceOf("by-updated", 0)
    const before = all(source)
    const moved = before[100] ?? ""
    Result.getOrThrow(TransferStore.change(source.store, moved, { updated_at: "2030-01-01T00:00:00Z" }))
    expect(all(source)).toEqual([moved, ...before.filter((id) => id !== moved)])
  })

  test("follows the clock", () => {
    const source = sourceOf("by-updated", 0)
    const before = all(source)
    TransferStore.advance(source.store, Duration.days(3))
    const after = all(source)
    expect(after).not.toEqual(before)
    expect(after.toSorted()).toEqual(before.toSorted())
    const updated = after.map((id): string => {
      const { updated_at, created_at } = JSON.parse(Buffer.from(TransferStore.get(source.store, id) ?? []).toString())
      return updated_at ?? created_at
    })
    const times = updated.map((text) => Date.parse(text))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })
})

test("draws other displaced transfers for another seed, the same for the same, and the newest for some", () => {
  const lateOf = (seed: number) => {
    const { store } = sourceOf("newest-first", 0)
    TransferStore.displace(store, 1, seed)
    return [...store.late.ids].join()
  }
  const seeds = Array.from({ length: 2000 }, (_, seed) => seed)
  expect(lateOf(3)).toBe(lateOf(3))
  expect(new Set(seeds.map(lateOf)).size).toBe(count + 40)
})
