/** Every read is bounded by progress: what a service can repeat for ever ends in an error that says what was seen. */
import { it } from "@effect/vitest"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect } from "vitest"
import * as ScriptedService from "./ScriptedService.ts"

const at = Timestamp.parseUnsafe

/** One second, which no window can divide: what a scan and page after page read alike. */
const created_at = CreatedAt.between(at("2024-09-01T00:00:00Z"), at("2024-09-01T00:00:01Z"))

const expired = new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "too old" }] })

type Answer = Parameters<typeof ScriptedService.pager>[0]

/** Reads everything, of a service that ends the test if it is asked more than `most` times. */
const read = (
  answer: Answer,
  {
    as,
    filter = created_at,
    most = 2000,
    ...options
  }: {
    readonly as: "scan" | "pages"
    readonly filter?: CreatedAt.CreatedAt
    readonly most?: number
  } & TransferPager.PagerOptions,
) => {
  const service = ScriptedService.pager((request, number) => {
    if (number > most) throw new Error(`more than ${most} requests`)
    return answer(request, number)
  })
  return Effect.gen(function* () {
    const report = yield* Ref.make(TransferPager.emptyReport)
    const ids: Array<string> = []
    const ended = yield* TransferPager.TransferPager.use((pager) =>
      as === "scan"
        ? Stream.runForEach(pager.scan({ created_at: filter }, { ...options, report }), ({ results }) =>
            Effect.sync(() => void ids.push(...results.map(({ id }) => String(id)))),
          )
        : Stream.runForEach(pager.transfers({ created_at: filter }, { ...options, report, prefetch: 0 }), ({ id }) =>
            Effect.sync(() => void ids.push(String(id))),
          ),
    ).pipe(Effect.provide(service.layer), Effect.result)
    return {
      ids,
      error: Result.isFailure(ended) ? ended.failure : undefined,
      tally: (yield* Ref.get(report)).tally,
      requests: service.requests.length,
    }
  })
}

const pageOf = ({ after_cursor }: SearchRequest): number => Number(after_cursor ?? 0)

const range = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `${index}`)

describe.each(["scan", "pages"] as const)("%s", (as) => {
  it.effect("ends if the service ignores the cursor and signs each anew", () =>
    Effect.gen(function* () {
      const { error, requests } = yield* read((_, number) => ({ ids: ["a", "b"], next: `${number}` }), { as })
      expect([error, requests]).toMatchObject([{ _tag: "RepeatedPages", pages: 100, id: "a" }, 102])
    }),
  )

  it.effect("ends if the service sends two pages in turn, empty ones in between", () =>
    Effect.gen(function* () {
      const { error } = yield* read(
        (_, number) => ({ ids: [["a"], [], ["b"], []][number % 4] ?? [], next: `${number}` }),
        { as },
      )
      expect(error).toMatchObject({ _tag: "RepeatedPages" })
    }),
  )

  it.effect("ends if the service sends only what was not asked for, and says which", () =>
    Effect.gen(function* () {
      const { error, requests } = yield* read(
        (_, number) => ({ ids: [`${number}@2024-08-01T00:00:00Z`], next: `${number}` }),
        { as },
      )
      expect([error, requests]).toMatchObject([{ _tag: "OutsideFilter", id: "1", pages: 100 }, 101])
    }),
  )

  it.effect("accepts a hundred pages of repetition before a new transfer, with a budget of no empty page", () =>
    Effect.gen(function* () {
      const { ids, error, tally } = yield* read(
        (request) => {
          const page = pageOf(request)
          return page === 101 ? { ids: ["b"] } : { ids: ["a"], next: `${page + 1}` }
        },
        { as, emptyPageBudget: 0 },
      )
      expect([ids, error]).toEqual([["a", "b"], undefined])
      expect(tally.duplicates).toBe(100)
    }),
  )

  it.effect("accepts more repetition, if it accepts more empty pages", () =>
    Effect.gen(function* () {
      const last = { as, emptyPageBudget: 150 }
      const answer: Answer = (request) =>
        pageOf(request) === 151 ? { ids: ["b"] } : { ids: ["a"], next: `${pageOf(request) + 1}` }
      expect((yield* read(answer, last)).error).toBeUndefined()
      expect((yield* read(answer, { as, emptyPageBudget: 149 })).error).toMatchObject({ _tag: "RepeatedPages" })
    }),
  )

  it.effect("reads on while the filter drops what was rightly sent, page after page of one second", () =>
    Effect.gen(function* () {
      const { ids, error, tally } = yield* read(
        (request) => {
          const page = pageOf(request)
          return page === 300
            ? { ids: ["last@2024-09-01T00:00:00.5Z"] }
            : { ids: [`${page}@2024-09-01T00:00:00Z`], next: `${page + 1}` }
        },
        { as, filter: CreatedAt.and(CreatedAt.gt(at("2024-09-01T00:00:00Z")), created_at) },
      )
      expect([ids, error, tally.outside]).toEqual([["last"], undefined, 0])
    }),
  )

  it.effect("reads again from the start what a rejected cursor led to, and counts the rejection", () =>
    Effect.gen(function* () {
      let rejections = 0
      const { ids, error, tally } = yield* read(
        (request) => {
          const page = pageOf(request)
          if (page === 250 && rejections++ === 0) return expired
          return page === 299 ? { ids: [`${page}`] } : { ids: [`${page}`], next: `${page + 1}` }
        },
        { as },
      )
      expect([ids.toSorted(), error]).toEqual([range(300).toSorted(), undefined])
      expect(tally).toMatchObject({ rejected: 1, transfers: 300, pages: 550 })
    }),
  )
})

