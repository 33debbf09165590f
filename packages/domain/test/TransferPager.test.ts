import { it } from "@effect/vitest"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { InvalidRequest, ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect } from "vitest"
import * as ScriptedService from "./ScriptedService.ts"

const at = Timestamp.parseUnsafe

/** The ids that arrive, how it ended, the report and the requests sent. */
const run = (
  service: ReturnType<typeof ScriptedService.pager>,
  query: TransferQuery = {},
  options: TransferPager.PagesOptions = {},
) =>
  Effect.gen(function* () {
    const pager = yield* TransferPager.TransferPager
    const report = yield* Ref.make(TransferPager.emptyReport)
    const ids: Array<string> = []
    const ended = yield* pager.transfers(query, { ...options, report }).pipe(
      Stream.runForEach((transfer) => Effect.sync(() => ids.push(transfer.id))),
      Effect.result,
    )
    return {
      ids,
      error: Result.isFailure(ended) ? ended.failure : undefined,
      report: yield* Ref.get(report),
      requests: service.requests,
    }
  }).pipe(Effect.provide(service.layer))

it.effect("asks for pages of twenty by the cursor of the page before, until there is none", () =>
  Effect.gen(function* () {
    const ended = yield* run(ScriptedService.pager(ScriptedService.inOrder(["a", "b"], ["c"], ["d"])))
    expect(ended.ids).toEqual(["a", "b", "c", "d"])
    expect(ended.requests).toEqual([{ limit: 20 }, { limit: 20, after_cursor: "1" }, { limit: 20, after_cursor: "2" }])
    expect(ended.report).toEqual({
      tally: { ...TransferPager.emptyReport.tally, pages: 3, transfers: 4 },
      completeness: { _tag: "Complete" },
    })
  }),
)

it.effect("asks one request for each range of the filter, and drops what a widened bound lets in", () =>
  Effect.gen(function* () {
    const created_at = CreatedAt.or(
      CreatedAt.between(at("2024-01-01T00:00:00Z"), at("2024-02-01T00:00:00Z")),
      CreatedAt.lte(at("2023-01-01T00:00:00.5Z")),
    )
    const service = ScriptedService.pager((_, number) =>
      number === 1
        ? { ids: ["early@2022-01-01T00:00:00Z", "late@2023-01-01T00:00:00.7Z"] }
        : { ids: ["in@2024-01-15T00:00:00Z"] },
    )
    const ended = yield* run(service, { created_at })
    expect(ended.ids).toEqual(["early", "in"])
    expect(ended.requests.map((request) => request.created_at)).toEqual([
      ["lt:2023-01-01T00:00:01Z"],
      ["gte:2024-01-01T00:00:00Z", "lt:2024-02-01T00:00:00Z"],
    ])
    expect(ended.report.tally.outside).toBe(0)
  }),
)

it.effect("asks nothing for a filter that holds nothing", () =>
  Effect.gen(function* () {
    const ended = yield* run(ScriptedService.pager(ScriptedService.inOrder(["a"])), { created_at: CreatedAt.none })
    expect([ended.ids, ended.requests, ended.report.completeness._tag]).toEqual([[], [], "Complete"])
  }),
)

