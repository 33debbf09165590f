/**
 * Detects how a deployment fills the gaps of the contract: order, the operator "less than or equal", limits, cursors,
 * errors. It only reads, with a few dozen requests at most. What it cannot detect is unknown, never guessed.
 */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { RawRequests, type RawResponse } from "./RawRequests.ts"

/** The properties of a deployment that a client can use. A gap that was not detected is absent. */
export interface DetectedDialect {
  /** The operator for "less than or equal". */
  readonly lte_token?: string
  readonly order?: "newest-first" | "oldest-first" | "shuffled"
  /** The page size without a limit. */
  readonly default_limit?: number
  readonly ignores_unknown_parameters?: boolean
}

/** The answer to one gap. `known` is false if the data at hand cannot tell. */
export interface Answer {
  readonly question: string
  readonly answer: string
  readonly known: boolean
  /** What a client can use of it. */
  readonly dialect?: DetectedDialect
}

/** All answers, and what a client can use of them. */
export interface ProbeResult {
  readonly answers: ReadonlyArray<Answer>
  readonly dialect: DetectedDialect
}

type Query = ReadonlyArray<readonly [string, string]>

/** The spellings of "less than or equal" that are tried. */
const lteCandidates = ["lte", "le", "lteq", "max"] as const

const search = (query: Query, options: { readonly anonymous?: boolean } = {}) =>
  Effect.flatMap(RawRequests, (raw) => raw.get({ path: "/v1/transfers/search", query, ...options }))

const pageOf = (response: RawResponse): TransferPage.TransferPage | undefined =>
  response.status === 200 ? Result.getOrUndefined(TransferPage.fromJson(response.body)) : undefined

const known = (question: string, answer: string, dialect?: DetectedDialect): Answer => ({
  question,
  answer,
  known: true,
  ...(dialect !== undefined && { dialect }),
})
const unknown = (question: string, why: string): Answer => ({ question, answer: `unknown: ${why}`, known: false })

/** Probes every gap. Fails only if the service cannot be reached. */
export const probe = Effect.fn("DialectProbe.probe")(function* () {
  const sample = yield* readPages(5)
  const answers: ReadonlyArray<Answer> = [
    orderOf(sample),
    yield* lteToken(sample),
    yield* defaultLimit,
    yield* bounds,
    yield* cursorTwice(sample),
    yield* cursorElsewhere(sample),
    yield* unknownParameter,
    yield* rejection("an invalid created_at", [["created_at", "since yesterday"]]),
    yield* anonymous,
    precision(sample),
  ]
  const result: ProbeResult = { answers, dialect: Object.assign({}, ...answers.map(({ dialect }) => dialect)) }
  return result
})

/** The first transfers in the service's own order, and the cursor after the first page. */
interface Sample {
  readonly transfers: ReadonlyArray<Transfer>
  readonly firstPage: ReadonlyArray<Transfer>
  readonly cursor: string | undefined
}

const readPages = Effect.fnUntraced(function* (count: number) {
  let transfers: ReadonlyArray<Transfer> = []
  let cursor: string | undefined
  let first: TransferPage.TransferPage | undefined
  for (let number = 0; number < count; number++) {
    const query: Query = [["limit", "20"], ...(cursor === undefined ? [] : [["after_cursor", cursor] as const])]
    const page = pageOf(yield* search(query))
    if (page === undefined) break
    first ??= page
    transfers = transfers.concat(page.results)
    cursor = page.page_info.end_cursor
    if (!page.page_info.has_next_page || cursor === undefined) break
  }
  const sample: Sample = {
    transfers,
    firstPage: first?.results ?? [],
    cursor: first?.page_info.has_next_page === true ? first.page_info.end_cursor : undefined,
  }
  return sample
})

// ---------------------------------------------------------------------------------------------------- order

const orderOf = ({ transfers }: Sample): Answer => {
  const question = "order of results"
  const times = transfers.map((transfer) => transfer.created_at.epochNanoseconds)
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const [ups, downs] = [steps.filter((step) => step > 0n).length, steps.filter((step) => step < 0n).length]
  if (ups + downs < 2) return unknown(question, "too few transfers with distinct times")
  if (ups > 0 && downs > 0) return known(question, "not by created_at", { order: "shuffled" })
  return ups > 0
    ? known(question, "oldest first", { order: "oldest-first" })
    : known(question, "newest first", { order: "newest-first" })
}

