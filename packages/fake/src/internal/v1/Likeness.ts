/**
 * Imitates a deployment as its certificate describes it: how it reads a query, and what its responses look like. A point
 * that the certificate leaves open stays the fake's own.
 */
import { maxLimit } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { type Case, type CaseResponse, type ServiceBehaviour, varying } from "@transferkit/http-api/ServiceBehaviour"
import * as Result from "effect/Result"
import type { Response } from "../Exchange.ts"

/** A query as the deployment reads it, for a fake that rejects what the contract does not allow. */
export interface Reading {
  readonly query: string
  /** Rows beyond the limit, where the deployment serves more than the contract allows. */
  readonly extraRows: number
}

const isServed = ({ responses }: ServiceBehaviour, at: Case): boolean => (responses?.[at]?.status ?? 400) < 300

/** Reads a query. */
export const read = (query: string, like: ServiceBehaviour): Reading => {
  const { largest_page = maxLimit, default_limit = maxLimit } = like
  const pairs: Array<readonly [name: string, value: string]> = []
  let [extraRows, hasLimit] = [0, false]
  for (const [name, value] of new URLSearchParams(query)) {
    const at = caseOf(name, value, like.lte_token)
    if (name === "limit") {
      if (at !== undefined && !isServed(like, at)) pairs.push([name, value])
      else if (at === "limit_zero" || at === "limit_text") continue
      else {
        extraRows = at === "limit_above" && like.limit_above === "served" ? Number(value) - maxLimit : 0
        const most = extraRows > 0 ? maxLimit : Math.min(maxLimit, Math.max(1, largest_page))
        pairs.push([name, String(Math.min(Number(value), most))])
      }
      hasLimit = true
    } else if (name !== "created_at") pairs.push([name, value])
    else if (at === undefined) pairs.push([name, boundOf(value, like)])
    else if (!isServed(like, at)) pairs.push([name, value])
  }
  if (!hasLimit && largest_page < default_limit) pairs.push(["limit", String(Math.max(1, largest_page))])
  const written = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return { query: written.join("&"), extraRows }
}

/** The case of an invalid parameter; `undefined` if it is valid, or not one of a search. */
const caseOf = (name: string, value: string, lteToken: string | null | undefined): Case | undefined => {
  if (name === "limit") {
    if (!/^\d{1,9}$/.test(value)) return "limit_text"
    if (Number(value) === 0) return "limit_zero"
    return Number(value) > maxLimit ? "limit_above" : undefined
  }
  if (name === "after_cursor") return "after_cursor"
  if (name !== "created_at") return undefined
  const colon = value.indexOf(":")
  if (!["gt", "gte", "lt", lteToken].includes(value.slice(0, colon))) return "created_at_operator"
  return Result.isFailure(Timestamp.parse(value.slice(colon + 1))) ? "created_at_text" : undefined
}

const unitOf = (digits: number): bigint => 10n ** BigInt(9 - Math.min(9, digits))

/** A bound as the deployment compares it: less precise, or with times that it sends less precisely. */
const boundOf = (value: string, { bound_digits = 9, time_digits = 9 }: ServiceBehaviour): string => {
  const colon = value.indexOf(":")
  const operator = value.slice(0, colon)
  const given = Timestamp.parseUnsafe(value.slice(colon + 1)).epochNanoseconds
  const at = floor(given, unitOf(bound_digits))
  const unit = unitOf(time_digits)
  const lower = floor(at, unit)
  const upper = lower === at ? at : lower + unit
  // What is compared is the time that is sent, which is the last of its precision before the transfer's own.
  if (operator === "gte" || operator === "lt") return `${operator}:${textOf(upper)}`
  return unit === 1n ? `${operator}:${textOf(at)}` : `${operator === "gt" ? "gte" : "lt"}:${textOf(lower + unit)}`
}

const floor = (at: bigint, unit: bigint): bigint => at - (((at % unit) + unit) % unit)

const textOf = (at: bigint): string => Timestamp.fromEpochNanoseconds(at).text

/** The case of a rejected request, from the first error of the fake's own rejection. */
export const caseOfRejection = (
  query: string,
  [error]: ReadonlyArray<{ readonly code: string; readonly message: string }>,
  lteToken: string | null | undefined,
): Case | undefined => {
  if (error?.code === "unknown_parameter") return "unknown_parameter"
  const name = error?.message.split(" ", 1)[0] ?? ""
  const cases = [...new URLSearchParams(query)].filter(([given]) => given === name)
  return cases.map(([given, value]) => caseOf(given, value, lteToken)).find((each) => each !== undefined)
}

/** The response as the deployment sends it. `number` is in place of what differs each time. */
export const dress = (response: Response, at: Case | undefined, number: number, like: ServiceBehaviour): Response => {
  if (response.status === 429 && like.rate_limit !== undefined) {
    const { "retry-after": wait = "1" } = response.headers
    return rejected(response, like.rate_limit.response, `${wait}`)
  }
  if (response.status < 300) return whole(response, number, like)
  const shape = at === undefined ? undefined : like.responses?.[at]
  return shape === undefined ? response : rejected(response, shape, String(number))
}

const rejected = (response: Response, { status, headers, body }: CaseResponse, number: string): Response => ({
  ...response,
  status,
  headers: headersOf(headers, number),
  body: body === undefined ? response.body : [Buffer.from(body.replaceAll(varying, number), "utf8")],
  isPlain: true,
})

/** The server sends its own of the time, and of the connection and its bodies, which two of would contradict. */
const ownHeaders = new Set(["date", "connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"])

const headersOf = (headers: Readonly<Record<string, string>>, number: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name))
      .map(([name, value]) => [name, value === varying ? number : value]),
  )

const whole = (response: Response, number: number, like: ServiceBehaviour): Response => {
  const { headers = response.headers, encodings = ["gzip"], time_digits = 9, unknown_fields = [] } = like
  const isOther = time_digits < 9 || unknown_fields.length > 0
  return {
    ...response,
    headers: headersOf(headers, String(number)),
    body: isOther
      ? [Buffer.from(withFields(withTimes(textIn(response.body), time_digits), unknown_fields))]
      : response.body,
    isPlain: !encodings.includes("gzip"),
  }
}

const textIn = (body: ReadonlyArray<Uint8Array>): string => Buffer.concat(body).toString("utf8")

const withTimes = (text: string, digits: number): string =>
  text.replace(/("(?:created|updated)_at":"[^".]*)\.(\d+)/g, (_, head: string, fraction: string) => {
    const kept = fraction.slice(0, digits)
    return kept === "" ? head : `${head}.${kept}`
  })

/** Those of transfers come with the data. */
const withFields = (text: string, places: ReadonlyArray<string>): string =>
  places.reduce((changed, place) => {
    const [, within = "", name = ""] = /^(\/page_info)?\/([^/]+)$/.exec(place) ?? []
    if (name === "") return changed
    const field = `${JSON.stringify(name)}:null,`
    return within === "" ? changed.replace("{", `{${field}`) : changed.replace('"page_info":{', (head) => head + field)
  }, text)