describe("a service that breaks its contract", () => {
  it.effect("delivers the same id once, and counts the other times", () =>
    Effect.gen(function* () {
      const ended = yield* run(ScriptedService.pager(ScriptedService.inOrder(["a", "b", "a"], ["b", "c"])))
      expect(ended.ids).toEqual(["a", "b", "c"])
      expect(ended.report.tally).toMatchObject({ transfers: 3, duplicates: 2 })
    }),
  )

  it.effect.each([
    ["the same cursor again", ["1"], true, 2],
    ["a cycle of two", ["A", "B"], true, 3],
    ["a cycle back to the first", ["A", "B", "C"], true, 4],
    ["the same cursor for the third time, with other transfers", ["1"], false, 3],
    ["a cycle of two, with other transfers", ["A", "B"], false, 5],
  ] as const)("ends in CursorCycle after %s", ([, cursors, isSame, page]) =>
    Effect.gen(function* () {
      const service = ScriptedService.pager((_, number) => ({
        ids: [`t${isSame ? number % cursors.length : number}`],
        next: cursors[(number - 1) % cursors.length] ?? "",
      }))
      const ended = yield* run(service)
      expect(ended.error).toMatchObject({ _tag: "CursorCycle", page })
      expect(ended.requests.length).toBe(page)
      expect(ended.report.completeness).toEqual({ _tag: "Cut", by: "CursorCycle" })
    }),
  )

  it.effect("goes on after a cursor that names a transfer which was changed, and ends another page", () =>
    Effect.gen(function* () {
      const service = ScriptedService.pager(({ after_cursor }, number) => {
        if (after_cursor === undefined) return { ids: ["a", "b"], next: "b" }
        if (number === 2) return { ids: ["c", "a"], next: "a" }
        return number === 3 ? { ids: ["c", "b"], next: "b" } : { ids: ["d"] }
      })
      const ended = yield* run(service)
      expect([ended.ids, ended.error]).toEqual([["a", "b", "c", "d"], undefined])
    }),
  )

  it.effect("ends in MissingCursor when another page follows nowhere, and delivers what came before", () =>
    Effect.gen(function* () {
      const ended = yield* run(
        ScriptedService.pager((_, number) => (number === 1 ? { ids: ["a"], next: "1" } : { ids: ["b"], more: true })),
      )
      expect(ended.ids).toEqual(["a"])
      expect(ended.error).toMatchObject({ _tag: "MissingCursor", page: 2 })
    }),
  )

  it.effect("goes on through empty pages, within a budget", () =>
    Effect.gen(function* () {
      const pages = (empty: number) => [["a"], ...Array.from({ length: empty }, () => []), ["b"]]
      const through = yield* run(
        ScriptedService.pager(ScriptedService.inOrder(...pages(3))),
        {},
        { emptyPageBudget: 3 },
      )
      expect(through.ids).toEqual(["a", "b"])
      const over = yield* run(ScriptedService.pager(ScriptedService.inOrder(...pages(4))), {}, { emptyPageBudget: 3 })
      expect(over.error).toMatchObject({ _tag: "EmptyPages", budget: 3 })
      expect(over.requests.length).toBe(5)
    }),
  )

  it.effect("takes a page with more transfers than the limit whole, and reports it", () =>
    Effect.gen(function* () {
      const ended = yield* run(ScriptedService.pager(ScriptedService.inOrder(["a", "b", "c"])), {}, { limit: 2 })
      expect(ended.ids).toEqual(["a", "b", "c"])
      expect(ended.report.tally.oversized).toBe(1)
    }),
  )

  it.effect("drops and counts what was not asked for, or fails in strict mode", () =>
    Effect.gen(function* () {
      const query = { created_at: CreatedAt.gte(at("2024-01-01T00:00:00Z")) }
      const pages = ScriptedService.inOrder(["a", "old@2023-12-31T23:59:59Z"])
      const lenient = yield* run(ScriptedService.pager(pages), query)
      expect(lenient.ids).toEqual(["a"])
      expect(lenient.report.tally.outside).toBe(1)
      const strict = yield* run(ScriptedService.pager(pages), query, { strict: true })
      expect(strict.error).toMatchObject({ _tag: "OutsideFilter", id: "old" })
      const other = yield* run(ScriptedService.pager(pages), { external_id: "x" }, { strict: true })
      expect(other.error).toMatchObject({ _tag: "OutsideFilter", reason: "its external_id is null" })
    }),
  )
})

it.effect("a failing page ends the stream, after all that came before it", () =>
  Effect.gen(function* () {
    const ended = yield* run(
      ScriptedService.pager((_, number) =>
        number === 1 ? { ids: ["a"], next: "1" } : Effect.fail(new ServiceUnavailable({ status: 503, errors: [] })),
      ),
    )
    expect([ended.ids, ended.error?._tag]).toEqual([["a"], "ServiceUnavailable"])
    expect(ended.report.completeness).toEqual({ _tag: "Cut", by: "ServiceUnavailable" })
  }),
)

it.effect.each([0, 1, 2])("requests %d pages ahead of the consumer and no more", (prefetch) =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(ScriptedService.inOrder(["a"], ["b"], ["c"], ["d"], ["e"], ["f"]))
    yield* Effect.gen(function* () {
      const pager = yield* TransferPager.TransferPager
      const fiber = yield* pager.pages({}, { prefetch }).pipe(
        Stream.runForEach(() => Effect.never),
        Effect.forkChild,
      )
      for (let i = 0; i < 50; i++) yield* Effect.yieldNow
      expect(service.requests.length).toBe(1 + prefetch)
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(service.layer))
  }),
)

it.effect("a consumer that stops early is distinguished from one that got everything", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(ScriptedService.inOrder(["a", "b"], ["c"]))
    const report = yield* Ref.make(TransferPager.emptyReport)
    yield* Effect.gen(function* () {
      const pager = yield* TransferPager.TransferPager
      yield* pager.transfers({}, { report }).pipe(Stream.take(1), Stream.runDrain)
    }).pipe(Effect.provide(service.layer))
    expect((yield* Ref.get(report)).completeness).toEqual({ _tag: "Cut", by: "consumer" })
  }),
)

it.effect.each([
  [{ limit: 0 }, "limit cannot be 0: give a whole number from 1 to 20."],
  [{ limit: 21 }, "limit cannot be 21: give a whole number from 1 to 20."],
  [{ limit: 2.5 }, "limit cannot be 2.5: give a whole number from 1 to 20."],
  [{ prefetch: -1 }, "prefetch cannot be -1: give a whole number from 0 to 1000."],
  [{ prefetch: Number.NaN }, "prefetch cannot be NaN: give a whole number from 0 to 1000."],
  [{ emptyPageBudget: Number.NaN }, "emptyPageBudget cannot be NaN: give a whole number from 0 to 1000000."],
] as const)("rejects the option %o by name, before any request", ([options, message]) =>
  Effect.gen(function* () {
    const ended = yield* run(ScriptedService.pager(ScriptedService.inOrder(["a"])), {}, options)
    expect(ended.error).toMatchObject({ _tag: "InvalidPagerOption", message })
    expect(ended.requests).toEqual([])
  }),
)

