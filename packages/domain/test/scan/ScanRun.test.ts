import { it } from "@effect/vitest"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import { IdSet } from "@transferkit/domain/IdSet"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferId } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ServiceUnavailable, UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as ScriptedService from "../ScriptedService.ts"
import { day, make, now, orders, type Row, second, toTransfer } from "./History.ts"
import { Listing } from "./Listing.ts"
import { idsIn, idsOf, pagerOf, sorted } from "./ListingPager.ts"

const at = Timestamp.parseUnsafe

const scan = (listing: Listing, query: TransferQuery = {}, options: TransferPager.ScanOptions = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const report = yield* Ref.make(TransferPager.emptyReport)
    const fiber = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runCollect(pager.scan(query, { ...options, report })),
    ).pipe(Effect.provide(pagerOf(listing)), Effect.result, Effect.forkChild)
    yield* TestClock.adjust("1 hour")
    const ended = yield* Fiber.join(fiber)
    const batches = Result.isSuccess(ended) ? ended.success : []
    return {
      batches,
      ids: idsOf(batches),
      error: Result.isFailure(ended) ? ended.failure : undefined,
      report: yield* Ref.get(report),
    }
  })

describe.each(orders)("a listing %s", (order) => {
  it.effect.each([1, 8, 64])("arrives whole and once, %d windows at once, one row out of place", (concurrency) =>
    Effect.gen(function* () {
      const { rows } = make({ count: 2000, shape: "even", order, seed: 3, displaced: 1 })
      const listing = new Listing(rows)
      const { ids, report, batches } = yield* scan(listing, {}, { concurrency })
      expect(sorted(ids)).toEqual(idsIn(rows))
      expect(report.completeness).toEqual({ _tag: "Complete" })
      expect(report.tally).toEqual({
        pages: listing.requests.length,
        transfers: 2000,
        duplicates: 0,
        outside: 0,
        oversized: 0,
        rejected: 0,
      })
      expect(batches.at(-1)?.expected).toBe(0)
      let covered = CreatedAt.none
      for (const { results, window } of batches) {
        expect(results.every(({ created_at }) => CreatedAt.matches(window, created_at))).toBe(true)
        expect(CreatedAt.isEmpty(CreatedAt.and(covered, window))).toBe(true)
        covered = CreatedAt.or(covered, window)
      }
      expect(CreatedAt.equals(covered, CreatedAt.lt(Timestamp.fromDate(new Date(now + second))))).toBe(true)
    }),
  )

  it.effect("is resumed from the checkpoint of any batch without a loss or a repetition", () =>
    Effect.gen(function* () {
      const { rows } = make({ count: 500, shape: "bursts", order, seed: 4, displaced: 2 })
      const { batches } = yield* scan(new Listing(rows), {}, { concurrency: 8 })
      for (let index = 0; index < batches.length; index += 7) {
        const before = batches.slice(0, index + 1)
        const resume = Result.getOrThrow(Checkpoint.fromJson(JSON.stringify(before.at(-1)?.checkpoint)))
        expect(resume.transfers).toBe(idsOf(before).length)
        const after = yield* scan(new Listing(rows), {}, { concurrency: 3, resume })
        expect(sorted([...idsOf(before), ...after.ids])).toEqual(idsIn(rows))
        const last = after.batches.at(-1)?.checkpoint
        if (last !== undefined) expect([last.transfers, Checkpoint.isComplete(last)]).toEqual([500, true])
      }
    }),
  )
})

it.effect("delivers before it says so: no checkpoint leaves out a window that its batches do not bring", () =>
  Effect.gen(function* () {
    const { rows } = make({ count: 1500, shape: "bursts", order: "shuffled", seed: 9 })
    const { batches } = yield* scan(new Listing(rows), {}, { concurrency: 16 })
    const delivered = new Set<string>()
    for (const { results, checkpoint } of batches) {
      for (const { id } of results) delivered.add(id)
      const left = rows.filter(({ at }) =>
        CreatedAt.matches(Checkpoint.remaining(checkpoint), Timestamp.fromDate(new Date(at))),
      )
      expect(delivered.size + left.length).toBe(rows.length)
    }
  }),
)