/** A token counts if it returns a transfer created at the very instant and no later one, although there are some. */
const lteToken = Effect.fnUntraced(function* ({ transfers }: Sample) {
  const question = "created_at operator for less than or equal"
  const sorted = transfers.toSorted((left, right) => Timestamp.compare(left.created_at, right.created_at))
  const edge = sorted[Math.floor(sorted.length / 2) - 1]
  const last = sorted.at(-1)
  if (edge === undefined || last === undefined || Timestamp.compare(edge.created_at, last.created_at) === 0) {
    return unknown(question, "too few transfers with distinct times")
  }
  for (const token of lteCandidates) {
    const bounds: Query = [
      ["created_at", `gte:${edge.created_at.text}`],
      ["created_at", `${token}:${edge.created_at.text}`],
    ]
    const page = pageOf(yield* search([...bounds, ["limit", "20"]]))
    if (
      page !== undefined &&
      page.results.length > 0 &&
      page.results.every((transfer) => Timestamp.compare(transfer.created_at, edge.created_at) === 0)
    ) {
      return known(question, token, { lte_token: token })
    }
  }
  return known(question, `none of ${lteCandidates.join(", ")}`)
})

const precision = ({ transfers }: Sample): Answer => {
  const question = "fraction digits of times"
  if (transfers.length === 0) return unknown(question, "there are no transfers")
  const digits = transfers.map((transfer) => /\.(\d+)/.exec(transfer.created_at.text)?.[1]?.length ?? 0)
  return known(question, String(digits.reduce((most, next) => Math.max(most, next))))
}

// ---------------------------------------------------------------------------------------------------- what the service accepts

const defaultLimit = Effect.gen(function* () {
  const question = "page size without a limit"
  const page = pageOf(yield* search([]))
  if (page === undefined) return unknown(question, "it requires a limit")
  const { length } = page.results
  return page.page_info.has_next_page
    ? known(question, String(length), { default_limit: length })
    : unknown(question, `at least ${length}: there are no more transfers`)
})

const bounds = Effect.gen(function* () {
  const accepted: Array<string> = []
  const rejected: Array<string> = []
  for (const limit of ["0", "1", "20", "21", "1000", "abc"]) {
    const { status } = yield* search([["limit", limit]])
    if (status === 200) accepted.push(limit)
    else rejected.push(`${limit} (${status})`)
  }
  return known("limit", `accepts ${accepted.join(", ") || "none"}; rejects ${rejected.join(", ") || "none"}`)
})

const cursorTwice = Effect.fnUntraced(function* ({ cursor }: Sample) {
  const question = "the same cursor twice"
  if (cursor === undefined) return unknown(question, "there is only one page")
  const query: Query = [
    ["limit", "20"],
    ["after_cursor", cursor],
  ]
  const [first, second] = [pageOf(yield* search(query)), pageOf(yield* search(query))]
  if (first === undefined || second === undefined) return known(question, "is rejected")
  const ids = (page: TransferPage.TransferPage) => page.results.map(({ id }) => id).join(" ")
  return known(question, ids(first) === ids(second) ? "returns the same page" : "returns another page")
})

const cursorElsewhere = Effect.fnUntraced(function* ({ cursor, firstPage }: Sample) {
  const question = "a cursor with another filter"
  const [first] = firstPage
  if (cursor === undefined || first === undefined) return unknown(question, "there is only one page")
  const { status } = yield* search([
    ["after_cursor", cursor],
    ["created_at", `gte:${first.created_at.text}`],
  ])
  return known(question, status === 200 ? "is accepted" : `is rejected (${status})`)
})

const unknownParameter = Effect.gen(function* () {
  const { status } = yield* search([
    ["limit", "1"],
    ["no_such_parameter", "1"],
  ])
  const question = "an unknown parameter"
  return status === 200
    ? known(question, "is ignored", { ignores_unknown_parameters: true })
    : known(question, `is rejected (${status})`)
})

// ---------------------------------------------------------------------------------------------------- what it rejects

const rejection = Effect.fnUntraced(function* (what: string, query: Query) {
  const response = yield* search(query)
  return known(what, response.status === 200 ? "is accepted" : describe(response))
})

const anonymous = Effect.gen(function* () {
  const response = yield* search([["limit", "1"]], { anonymous: true })
  const scheme = response.header("www-authenticate")
  return known("no credentials", `${describe(response)}${scheme === undefined ? "" : `, WWW-Authenticate: ${scheme}`}`)
})

const describe = (response: RawResponse): string => {
  const shape = shapeOf(response.body)
  const id = response.header("x-request-id") === undefined ? "" : ", with x-request-id"
  return `status ${response.status}, ${shape}${id}`
}

const shapeOf = (body: string): string => {
  if (body === "") return "an empty body"
  const value = Result.try((): unknown => JSON.parse(body))
  if (Result.isFailure(value)) return "a body that is not JSON"
  const deeper = JsonDepth.findDeeper(value.success)
  if (deeper !== undefined) return `a body that is too deep: ${JsonDepth.tooDeep(deeper)}`
  const shape = skeleton(value.success)
  return shape.length > maxShapeLength ? `${shape.slice(0, maxShapeLength)}…` : shape
}

const maxShapeLength = 500

/** A JSON value with its leaves replaced by the names of their types, such as `{errors: [{code: string}]}`. */
const skeleton = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.slice(0, 1).map(skeleton).join("")}]`
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${skeleton(inner)}`)
  return `{${fields.join(", ")}}`
}