it.effect("accepts the least and the greatest of each option", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(ScriptedService.inOrder(["a"]))
    const least = yield* run(service, {}, { limit: 1, prefetch: 0, emptyPageBudget: 0 })
    const most = yield* run(service, {}, { limit: 20, prefetch: 1000, emptyPageBudget: 1_000_000 })
    expect([least.error, most.error]).toEqual([undefined, undefined])
  }),
)

describe("a cursor that the service rejects", () => {
  const rejection = Effect.fail(new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "expired" }] }))

  it.effect("starts the listing over and skips what was delivered, in any order", () =>
    Effect.gen(function* () {
      const service = ScriptedService.pager((_, number) => {
        if (number === 1) return { ids: ["a@2024-09-01T00:00:09Z", "b@2024-09-01T00:00:05Z"], next: "1" }
        if (number === 2) return rejection
        // The newest is listed last: an order seen so far would have hidden it.
        if (number === 3) return { ids: ["b@2024-09-01T00:00:05Z", "a@2024-09-01T00:00:09Z"], next: "2" }
        return { ids: ["c@2024-09-01T00:00:01Z", "late@2024-09-01T00:00:10Z"] }
      })
      const ended = yield* run(service)
      expect([ended.ids, ended.error]).toEqual([["a", "b", "c", "late"], undefined])
      expect(ended.requests.map(({ after_cursor }) => after_cursor)).toEqual([undefined, "1", undefined, "2"])
      expect(ended.report.tally).toMatchObject({ pages: 3, transfers: 4, duplicates: 0 })
    }),
  )

  it.effect("starts only its own listing over: ranges that were read are not requested again", () =>
    Effect.gen(function* () {
      const created_at = CreatedAt.or(
        CreatedAt.lt(at("2024-01-01T00:00:00Z")),
        CreatedAt.gte(at("2024-06-01T00:00:00Z")),
      )
      const service = ScriptedService.pager((request, number) => {
        if (request.created_at?.[0]?.startsWith("lt") === true) return { ids: ["old@2023-01-01T00:00:00Z"] }
        if (number === 2) return { ids: ["new@2024-07-01T00:00:00Z"], next: "1" }
        return number === 3 ? rejection : { ids: ["new@2024-07-01T00:00:00Z", "newer@2024-08-01T00:00:00Z"] }
      })
      const ended = yield* run(service, { created_at })
      expect([ended.ids, ended.requests.length]).toEqual([["old", "new", "newer"], 4])
    }),
  )

  it.effect("ends in CursorExpired when starting over brings it no further, though each time with a new transfer", () =>
    Effect.gen(function* () {
      const service = ScriptedService.pager(({ after_cursor = "0" }, number) => {
        if (after_cursor === "3") return number > 50 ? { ids: [] } : rejection
        // The newest comes first, and there is a new one for each request.
        const ids = after_cursor === "0" ? [`new${number}`, "a"] : [`b${after_cursor}`]
        return { ids, next: String(Number(after_cursor) + 1) }
      })
      const ended = yield* run(service)
      expect(ended.error?._tag).toBe("CursorExpired")
      expect(ended.requests.length).toBe(3 * 4)
    }),
  )

  it.effect("goes on as long as each attempt reaches another page", () =>
    Effect.gen(function* () {
      let reached = 1
      const service = ScriptedService.pager(({ after_cursor = "0" }) => {
        const at = Number(after_cursor)
        if (at === reached && at < 9) {
          reached++
          return rejection
        }
        return at === 9 ? { ids: ["last"] } : { ids: [`t${at}`], next: String(at + 1) }
      })
      const ended = yield* run(service)
      expect([ended.error, ended.ids.length]).toEqual([undefined, 10])
    }),
  )

  it.effect("ends in CursorExpired when starting over brings nothing new", () =>
    Effect.gen(function* () {
      const ended = yield* run(
        ScriptedService.pager((request) =>
          request.after_cursor === undefined
            ? { ids: ["a@2024-09-01T00:00:09Z", "b@2024-09-01T00:00:05Z"], next: "1" }
            : rejection,
        ),
      )
      expect([ended.ids, ended.error?._tag]).toEqual([["a", "b"], "CursorExpired"])
      expect(ended.error?.message).toContain("expired [cursor]")
      expect(ended.requests.length).toBe(6)
    }),
  )

  it.effect("is an error of the request if there was no cursor", () =>
    Effect.gen(function* () {
      const ended = yield* run(ScriptedService.pager(() => rejection))
      expect([ended.error?._tag, ended.requests.length]).toEqual(["InvalidRequest", 1])
    }),
  )
})
