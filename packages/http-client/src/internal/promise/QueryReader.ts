/** The queries and options of the Promise client as the domain's values. Everything wrong is named, and thrown. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"
import { invalid, limit as readLimit, whole } from "../call/CallOptions.ts"
import type { CallSettings } from "../call/CallSettings.ts"
import type {
  CallOptions,
  GetQuery,
  Instant,
  ListOptions,
  PageQuery,
  Query,
  ScanOptions,
  ValidateOptions,
} from "./Options.ts"

/**
 * An object of the caller. A field that it does not have is rejected: without the filter that it was meant to be, a query
 * asks for everything.
 */
export const known = <A extends object>(what: string, value: A, names: ReadonlyArray<string>): A => {
  if (typeof value !== "object" || value === null) throw invalid(what, "an object", value)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown === undefined) return value
  throw new InvalidConfiguration({
    setting: unknown.slice(0, 64),
    reason: `there is no such field. Use ${names.join(", ")}`,
  })
}

/** The names of options; the compiler finds one that is missing. */
export type Names<A> = Readonly<Record<keyof A, true>>

const query: Names<Query> = { external_id: true, created_at: true }
const call: Names<CallOptions> = { signal: true, attemptTimeout: true, deadline: true, retries: true, headers: true }
const list: Names<ListOptions> = { ...call, limit: true, strict: true, prefetch: true }
const scan: Names<ScanOptions> = {
  ...call,
  limit: true,
  strict: true,
  concurrency: true,
  windowSize: true,
  resume: true,
}
const validate: Names<ValidateOptions> = { ...call, maxAge: true }
const queryNames = Object.keys(query)
const callNames = Object.keys(call)
export const listNames = [...Object.keys(list), "resume"]
export const scanNames = Object.keys(scan)

export const readQuery = (query: Query = {}): TransferQuery => readFilter(known("query", query, queryNames))

const readFilter = (query: Query): TransferQuery => {
  defined("", query, queryNames)
  const { external_id, created_at } = query
  return {
    ...(external_id === undefined ? {} : { external_id: text("external_id", external_id) }),
    ...(created_at === undefined ? {} : { created_at: readBounds(created_at) }),
  }
}

/** A variable without a value was meant to be a filter. Without it, the query asks for everything. */
const defined = (prefix: string, filters: object, names: ReadonlyArray<string>): void => {
  const missing = Object.entries(filters).find(([name, value]) => value === undefined && names.includes(name))
  if (missing === undefined) return
  const reason = "it is undefined. Leave it out to ask for all"
  throw new InvalidConfiguration({ setting: `${prefix}${missing[0]}`, reason })
}

/** The request of a page, or `undefined` if its bounds exclude every instant; and its bounds. */
export const readPageQuery = (
  query: PageQuery = {},
): readonly [SearchRequest.SearchRequest | undefined, CreatedAt.CreatedAt] => {
  known("query", query, [...queryNames, "limit", "after_cursor"])
  const { external_id, created_at = CreatedAt.all } = readFilter(query)
  const { limit = SearchRequest.maxLimit, after_cursor } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > SearchRequest.maxLimit) {
    throw invalid("limit", `a whole number from 1 to ${SearchRequest.maxLimit}`, limit)
  }
  const [planned] = CreatedAt.plan(created_at).requests
  const request = planned && {
    ...(external_id === undefined ? {} : { external_id }),
    ...(planned.created_at.length === 0 ? {} : { created_at: planned.created_at }),
    limit,
    ...(after_cursor === undefined ? {} : { after_cursor: text("after_cursor", after_cursor) }),
  }
  return [request, created_at]
}

const text = (setting: string, value: string): string => {
  if (typeof value !== "string") throw invalid(setting, "a text", value)
  if (!value.isWellFormed()) throw new InvalidConfiguration({ setting, reason: "it contains a lone surrogate" })
  return value
}

const operators = { gt: CreatedAt.gt, gte: CreatedAt.gte, lt: CreatedAt.lt, lte: CreatedAt.lte }

const readBounds = (bounds: NonNullable<Query["created_at"]>): CreatedAt.CreatedAt => {
  known("created_at", bounds, Object.keys(operators))
  if (CreatedAt.isCreatedAt(bounds)) throw invalid("created_at", "an object with gt, gte, lt or lte", bounds)
  defined("created_at.", bounds, Object.keys(operators))
  let filter = CreatedAt.all
  for (const operator of ["gt", "gte", "lt", "lte"] as const) {
    const at = bounds[operator]
    if (at !== undefined) filter = CreatedAt.and(filter, operators[operator](readInstant(`created_at.${operator}`, at)))
  }
  return filter
}

