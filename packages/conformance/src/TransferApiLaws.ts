/** The laws of single operations (partner-api.md, section 4), each on the data of the sample. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect, expectSameIds, type Law, make, NotApplicable, type Subject, Violation } from "./Law.ts"
import * as Sample from "./Sample.ts"

const idsOf = (transfers: ReadonlyArray<Transfer>): string => transfers.map(({ id }) => id).join(" ")

/** The values of `created_at` for the sample alone. */
const paramsOf = (sample: Sample.Sample): ReadonlyArray<string> =>
  CreatedAt.plan(sample.filter).requests[0]?.created_at ?? []

/** All transfers of a request, page by page. */
const readAll = Effect.fn("TransferApiLaws.readAll")(function* (
  { api, sample }: Subject,
  request: SearchRequest,
): Effect.fn.Return<ReadonlyArray<Transfer>, TransferApiError | Violation> {
  const transfers: Array<Transfer> = []
  // Generous, because the seconds around the sample may hold more transfers than it.
  const mostPages = sample.ids.length * 2 + 1000
  let after_cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const page = yield* api.search({ ...request, ...(after_cursor === undefined ? {} : { after_cursor }) })
    transfers.push(...page.results)
    if (!page.page_info.has_next_page) return transfers
    after_cursor = page.page_info.end_cursor
  }
  return yield* new Violation({ reason: `more than ${mostPages} pages for ${transfers.length} transfers` })
})

const idsIn = (transfers: ReadonlyArray<Transfer>, filter: CreatedAt.CreatedAt): ReadonlyArray<string> =>
  transfers.filter(({ created_at }) => CreatedAt.matches(filter, created_at)).map(({ id }) => id)

const middleOf = ({ sample }: Subject) => {
  const at = Sample.quantile(sample, 1 / 2)
  return at === undefined ? new NotApplicable({ reason: "there are no transfers" }) : Effect.succeed(at)
}

/** The ways in which a service may reject a request. */
const isRejected = (response: Result.Result<TransferPage.TransferPage, TransferApiError>): boolean =>
  Result.isFailure(response) &&
  (response.failure._tag === "InvalidRequest" ||
    (response.failure._tag === "UnexpectedStatus" && response.failure.status >= 400 && response.failure.status < 500))

const show = (response: Result.Result<TransferPage.TransferPage, TransferApiError>): string =>
  Result.isSuccess(response) ? `${response.success.results.length} transfers` : response.failure.message

const wholeSecond = (at: Timestamp.Timestamp): Timestamp.Timestamp =>
  Timestamp.fromEpochSeconds(Timestamp.epochSeconds(at))

/** The sample's filter as one range, widened to whole seconds. */
const outer = (filter: CreatedAt.CreatedAt): CreatedAt.Range => {
  const ranges = CreatedAt.ranges(filter)
  const [from, to] = [ranges[0]?.lower?.at, ranges.at(-1)?.upper?.at]
  return {
    ...(from === undefined ? {} : { lower: { at: wholeSecond(from), inclusive: true } }),
    ...(to === undefined
      ? {}
      : { upper: { at: Timestamp.fromEpochSeconds(Timestamp.epochSeconds(to) + 1), inclusive: false } }),
  }
}

const operators = [
  ["gt", CreatedAt.gt],
  ["gte", CreatedAt.gte],
  ["lt", CreatedAt.lt],
  ["lte", CreatedAt.lte],
] as const