it.effect("reads a history whose cursors expire, in windows that are shorter", () =>
  Effect.gen(function* () {
    const { rows } = make({ count: 1000, shape: "even", order: "shuffled", seed: 5 })
    const listing = new Listing(rows)
    listing.isExpired = (request, issued) => request - issued > 12
    const { ids, error } = yield* scan(listing, {}, { concurrency: 8 })
    expect([error, sorted(ids)]).toEqual([undefined, idsIn(rows)])
  }),
)

it.effect("ends in CursorExpired if one second has more transfers than a cursor can be followed for", () =>
  Effect.gen(function* () {
    const listing = new Listing(make({ count: 100, shape: "even", order: "shuffled", seed: 5, span: 1 }).rows)
    listing.isExpired = () => true
    const { error } = yield* scan(listing)
    expect(error?._tag).toBe("CursorExpired")
    expect(listing.requests.length).toBeLessThan(200)
  }),
)

it.effect("ends in SecondTooLarge, which names the second, rather than fill the memory", () =>
  Effect.gen(function* () {
    const transfer = toTransfer({ id: "t", at: now, key: 0 })
    let requests = 0
    const endless = Layer.succeed(TransferApi, {
      origin: Effect.succeed(undefined),
      capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
      search: () =>
        Effect.sync(() => {
          const first = requests++ * 20_000
          const results = Array.from({ length: 20_000 }, (_, index) => ({
            ...transfer,
            id: TransferId.make(`${first + index}`),
          }))
          return { results, page_info: { has_next_page: true, end_cursor: `${requests}` } }
        }),
    })
    const from = Timestamp.fromDate(new Date(now))
    const created_at = CreatedAt.between(from, Timestamp.fromDate(new Date(now + second)))
    const error = yield* TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.scan({ created_at }))).pipe(
      Effect.provide(Layer.provide(TransferPager.TransferPager.layer, endless)),
      Effect.flip,
    )
    expect(error).toMatchObject({ _tag: "SecondTooLarge", second: "2025-01-01T00:00:00Z", most: 100_000 })
    expect(requests).toBe(6)
  }),
)

it.effect("holds texts of odd length by their size, also where a second has few of them", () =>
  Effect.gen(function* () {
    let requests = 0
    const note = "x".repeat(100_000)
    const large = Layer.succeed(TransferApi, {
      origin: Effect.succeed(undefined),
      capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
      search: ({ created_at: [bound = ""] = [] }) =>
        Effect.suspend(() => {
          if (requests > 2000) return Effect.die("it has no end")
          const created_at = bound.slice(bound.indexOf(":") + 1)
          const rows = Array.from({ length: 20 }, (_, index) => {
            return { id: `${requests}-${index}`, kind: "k", status: "s", created_at, note }
          })
          const page_info = { has_next_page: true, end_cursor: `${requests++}` }
          return Effect.fromResult(TransferPage.fromJson(JSON.stringify({ results: rows, page_info })))
        }),
    })
    const from = Timestamp.fromDate(new Date(now))
    const created_at = CreatedAt.between(from, Timestamp.fromDate(new Date(now + 4 * second)))
    const scanned = TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.scan({ created_at })))
    const error = yield* scanned.pipe(
      Effect.provide(Layer.provide(TransferPager.TransferPager.layer, large)),
      Effect.flip,
    )
    // 2 MB a page, and 32 MiB are held.
    expect(error).toMatchObject({ _tag: "SecondTooLarge", most: 20 * 18 })
  }),
)

describe("the upper bound", () => {
  const rows: ReadonlyArray<Row> = [
    { id: "before", at: now - 1, key: 1 },
    { id: "now", at: now, key: 2 },
    { id: "later", at: now + second, key: 3 },
  ]

  it.effect("is the next whole second if the query has none, and stands in the checkpoint", () =>
    Effect.gen(function* () {
      const listing = new Listing(rows)
      const { ids, batches } = yield* scan(listing)
      expect(ids).toEqual(["before", "now"])
      expect(listing.requests.map(({ created_at }) => created_at)).toEqual([["lt:2025-01-01T00:00:01Z"]])
      expect(JSON.parse(JSON.stringify(batches[0]?.checkpoint))).toEqual({
        version: 2,
        query: "CreatedAt(everything)",
        until: "2025-01-01T00:00:01Z",
        transfers: 2,
        remaining: [],
      })
    }),
  )

  it.effect("is the query's own if it has one", () =>
    Effect.gen(function* () {
      const created_at = CreatedAt.lt(Timestamp.fromDate(new Date(now + day)))
      const { ids, batches } = yield* scan(new Listing(rows), { created_at })
      expect(ids).toEqual(["before", "now", "later"])
      expect(Object.keys(batches[0]?.checkpoint ?? {})).toEqual(["version", "query", "transfers", "remaining"])
    }),
  )

  it.effect("stays where it was when a scan is resumed later", () =>
    Effect.gen(function* () {
      const until = Timestamp.fromDate(new Date(now - day))
      const resume = {
        version: 2,
        query: "CreatedAt(everything)",
        until,
        transfers: 7,
        remaining: [{ lt: until }],
      } as const
      const { rows } = make({ count: 100, shape: "even", order: "newest first", seed: 1, span: 2 * day })
      const { ids, batches } = yield* scan(new Listing(rows), {}, { resume })
      expect(sorted(ids)).toEqual(idsIn(rows.filter(({ at }) => at < now - day)))
      expect(batches.at(-1)?.checkpoint).toMatchObject({ until, transfers: 7 + ids.length, remaining: [] })
    }),
  )
})

