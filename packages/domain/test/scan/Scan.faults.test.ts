/** What a scan does if the service breaks its contract. */
import { it } from "@effect/vitest"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import * as ScriptedService from "../ScriptedService.ts"

type Service = ReturnType<typeof ScriptedService.pager>

const run = (service: Service, query: TransferQuery = {}, options: TransferPager.ScanOptions = {}) =>
  Effect.gen(function* () {
    const report = yield* Ref.make(TransferPager.emptyReport)
    const ended = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runCollect(pager.scan(query, { ...options, report })),
    ).pipe(Effect.provide(service.layer), Effect.result)
    return {
      ids: Result.isSuccess(ended) ? ended.success.flatMap(({ results }) => results.map(({ id }) => String(id))) : [],
      error: Result.isFailure(ended) ? ended.failure : undefined,
      tally: (yield* Ref.get(report)).tally,
    }
  })

const at = Timestamp.parseUnsafe

/** One second, which no window can divide. */
const oneSecond = CreatedAt.between(at("2024-09-01T00:00:00Z"), at("2024-09-01T00:00:01Z"))

const twoSeconds = CreatedAt.between(at("2024-09-01T00:00:00Z"), at("2024-09-01T00:00:02Z"))

const expired = new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "too old" }] })

it.effect("ends with the service's own error if it rejects a request that has no cursor", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(() => expired)
    const { error } = yield* run(service)
    expect([error, service.requests.length]).toEqual([expired, 1])
  }),
)

it.effect("leaves out and counts transfers that were not asked for, and rejects them in strict mode", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(
      ScriptedService.inOrder(["a@2024-09-01T00:00:05Z", "b"], ["c@2024-08-01T00:00:00Z"]),
    )
    const { ids, error, tally } = yield* run(service, { created_at: oneSecond })
    expect([ids, error]).toEqual([["b"], undefined])
    expect(tally).toMatchObject({ transfers: 1, outside: 2 })
    const strict = yield* run(service, { created_at: oneSecond }, { strict: true })
    expect(strict.error).toMatchObject({ _tag: "OutsideFilter", id: "a" })
  }),
)

it.effect("counts pages that have more transfers than the limit, and keeps them", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(ScriptedService.inOrder(["a", "b"], ["c", "d", "e"], ["f", "g", "h"]))
    const { ids, tally } = yield* run(service, { created_at: oneSecond }, { limit: 2 })
    expect(ids).toHaveLength(8)
    expect(tally).toMatchObject({ pages: 3, oversized: 2 })
  }),
)

it.effect("ends in MissingCursor if another page follows without a cursor", () =>
  Effect.gen(function* () {
    const { error } = yield* run(ScriptedService.pager(() => ({ ids: ["a"], more: true })))
    expect(error).toMatchObject({ _tag: "MissingCursor", page: 1 })
  }),
)

it.effect("ends in CursorCycle if a cursor leads back to itself", () =>
  Effect.gen(function* () {
    const { error } = yield* run(
      ScriptedService.pager(() => ({ ids: ["a"], next: "same" })),
      { created_at: oneSecond },
    )
    expect(error).toMatchObject({ _tag: "CursorCycle", cursor: "same" })
  }),
)

it.effect(
  "ends in OutsideFilter if what came before a cursor was rejected is left out afterwards, but still listed",
  () =>
    Effect.gen(function* () {
      const answers = (last: ReadonlyArray<string>) => (request: SearchRequest, number: number) => {
        if (number === 1) return { ids: ["a", "b"], next: "1" }
        if (request.after_cursor !== undefined) return expired
        return { ids: request.created_at?.length === 2 && number > 3 ? last : ["a"] }
      }
      const left = yield* run(ScriptedService.pager(answers(["a", "b"])), { created_at: oneSecond })
      expect(left.error).toMatchObject({ _tag: "OutsideFilter", id: "b", missingFrom: ["2024-09-01T00:00:00Z"] })
      const vanished = yield* run(ScriptedService.pager(answers(["a"])), { created_at: oneSecond })
      expect([vanished.ids, vanished.error, vanished.tally.pages]).toEqual([["a"], undefined, 6])
    }),
)

it.effect("sends a cursor with every page but the first", () =>
  Effect.gen(function* () {
    const service = ScriptedService.pager(ScriptedService.inOrder(["a"], ["b"]))
    yield* run(service, { created_at: oneSecond })
    expect(service.requests.map((request) => Object.keys(request))).toEqual([
      ["created_at", "limit"],
      ["created_at", "limit", "after_cursor"],
    ])
  }),
)

it.effect("cuts a window of more than one second, however much a page of it has", () =>
  Effect.gen(function* () {
    const crowd = Array.from({ length: 100_001 }, (_, index) => `${index}`)
    const service = ScriptedService.pager(({ created_at = [] }, number) =>
      number === 1 ? { ids: crowd, next: "1" } : { ids: [`in ${created_at.join()}@${firstInstant(created_at)}`] },
    )
    const { ids, error } = yield* run(service, { created_at: twoSeconds })
    expect([error, ids.length]).toEqual([undefined, 2])
  }),
)

const firstInstant = (created_at: ReadonlyArray<string>): string =>
  created_at.find((value) => value.startsWith("gte:"))?.slice("gte:".length) ?? ""

/** A second of ten pages, whose cursors expire after so many of them in each attempt. */
const expiring = (pagesOf: (attempt: number) => number) => {
  let attempt = 0
  return ScriptedService.pager(({ after_cursor }) => {
    if (after_cursor === undefined) attempt++
    const page = Number(after_cursor ?? 0)
    if (page >= pagesOf(attempt)) return expired
    return page === 9 ? { ids: ["9"] } : { ids: [`${page}`], next: `${page + 1}` }
  })
}

it.effect("reads a second again as long as each attempt brings it further", () =>
  Effect.gen(function* () {
    const { ids, error } = yield* run(
      expiring((attempt) => attempt),
      { created_at: oneSecond },
    )
    expect([error, ids.length]).toEqual([undefined, 10])
  }),
)

it.effect("ends in CursorExpired after five attempts that bring a second no further", () =>
  Effect.gen(function* () {
    const service = expiring(() => 3)
    const { error } = yield* run(service, { created_at: oneSecond })
    expect(error).toMatchObject({ _tag: "CursorExpired", reason: expired.message })
    expect(service.requests.filter(({ after_cursor }) => after_cursor === undefined)).toHaveLength(5)
  }),
)