export const laws: ReadonlyArray<Law> = [
  make("capabilities are the same when read twice", ({ api }) =>
    Effect.gen(function* () {
      const [first, again] = [yield* api.capabilities, yield* api.capabilities]
      yield* expect(JSON.stringify(first) === JSON.stringify(again), () => "two responses differ")
    }),
  ),
  make("a page has at most as many transfers as the limit, for every limit from 1 to 20", ({ api }) =>
    Effect.gen(function* () {
      for (let limit = 1; limit <= 20; limit++) {
        const { results } = yield* api.search({ limit })
        yield* expect(results.length <= limit, () => `limit=${limit} returned ${results.length} transfers`)
      }
    }),
  ),
  make("a page with a next page has a cursor and is not empty", (subject) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* subject.api.search({ limit: 1 })
      if (!page_info.has_next_page) return yield* new NotApplicable({ reason: "there is only one page" })
      yield* expect((page_info.end_cursor ?? "") !== "", () => "has_next_page is true and there is no end_cursor")
      yield* expect(results.length > 0, () => "the first page is empty, but has a next page")
    }),
  ),
  make("pages have neither gaps nor overlaps, at any limit", (subject) =>
    Effect.gen(function* () {
      const created_at = paramsOf(subject.sample)
      const whole = yield* readAll(subject, { created_at, limit: 20 })
      for (const limit of [3, 19]) {
        const pieces = yield* readAll(subject, { created_at, limit })
        yield* expect(
          idsOf(pieces) === idsOf(whole),
          () => `pages of ${limit} have ${pieces.length} transfers, other than the ${whole.length} on pages of 20`,
        )
      }
    }),
  ),
  make("the same request gives the same transfers in the same order", (subject) =>
    Effect.gen(function* () {
      const request = { created_at: paramsOf(subject.sample), limit: 20 }
      const [first, again] = [yield* readAll(subject, request), yield* readAll(subject, request)]
      yield* expect(idsOf(first) === idsOf(again), () => "two responses for the same interval of the past differ")
    }),
  ),
  ...operators.map(([operator, filterOf]) =>
    make(`created_at=${operator} returns exactly the transfers it matches`, (subject) =>
      Effect.gen(function* () {
        const token = operator === "lte" ? subject.lteToken : operator
        if (token === undefined) return yield* new NotApplicable({ reason: "its operator is not known" })
        const { filter, ids, transfers } = subject.sample
        // The instant of a transfer, because the operators differ there.
        const at = Timestamp.toUtc(yield* middleOf(subject))
        const bounds = paramsOf(subject.sample).filter((value) => value.startsWith("g") !== token.startsWith("g"))
        const found = yield* readAll(subject, { created_at: [`${token}:${at.text}`, ...bounds], limit: 20 })
        const wanted = filterOf(at)
        const stray = found.find(({ created_at }) => !CreatedAt.matches(wanted, created_at))
        yield* expect(
          stray === undefined,
          () => `${token}:${at.text} returned one created at ${stray?.created_at.text}`,
        )
        const known = new Set(ids)
        const expected = idsIn(transfers, wanted)
        yield* expectSameIds(
          idsIn(found, filter).filter((id) => known.has(id)),
          expected,
          `${token}:${at.text}`,
        )
      }),
    ),
  ),
  make("a lower and an upper bound together return exactly the transfers between them", (subject) =>
    Effect.gen(function* () {
      const { transfers } = subject.sample
      const [from, to] = [Sample.quantile(subject.sample, 1 / 3), Sample.quantile(subject.sample, 2 / 3)]
      if (from === undefined || to === undefined) return yield* new NotApplicable({ reason: "there are no transfers" })
      const between = CreatedAt.between(from, to)
      const created_at = [`gte:${Timestamp.toUtc(from).text}`, `lt:${Timestamp.toUtc(to).text}`]
      const found = yield* readAll(subject, { created_at, limit: 20 })
      yield* expectSameIds(
        found.map(({ id }) => id),
        idsIn(transfers, between),
        created_at.join(" "),
      )
    }),
  ),
  make("windows of whole seconds that touch hold every transfer once, and the listing of each ends", (subject) =>
    Effect.gen(function* () {
      const { filter, ids } = subject.sample
      const middle = wholeSecond(yield* middleOf(subject))
      const next = Timestamp.plus(middle, "1 second")
      const parts = [CreatedAt.lt(middle), CreatedAt.between(middle, next), CreatedAt.gte(next)]
      const found: Array<string> = []
      for (const part of parts) {
        const window = CreatedAt.and(CreatedAt.fromRange(outer(filter)), part)
        for (const { created_at } of CreatedAt.plan(window).requests) {
          const listed = yield* readAll(subject, { created_at, limit: 20 })
          const stray = listed.find((transfer) => !CreatedAt.matches(window, transfer.created_at))
          yield* expect(
            stray === undefined,
            () => `${created_at.join(" ")} returned one created at ${stray?.created_at.text}`,
          )
          found.push(...listed.map(({ id }) => id))
        }
      }
      const known = new Set(ids)
      yield* expectSameIds(
        found.filter((id) => known.has(id)),
        ids,
        "the windows",
      )
    }),
  ),
  make("external_id returns the transfers that have it, and no others", (subject) =>
    Effect.gen(function* () {
      const one = subject.sample.transfers.find(({ external_id }) => external_id !== undefined && external_id !== "")
      if (one?.external_id === undefined) return yield* new NotApplicable({ reason: "no transfer has an external_id" })
      const { external_id } = one
      const { results, page_info } = yield* subject.api.search({ external_id, limit: 20 })
      yield* expect(
        results.every((transfer) => transfer.external_id === external_id),
        () => `external_id=${external_id} returned a transfer with another one`,
      )
      yield* expect(
        page_info.has_next_page || results.some(({ id }) => id === one.id),
        () => `external_id=${external_id} does not return ${one.id}, which has it`,
      )
    }),
  ),
  make("an unknown external_id has no transfers", ({ api }) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* api.search({ external_id: "no partner gave this \u2713 + & =", limit: 20 })
      yield* expect(results.length === 0 && !page_info.has_next_page, () => `it has ${results.length} transfers`)
    }),
  ),
  make("an interval without transfers is one empty page", ({ api }) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* api.search({ created_at: ["lt:1970-01-01T00:00:00Z"], limit: 20 })
      yield* expect(results.length === 0 && !page_info.has_next_page, () => `it has ${results.length} transfers`)
    }),
  ),
  make("a time with an offset means the same instant as in UTC", (subject) =>
    Effect.gen(function* () {
      const at = wholeSecond(yield* middleOf(subject))
      const [utc, offset] = [at.text, inOffset(at)]
      const [first, second] = [
        yield* subject.api.search({ created_at: [`gte:${utc}`], limit: 20 }),
        yield* subject.api.search({ created_at: [`gte:${offset}`], limit: 20 }),
      ]
      yield* expect(idsOf(first.results) === idsOf(second.results), () => `gte:${utc} and gte:${offset} differ`)
    }),
  ),
  ...[
    ["a limit of 0", { limit: 0 }],
    ["a limit of 21", { limit: 21 }],
    ["a created_at without an operator", { created_at: ["2024-09-01T00:00:00Z"] }],
    ["a created_at that is no timestamp", { created_at: ["gte:yesterday"] }],
    ["an invented cursor", { after_cursor: "invented" }],
  ].map(([what, request]) =>
    make(`${String(what)} is rejected`, ({ api }) =>
      Effect.gen(function* () {
        const response = yield* Effect.result(
          api.search({ limit: 20, ...(typeof request === "object" ? request : {}) }),
        )
        yield* expect(isRejected(response), () => `the response is ${show(response)}`)
      }),
    ),
  ),
  make("a transfer survives being written and read", ({ sample }) =>
    Effect.gen(function* () {
      const text = JSON.stringify({ results: sample.transfers, page_info: { has_next_page: false } })
      const page = yield* Effect.fromResult(TransferPage.fromJson(text))
      const again = JSON.stringify({ results: page.results, page_info: page.page_info })
      yield* expect(text === again, () => "something was lost")
    }),
  ),
]

/** The same instant with an offset; its `+` has to be encoded in a URL. */
const inOffset = (at: Timestamp.Timestamp): string => {
  const local = Timestamp.plus(at, "330 minutes")
  return local.text.replace("Z", "+05:30")
}