it.effect("a scan ends if the service ignores the filter and rejects all cursors: it counts over all windows", () =>
  Effect.gen(function* () {
    const { error, requests } = yield* read(
      ({ after_cursor }, number) =>
        after_cursor === undefined ? { ids: [`${number}@2023-01-01T00:00:00Z`], next: `${number}` } : expired,
      { as: "scan", filter: CreatedAt.between(at("2024-01-01T00:00:00Z"), at("2025-01-01T00:00:00Z")) },
    )
    expect(error).toMatchObject({ _tag: "OutsideFilter", id: "1", pages: 100 })
    expect(requests).toBeLessThan(300)
  }),
)

it.effect("a scan of which every cursor is rejected shows it in the report before anything is delivered", () =>
  Effect.gen(function* () {
    const report = yield* Ref.make(TransferPager.emptyReport)
    const seen: Array<number> = []
    const service = ScriptedService.pager(({ after_cursor }, number) => {
      seen.push(Effect.runSync(Ref.get(report)).tally.rejected)
      return after_cursor === undefined ? { ids: [`${number}`], next: `${number}` } : Effect.fail(expired)
    })
    const error = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runDrain(pager.scan({ created_at }, { concurrency: 1, report })),
    ).pipe(Effect.provide(service.layer), Effect.flip)
    expect([error._tag, seen]).toEqual(["CursorExpired", [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]])
    expect((yield* Ref.get(report)).tally).toMatchObject({ rejected: 5, transfers: 0 })
  }),
)

it.effect.each(["never answers", "never ends"])("a scan delivers complete windows while another %s", (how) =>
  Effect.gen(function* () {
    const stuckSecond = "2024-09-01T00:00:30Z"
    const service = ScriptedService.pager(({ created_at: values = [] }, number) => {
      const filter = Result.getOrThrow(CreatedAt.fromParams(values))
      const isStuck = CreatedAt.matches(filter, at(stuckSecond))
      const [first] = CreatedAt.intervals(filter)
      const start = Timestamp.fromEpochNanoseconds(first?.first ?? 0n).text
      if (!isStuck) return { ids: [`${number}@${start}`] }
      // The whole range looks long, so that it is cut.
      if (number <= 3) return { ids: range(20).map((id) => `${number}-${id}@${start}`), next: `${number}` }
      if (how === "never answers") return Effect.never
      return { ids: range(20).map((id) => `${number}-${id}@${stuckSecond}`), next: `${number}` }
    })
    const batches = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runCollect(
        pager
          .scan(
            { created_at: CreatedAt.between(at("2024-09-01T00:00:00Z"), at("2024-09-01T00:01:00Z")) },
            { concurrency: 2 },
          )
          .pipe(
            Stream.filter(({ results }) => results.length > 0),
            Stream.take(1),
          ),
      ),
    ).pipe(Effect.provide(service.layer))
    expect(batches).toHaveLength(1)
  }),
)