describe("requests", () => {
  it.effect.each([0, 1, 19, 20, 21, 60])("for %d transfers are those of page after page", (count) =>
    Effect.gen(function* () {
      const { rows } = make({ count, shape: "even", order: "newest first", seed: 2 })
      const listing = new Listing(rows)
      yield* scan(listing, {}, { concurrency: 16 })
      expect(listing.requests.length).toBe(Math.max(1, Math.ceil(count / 20)))
    }),
  )

  it.effect("of a look-up by external_id are one", () =>
    Effect.gen(function* () {
      const service = ScriptedService.pager(() => ({ ids: [] }))
      yield* TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.scan({ external_id: "order-1" }))).pipe(
        Effect.provide(service.layer),
      )
      expect(service.requests).toStrictEqual([
        { external_id: "order-1", created_at: ["lt:1970-01-01T00:00:01Z"], limit: 20 },
      ])
    }),
  )

  it.effect("are none for a filter that holds nothing", () =>
    Effect.gen(function* () {
      const listing = new Listing([])
      const { report } = yield* scan(listing, { created_at: CreatedAt.none })
      expect([listing.requests, report.completeness]).toEqual([[], { _tag: "Complete" }])
    }),
  )

  it.effect("use the dialect's token for less than or equal", () =>
    Effect.gen(function* () {
      const listing = new Listing([])
      const created_at = CreatedAt.lte(at("2024-09-01T00:00:00Z"))
      yield* scan(listing, { created_at }).pipe(
        Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken: "lte" }),
      )
      expect(listing.requests.map(({ created_at }) => created_at)).toEqual([["lte:2024-09-01T00:00:00Z"]])
    }),
  )

  it.effect.each([
    CreatedAt.lte(Timestamp.latest),
    CreatedAt.gte(Timestamp.earliest),
    CreatedAt.gte(at("9999-12-31T23:59:59Z")),
    CreatedAt.between(at("0000-01-01T00:00:00Z"), at("9999-12-31T23:59:59.9Z")),
  ])("can be made at the ends of time: %s", (created_at) =>
    Effect.gen(function* () {
      const { rows } = make({ count: 300, shape: "even", order: "shuffled", seed: 8 })
      const { error, ids } = yield* scan(new Listing(rows), { created_at })
      expect([error, ids.length === 0 || ids.length === 300]).toEqual([undefined, true])
    }),
  )
})

it.effect.each([Number.NaN, Infinity, 0, -1, 2.5, 1001])("rejects the concurrency %d by name", (concurrency) =>
  Effect.gen(function* () {
    const listing = new Listing([])
    const { error } = yield* scan(listing, {}, { concurrency })
    expect(error).toMatchObject({
      _tag: "InvalidPagerOption",
      message: `concurrency cannot be ${concurrency}: give a whole number from 1 to 1000.`,
    })
    expect(listing.requests).toEqual([])
  }),
)

it.effect.each([19, 10_001, Number.NaN])("rejects the window size %d by name", (windowSize) =>
  Effect.gen(function* () {
    const { error } = yield* scan(new Listing([]), {}, { windowSize })
    expect(error).toMatchObject({ _tag: "InvalidPagerOption", option: "windowSize", given: String(windowSize) })
  }),
)

