/** The laws of responses to ordinary requests: status, type, encoding, shape, clock, and that there is one at all. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { fields } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Paths from "@transferkit/http-api/Paths"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { RawResponse } from "../RawRequests.ts"
import * as CaseResponses from "./CaseResponses.ts"
import { broken, type Finding, type HttpLaw, kept, make } from "./HttpLaw.ts"
import * as Sample from "./ServiceSample.ts"
import { type Exchange, NotDecidable, retryAfterOf } from "./Trial.ts"

const firstOf = ({ first }: Sample.ServiceSample) =>
  first?.response === undefined
    ? new NotDecidable({ reason: "there is no first response" })
    : Effect.succeed({ exchange: first, response: first.response })

const ofSuccess = Effect.fnUntraced(function* (sample: Sample.ServiceSample) {
  const first = yield* firstOf(sample)
  if (first.response.status === 200) return first
  return yield* new NotDecidable({ reason: "the first response has not the status 200" })
})

/** The fields of a page that the contract does not have. */
const unknownFieldsOf = (response: RawResponse): ReadonlyArray<string> => {
  const page = JSON.parse(response.body)
  const beyond = (value: unknown, known: ReadonlyArray<string>, place: string): ReadonlyArray<string> =>
    Predicate.isReadonlyObject(value)
      ? Object.keys(value).flatMap((name) => (known.includes(name) ? [] : [`${place}/${name.slice(0, 64)}`]))
      : []
  const rows: ReadonlyArray<unknown> = page.results
  const found = new Set([
    ...beyond(page, ["results", "page_info"], ""),
    ...beyond(page.page_info, ["end_cursor", "has_next_page"], "/page_info"),
    ...rows.flatMap((row) => beyond(row, Object.keys(fields), "/results/*")),
  ])
  return [...found].sort().slice(0, 50)
}

const headersLaw = make("page-headers", "Two responses to the same request have the same headers", (trial, sample) =>
  Effect.gen(function* () {
    const { response } = yield* ofSuccess(sample)
    const again = (yield* Sample.search(trial, [["limit", "20"]])).response
    const names = (headers: object) => Object.keys(headers).sort().join(", ")
    const [one, two] = [CaseResponses.headersOf(response, again.headers), CaseResponses.headersOf(again)]
    return names(one) === names(two) ? kept(names(one), { headers: one }) : broken("the names of headers differ")
  }),
)

/** A limit of the type's parameter: the only charset of JSON is UTF-8. */
const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

const typeOf = (response: RawResponse, exchange: Exchange): Finding => {
  const type = response.header("content-type") ?? "no content type"
  return jsonType.test(type) ? kept(type.toLowerCase()) : broken(type, exchange)
}

/** In seconds: clocks that differ by more make relative times wrong. */
const mostSkew = 60

