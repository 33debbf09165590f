/** The laws of one operation for one endpoint (partner-api.md, section 4), each on whatever data is there. */
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

/** All transfers that a request gives, page by page. */
const readAll = Effect.fn("TransferApiLaws.readAll")(function* (
  { api, sample }: Subject,
  request: SearchRequest,
): Effect.fn.Return<ReadonlyArray<Transfer>, TransferApiError | Violation> {
  const transfers: Array<Transfer> = []
  // What a second around the sample holds beyond it is not known, so the bound is a generous one.
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

/** What a service that cannot make sense of a request may answer. */
const isRefused = (answer: Result.Result<TransferPage.TransferPage, TransferApiError>): boolean =>
  Result.isFailure(answer) &&
  (answer.failure._tag === "InvalidRequest" ||
    (answer.failure._tag === "UnexpectedStatus" && answer.failure.status >= 400 && answer.failure.status < 500))

const show = (answer: Result.Result<TransferPage.TransferPage, TransferApiError>): string =>
  Result.isSuccess(answer) ? `${answer.success.results.length} transfers` : answer.failure.message

const wholeSecond = (at: Timestamp.Timestamp): Timestamp.Timestamp =>
  Timestamp.fromEpochNanoseconds(at.epochNanoseconds - (((at.epochNanoseconds % second) + second) % second))

const second = 1_000_000_000n

const operators = [
  ["gt", CreatedAt.gt],
  ["gte", CreatedAt.gte],
  ["lt", CreatedAt.lt],
  ["lte", CreatedAt.lte],
] as const

export const laws: ReadonlyArray<Law> = [
  make("capabilities can be read, and are the same when read again", ({ api }) =>
    Effect.gen(function* () {
      const [first, again] = [yield* api.capabilities, yield* api.capabilities]
      yield* expect(JSON.stringify(first) === JSON.stringify(again), () => "two readings differ")
    }),
  ),
  make("a page has no more transfers than the limit, for every limit from 1 to 20", ({ api }) =>
    Effect.gen(function* () {
      for (let limit = 1; limit <= 20; limit++) {
        const { results } = yield* api.search({ limit })
        yield* expect(results.length <= limit, () => `limit=${limit} gave ${results.length} transfers`)
      }
    }),
  ),
  make("a page that another follows says where it starts, and is not empty", (subject) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* subject.api.search({ limit: 1 })
      if (!page_info.has_next_page) return yield* new NotApplicable({ reason: "there is one page only" })
      yield* expect((page_info.end_cursor ?? "") !== "", () => "has_next_page is true and there is no end_cursor")
      yield* expect(results.length > 0, () => "the first page is empty and another follows")
    }),
  ),
  make("pages follow one another without gap or overlap, whatever the limit", (subject) =>
    Effect.gen(function* () {
      const created_at = paramsOf(subject.sample)
      const whole = yield* readAll(subject, { created_at, limit: 20 })
      for (const limit of [3, 19]) {
        const pieces = yield* readAll(subject, { created_at, limit })
        yield* expect(
          idsOf(pieces) === idsOf(whole),
          () => `the ${pieces.length} transfers by pages of ${limit} are not the ${whole.length} by pages of 20`,
        )
      }
    }),
  ),
  make("the same request gives the same transfers in the same order", (subject) =>
    Effect.gen(function* () {
      const request = { created_at: paramsOf(subject.sample), limit: 20 }
      const [first, again] = [yield* readAll(subject, request), yield* readAll(subject, request)]
      yield* expect(idsOf(first) === idsOf(again), () => "two readings of a range in the past differ")
    }),
  ),
  ...operators.map(([operator, filterOf]) =>
    make(`created_at=${operator} gives just the transfers it says`, (subject) =>
      Effect.gen(function* () {
        const token = operator === "lte" ? subject.lteToken : operator
        if (token === undefined) return yield* new NotApplicable({ reason: "no word for it is known" })
        const { filter, ids, transfers } = subject.sample
        // The instant of a transfer, because it is there that the operators differ.
        const at = Timestamp.toUtc(yield* middleOf(subject))
        const bounds = paramsOf(subject.sample).filter((value) => value.startsWith("g") !== token.startsWith("g"))
        const found = yield* readAll(subject, { created_at: [`${token}:${at.text}`, ...bounds], limit: 20 })
        const wanted = filterOf(at)
        const stray = found.find(({ created_at }) => !CreatedAt.matches(wanted, created_at))
        yield* expect(stray === undefined, () => `${token}:${at.text} gave one created at ${stray?.created_at.text}`)
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
  make("a lower and an upper bound together give just the transfers between them", (subject) =>
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
  make("external_id gives the transfers that have it, and no others", (subject) =>
    Effect.gen(function* () {
      const one = subject.sample.transfers.find(({ external_id }) => external_id !== undefined && external_id !== "")
      if (one?.external_id === undefined) return yield* new NotApplicable({ reason: "no transfer has an external_id" })
      const { external_id } = one
      const { results, page_info } = yield* subject.api.search({ external_id, limit: 20 })
      yield* expect(
        results.every((transfer) => transfer.external_id === external_id),
        () => `external_id=${external_id} gave a transfer with another`,
      )
      yield* expect(
        page_info.has_next_page || results.some(({ id }) => id === one.id),
        () => `external_id=${external_id} does not give ${one.id}, which has it`,
      )
    }),
  ),
  make("an external_id that nobody gave has no transfers", ({ api }) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* api.search({ external_id: "no partner gave this \u2713 + & =", limit: 20 })
      yield* expect(results.length === 0 && !page_info.has_next_page, () => `it has ${results.length}`)
    }),
  ),
  make("a range that nothing was created in is one empty page", ({ api }) =>
    Effect.gen(function* () {
      const { results, page_info } = yield* api.search({ created_at: ["lt:1970-01-01T00:00:00Z"], limit: 20 })
      yield* expect(results.length === 0 && !page_info.has_next_page, () => `it has ${results.length} transfers`)
    }),
  ),
  make("an offset means the same instant as UTC", (subject) =>
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
    ["a cursor that was never given out", { after_cursor: "never given out" }],
  ].map(([what, request]) =>
    make(`${String(what)} is refused`, ({ api }) =>
      Effect.gen(function* () {
        const answer = yield* Effect.result(api.search({ limit: 20, ...(typeof request === "object" ? request : {}) }))
        yield* expect(isRefused(answer), () => `the answer is ${show(answer)}`)
      }),
    ),
  ),
  make("a transfer is the same after it has been written and read again", ({ sample }) =>
    Effect.gen(function* () {
      const text = JSON.stringify({ results: sample.transfers, page_info: { has_next_page: false } })
      const page = yield* Effect.fromResult(TransferPage.fromJson(text))
      const again = JSON.stringify({ results: page.results, page_info: page.page_info })
      yield* expect(text === again, () => "something was lost on the way")
    }),
  ),
]

/** The same instant as people east of Greenwich write it; its `+` has to be encoded in a URL. */
const inOffset = (at: Timestamp.Timestamp): string => {
  const local = Timestamp.toUtc(Timestamp.fromEpochNanoseconds(at.epochNanoseconds + 19_800n * second))
  return local.text.replace("Z", "+05:30")
}