it.effect("delivers sooner and in smaller batches with smaller windows", () =>
  Effect.gen(function* () {
    const { rows } = make({ count: 2000, shape: "even", order: "newest first", seed: 3 })
    const small = yield* scan(new Listing(rows), {}, { windowSize: 20 })
    const large = yield* scan(new Listing(rows), {}, { windowSize: 480 })
    expect(Math.max(...small.batches.map(({ results }) => results.length))).toBeLessThanOrEqual(80)
    expect(small.batches.length).toBeGreaterThan(2 * large.batches.length)
    expect(sorted(small.ids)).toEqual(sorted(large.ids))
  }),
)

it.effect("rejects a checkpoint of another query", () =>
  Effect.gen(function* () {
    const query = Checkpoint.fingerprint({ external_id: "x" })
    const resume = { version: 2, query, transfers: 0, remaining: [] } as const
    const listing = new Listing([])
    const { error } = yield* scan(listing, {}, { resume })
    expect(error).toMatchObject({ _tag: "CheckpointMismatch", query: "CreatedAt(everything)" })
    expect(listing.requests).toEqual([])
  }),
)

it.effect("ends with the error of a request, after the windows that were complete", () =>
  Effect.gen(function* () {
    const listing = new Listing(make({ count: 2000, shape: "even", order: "newest first", seed: 6 }).rows)
    listing.isExpired = (request) => {
      if (request > 40) throw new ServiceUnavailable({ status: 503, errors: [] })
      return false
    }
    yield* TestClock.setTime(now)
    const batches: Array<TransferPager.Batch> = []
    const fiber = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runForEach(pager.scan({}), (batch) => Effect.sync(() => batches.push(batch))),
    ).pipe(Effect.provide(pagerOf(listing)), Effect.flip, Effect.forkChild)
    yield* TestClock.adjust("1 hour")
    const error = yield* Fiber.join(fiber)
    expect(error._tag).toBe("ServiceUnavailable")
    const last = batches.at(-1)?.checkpoint
    expect([batches.length > 0, last?.transfers]).toEqual([true, idsOf(batches).length])
  }),
)

describe("a transfer that the service lists at two creation times", () => {
  const { rows } = make({ count: 2000, shape: "even", order: "newest first", seed: 6 })
  const [first = fail()] = rows.toSorted((a, b) => a.at - b.at).slice(rows.length / 2)
  const others = rows.filter(({ id }) => id !== first.id)
  const again = (at: number, key = at): Listing => new Listing([...rows, { ...first, at, key }])
  const distances = [0.5 * second, 100 * day, -100 * day]

  it.effect.each(distances)("ends the scan in MovedTransfer, which names it, %d ms later", (distance) =>
    Effect.gen(function* () {
      for (const concurrency of [1, 8]) {
        const { error, report } = yield* scan(again(first.at - distance), {}, { concurrency })
        expect(error).toMatchObject({ _tag: "MovedTransfer", id: first.id })
        expect(report.completeness).toEqual({ _tag: "Cut", by: "MovedTransfer" })
        expect(report.tally.duplicates).toBe(0)
      }
    }),
  )

  it.effect.each(distances)("is delivered at both to those that keep transfers by id, %d ms later", (distance) =>
    Effect.gen(function* () {
      const { ids, error } = yield* scan(again(first.at - distance), {}, { moved: "deliver" })
      expect(error).toBeUndefined()
      expect(sorted([...new Set(ids)])).toEqual(idsIn(rows))
    }),
  )

  it.effect("is found after a checkpoint, if the scan gets the ids that were delivered before", () =>
    Effect.gen(function* () {
      const { batches } = yield* scan(new Listing(rows))
      const had = batches.findIndex(({ results }) => results.some(({ id }) => id === first.id))
      const before = batches.slice(0, had + 1)
      const resume = before.at(-1)?.checkpoint ?? fail()
      const left = others.find(({ id }) => !idsOf(before).includes(id)) ?? fail()
      const moved = () => new Listing([...others, { ...first, at: left.at, key: left.key }])
      const delivered = new IdSet(idsOf(before))
      expect((yield* scan(moved(), {}, { resume, delivered })).error).toMatchObject({
        _tag: "MovedTransfer",
        id: first.id,
      })
      expect(
        (yield* scan(new Listing(rows), {}, { resume, delivered: new IdSet(idsOf(before)) })).error,
      ).toBeUndefined()
    }),
  )
})

const fail = (): never => {
  throw new Error("the history has none")
}
