/** The cost of a search as a store grows, counted in look-ups of rows, which a busy machine cannot change. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Draw from "@transferkit/in-memory/Draw"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const sizes = [1e3, 1e4, 1e5, 1e6, 1e7]

/** A generator that counts how often the time of a row is computed. */
const counting = (count: number) => {
  const made = TransferGenerator.make({ count })
  const counter = { looks: 0 }
  const schedule = {
    ...made.schedule,
    get seed() {
      counter.looks += 1
      return made.schedule.seed
    },
  }
  return { generator: { ...made, schedule }, counter }
}

const instants = (n: number) => {
  const { defaultTo } = TransferGenerator
  const from = Timestamp.lookBack(defaultTo, "366 days")
  const span = Number(defaultTo.epochNanoseconds - from.epochNanoseconds)
  const first = from.epochNanoseconds + BigInt(Math.floor(Draw.fraction(7, n) * span * 0.9))
  return { first, end: first + BigInt(Math.floor(span / 20)) }
}

/** By updated_at, the rows of an interval are sorted first; that is known to cost more. */
const constant = TransferStore.sortOrders.filter((order) => order !== "by-updated")

test.each(constant)("%s: a page costs the same look-ups at a thousand transfers and at ten million", (order) => {
  const most = sizes.map((count) => {
    const { generator, counter } = counting(count)
    const store = TransferStore.make({ order, generator })
    let largest = 0
    let rows = 0
    for (let n = 0; n < 300; n++) {
      const search = { created_at: instants(n), limit: 20 }
      counter.looks = 0
      const page = TransferStore.search(store, search)
      const next = TransferStore.search(store, { ...search, after: page.last })
      rows += page.rows.length + next.rows.length
      largest = Math.max(largest, counter.looks)
    }
    expect(rows).toBeGreaterThan(300 * 30)
    return largest
  })
  // Two pages: 40 rows are generated, and the ends of both ranges are found.
  for (const looks of most) expect(looks).toBeLessThan(100)
})

test("finds an external_id with the same number of look-ups at any size", () => {
  for (const count of sizes) {
    const { generator, counter } = counting(count)
    const store = TransferStore.make({ generator })
    for (let n = 0; n < 100; n++) {
      const external_id = TransferGenerator.externalId(generator, Draw.below(8, n, count))
      counter.looks = 0
      expect(TransferStore.search(store, { external_id, created_at: {}, limit: 20 }).rows.length).toBeGreaterThan(0)
      expect(counter.looks).toBeLessThan(60)
    }
  }
})

test("among stored transfers, the comparisons of a page grow logarithmically", () => {
  const comparisons = [100, 1000, 10_000].map((count) => {
    const store = TransferStore.make({ order: "oldest-first" })
    const generator = TransferGenerator.make({ count })
    for (let index = 0; index < count; index++) {
      Result.getOrThrow(TransferStore.insertJson(store, TransferGenerator.json(generator, index)))
    }
    let compared = 0
    for (let n = 0; n < 100; n++) {
      const { first } = instants(n)
      const after = {
        id: "",
        get rank() {
          compared += 1
          return first
        },
      }
      expect(TransferStore.search(store, { created_at: {}, limit: 20, after }).rows.length).toBeGreaterThan(5)
    }
    return compared / 100
  })
  const [hundred = 0, , tenThousand = 0] = comparisons
  expect(hundred).toBeGreaterThan(5)
  expect(tenThousand).toBeLessThan(hundred * 2.5)
})

test("a first-time page leaves no bytes to the garbage collector", () => {
  const store = TransferStore.make({ generator: TransferGenerator.make({ count: 1_000_000 }) })
  const source = { partner: "demo", store, cursorKey: "key", settings: TransferSearch.defaultSettings }
  const memory = new Uint8Array(64 * 1024)
  const made = (pages: number) => {
    const before = process.memoryUsage().arrayBuffers
    let bytes = 0
    for (let n = 0; n < pages; n++) {
      const created_at = [`gte:${new Date(Date.UTC(2024, 0, 1) + n * 10_000_000).toISOString()}`]
      const page = TransferSearch.searchJson(source, { created_at }, (size) => memory.subarray(0, size))
      bytes += Result.getOrThrow(page).json.byteLength
    }
    return { bytes, kept: process.memoryUsage().arrayBuffers - before }
  }
  made(100)
  const { bytes, kept } = made(300)
  expect(bytes).toBeGreaterThan(300 * 20_000)
  expect(kept).toBeLessThan(100_000)
})

test("by-updated: the pages of several intervals, in turn, sort each interval once", () => {
  const count = 4_500_000
  const { generator, counter } = counting(count)
  const store = TransferStore.make({ order: "by-updated", generator })
  const middle = TransferGenerator.createdAt(TransferGenerator.make({ count }), count / 2)
  const halves = [{ end: BigInt(middle) * 1000n }, { first: BigInt(middle) * 1000n }]
  const first = halves.map((created_at) => TransferStore.search(store, { created_at, limit: 20 }))
  expect(counter.looks).toBeGreaterThan(count)
  counter.looks = 0
  for (const [n, created_at] of halves.entries()) {
    expect(TransferStore.search(store, { created_at, limit: 20, after: first[n]?.last }).rows).toHaveLength(20)
  }
  expect(counter.looks).toBeLessThan(1000)
})