export const laws: ReadonlyArray<HttpLaw> = [
  make("search-status", "A search is answered with status 200", (_, sample) =>
    Effect.map(firstOf(sample), ({ response, exchange }) => {
      const to = response.header("location") === undefined ? "" : ", to another place"
      return response.status === 200 ? kept("status 200") : broken(`status ${response.status}${to}`, exchange)
    }),
  ),
  make("content-type", "A page has the content type application/json", (_, sample) =>
    Effect.map(ofSuccess(sample), ({ response, exchange }) => typeOf(response, exchange)),
  ),
  make("utf-8", "A page is UTF-8, without a byte order mark", (_, sample) =>
    Effect.map(ofSuccess(sample), ({ response, exchange }) => {
      if (response.body.startsWith("\ufeff")) return broken("it starts with a byte order mark", exchange)
      return response.isUtf8 ? kept("UTF-8") : broken("it has bytes that are not UTF-8", exchange)
    }),
  ),
  make("page-shape", "A page has the shape of the contract", (_, sample) =>
    Effect.gen(function* () {
      const { response, exchange } = yield* ofSuccess(sample)
      const page = TransferPage.fromJson(response.body)
      if (Result.isFailure(page))
        return broken(`at ${page.failure.pointer || "the top"}: not ${page.failure.expected}`, exchange)
      if (sample.odd !== undefined) return broken("a later page has not", sample.odd)
      return kept("the shape of the contract", { unknown_fields: unknownFieldsOf(response) })
    }),
  ),
  headersLaw,
  make(
    "content-encoding",
    "A body is in an encoding that the request accepts, and means the same in each",
    (trial, sample) =>
      Effect.gen(function* () {
        const { response, exchange } = yield* ofSuccess(sample)
        const plain = response.header("content-encoding") ?? "identity"
        if (plain !== "identity") return broken(`${plain}, although only identity was accepted`, exchange)
        const request = { path: Sample.searchPath, query: [["limit", "20"]] as const, encoding: "gzip" }
        const packed = yield* trial.get(request)
        const encoding = packed.header("content-encoding") ?? "identity"
        if (!["identity", "gzip", "x-gzip"].includes(encoding)) return broken(`${encoding}, although gzip was accepted`)
        const [one, two] = [Sample.pageOf(response), Sample.pageOf(packed)]
        if (one !== undefined && two === undefined) return broken(`the page in ${encoding} is another one`)
        return kept(encoding, { encodings: encoding === "identity" ? ["identity"] : ["identity", encoding] })
      }),
  ),
  make("date", "The Date of a response is that of the same minute", (_, sample) =>
    Effect.gen(function* () {
      const { response, exchange } = yield* firstOf(sample)
      const date = Date.parse(response.header("date") ?? "")
      if (Number.isNaN(date)) return yield* new NotDecidable({ reason: "the response has no Date" })
      const isClose = Math.abs(date - sample.at) <= mostSkew * 1000
      return isClose ? kept("within a minute") : broken("more than a minute from this machine's clock", exchange)
    }),
  ),
  make("capabilities", "The capabilities have status 200, JSON and the shape of the contract", (trial) =>
    Effect.gen(function* () {
      const response = yield* trial.get({ path: Paths.capabilities })
      if (response.status !== 200) return broken(`status ${response.status}`)
      const type = response.header("content-type") ?? "no content type"
      if (!jsonType.test(type)) return broken(type)
      const capabilities = Capabilities.fromJson(response.body)
      return Result.isSuccess(capabilities)
        ? kept("the shape of the contract")
        : broken(`at ${capabilities.failure.pointer || "the top"}: not ${capabilities.failure.expected}`)
    }),
  ),
]

/** The laws about all responses of a certification, checked at its end. */
export const lawsOfAll: ReadonlyArray<HttpLaw> = [
  make("answers", "Every request gets a whole response in time", (trial) =>
    Effect.sync(() => {
      const [first] = trial.unanswered()
      return first === undefined ? kept("every request") : broken(first.reason, first.exchange)
    }),
  ),
  make(
    "retry-after",
    "A response with 429 or 503 says when to try again, as seconds or as an HTTP date",
    (trial, { at }) =>
      Effect.gen(function* () {
        const limited = trial.limited()
        const [first] = limited
        if (first === undefined) return yield* new NotDecidable({ reason: "there was no response with 429 or 503" })
        const bad = limited.find(
          ({ exchange }) => retryAfterOf(exchange.response?.header("retry-after"), at) === undefined,
        )
        if (bad !== undefined) {
          const value = bad.exchange.response?.header("retry-after")
          return broken(value === undefined ? "there is no Retry-After" : "Retry-After is neither", bad.exchange)
        }
        const { response, requests, millis } = first
        return kept("Retry-After is valid", {
          ...(response.status === 429 && {
            rate_limit: { requests, seconds: Math.max(1, Math.ceil(millis / 1000)), response },
          }),
        })
      }),
  ),
  make("change-while-paging", "Pages stay whole while transfers arrive and change", () =>
    Effect.fail(new NotDecidable({ reason: "it only reads, and cannot make transfers change" })),
  ),
]