const readInstant = (setting: string, at: Instant): Timestamp.Timestamp => {
  if (typeof at === "string") return Result.getOrThrow(Timestamp.parse(at))
  if (Timestamp.isTimestamp(at)) return at
  try {
    if (at instanceof Date) return Timestamp.fromDate(at)
    if (typeof at?.epochNanoseconds === "bigint") return Timestamp.fromTemporal(at)
  } catch {
    // An invalid Date, or an instant beyond the years of RFC 3339.
  }
  throw invalid(setting, "an RFC 3339 text, a valid Date, a Temporal.Instant or a time of a transfer", at)
}

export const readSignal = (options: CallOptions | undefined): AbortSignal | undefined => {
  const signal = options?.signal ?? undefined
  if (signal !== undefined && typeof signal.addEventListener !== "function") {
    throw invalid("signal", "an AbortSignal", signal)
  }
  return signal
}

/** The settings of a call, without those that it leaves to the client. */
export const readCall = (options: CallOptions = {}, names: ReadonlyArray<string> = callNames): CallSettings => {
  const { attemptTimeout, deadline, retries, headers } = known("options", options, names)
  return {
    ...(attemptTimeout === undefined
      ? {}
      : { attemptTimeout: Result.getOrThrow(readLimit("attemptTimeout", attemptTimeout)) }),
    ...(deadline === undefined ? {} : { deadline: Result.getOrThrow(readLimit("deadline", deadline)) }),
    ...(retries === undefined ? {} : { retries: Result.getOrThrow(whole("retries", retries, 0)) }),
    ...(headers === undefined ? {} : { headers: readHeaders(headers) }),
  }
}

const readHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  if (typeof headers !== "object" || headers === null) throw invalid("headers", "an object", headers)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const reason = headerFault(name, value)
      if (reason !== undefined) throw new InvalidConfiguration({ setting: `headers.${name.slice(0, 64)}`, reason })
      return [name.toLowerCase(), value]
    }),
  )
}

/** A wrong length lets a service take the next request on the connection, perhaps of another call, for a part of this one. */
const own = /^(?:authorization|connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** Without the value, which may be a secret. */
const headerFault = (name: string, value: unknown): string | undefined => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "that is no name of a header"
  if (own.test(name)) return "the client sets it"
  return typeof value === "string" && /^[\t -~]*$/.test(value) ? undefined : "its value must be visible ASCII"
}

/** The path of a GET below `/v1`. */
export const readPath = (path: string): string => {
  const expected = "a path below /v1, such as /transfers/0192, without a query"
  const isPlain = typeof path === "string" && /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(path)
  if (!isPlain || /\/\.{1,2}(?:\/|$)|%2e/i.test(path)) throw invalid("path", expected, path)
  return path
}

/** The parameters of a GET; one with a list is repeated. */
export const readParameters = (query: GetQuery = {}): URLSearchParams => {
  const parameters = new URLSearchParams()
  if (typeof query !== "object" || query === null) throw invalid("query", "an object", query)
  defined("", query, Object.keys(query))
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (!["string", "number", "boolean"].includes(typeof value))
        throw invalid(name, "a text, a number or a boolean", value)
      parameters.append(text("query", name), text(name, String(value)))
    }
  }
  return parameters
}

const usualMaxAge = 5 * 60_000

export const readValidateOptions = (options: ValidateOptions = {}): CallOptions & { readonly maxAge: number } => {
  const { maxAge = usualMaxAge, ...call } = known("options", options, Object.keys(validate))
  return { ...call, maxAge: Result.getOrThrow(whole("maxAge", maxAge, 0)) }
}

/** The pager checks the numbers, and rejects them by name. */
export const readListOptions = (options: ListOptions = {}): TransferPager.PagesOptions => {
  const { limit, prefetch, strict } = options
  if ("resume" in options && options.resume !== undefined) {
    throw new InvalidConfiguration({ setting: "resume", reason: "a list has no checkpoints; use scan" })
  }
  return given({ limit, prefetch, strict })
}

export const readScanOptions = (options: ScanOptions = {}): TransferPager.ScanOptions => {
  const { limit, strict, concurrency, windowSize, resume } = options
  const rest: TransferPager.ScanOptions = given({ limit, strict, concurrency, windowSize })
  return resume === undefined ? rest : { ...rest, resume: readCheckpoint(resume) }
}

/** Without the fields that are not set. */
const given = <A extends object>(fields: A): { [F in keyof A]?: Exclude<A[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [F in keyof A]?: Exclude<A[F], undefined>
  }

/** An object is checked too: it may come from a file. */
const readCheckpoint = (resume: NonNullable<ScanOptions["resume"]>): Checkpoint.Checkpoint =>
  Result.getOrThrow(Checkpoint.fromJson(typeof resume === "string" ? resume : JSON.stringify(resume)))
