/** The queries and options of the Promise client as the domain's values. Everything wrong is named, and thrown. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as TransferPager from "@transferkit/domain/TransferPager"
import type { InvalidPagerOption } from "@transferkit/domain/TransferPagerError"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"

/** A filter. Without a field, all transfers. */
export interface Query {
  /** The identifier that the partner gave; several transfers may share one. */
  readonly external_id?: string
  /** Bounds on the time of creation, all of which must hold; a text is RFC 3339, such as `2024-09-01T00:00:00Z`. */
  readonly created_at?: {
    readonly gt?: string | Date
    readonly gte?: string | Date
    readonly lt?: string | Date
    readonly lte?: string | Date
  }
}

/** One page of a query. */
export interface PageQuery extends Query {
  /**
   * The maximum number of transfers, from 1 to 20.
   * @default 20
   */
  readonly limit?: number
  /** The `end_cursor` of the previous page. */
  readonly after_cursor?: string
}

/** Options of every call. */
export interface CallOptions {
  /** Stops the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined
}

/** What listing and scanning have in common. */
interface ReadOptions extends CallOptions {
  /**
   * Fails if the service sends a transfer outside the query, which otherwise is dropped.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Transfers to a page, 1 to 20.
   * @default 20
   */
  readonly limit?: number
}

/** Options for all transfers of a query, one by one. */
export interface ListOptions extends ReadOptions {
  /**
   * Pages to request ahead of the one that is being read, 0 to 1000.
   * @default 1
   */
  readonly prefetch?: number
}

/** Options of a scan. */
export interface ScanOptions extends ReadOptions {
  /**
   * Windows to read at once, 1 to 1000.
   * @default 8
   */
  readonly concurrency?: number
  /**
   * Transfers to aim at in a window at the most, 20 to 10,000: smaller windows deliver sooner, at the price of requests.
   * @default 480
   */
  readonly windowSize?: number
  /** A checkpoint, or its JSON text: continues after it. */
  readonly resume?: TransferPager.Batch["checkpoint"] | string | undefined
}

const invalid = (setting: string, expected: string, value: unknown): InvalidConfiguration =>
  new InvalidConfiguration({ setting, reason: `it must be ${expected}, not ${String(value).slice(0, 64)}` })

export const readQuery = ({ external_id, created_at }: Query = {}): TransferQuery => ({
  ...(external_id === undefined ? {} : { external_id: text("external_id", external_id) }),
  ...(created_at === undefined ? {} : { created_at: readBounds(created_at) }),
})

/** The request of a page, or `undefined` if its bounds exclude every instant. */
export const readPageQuery = (query: PageQuery = {}): SearchRequest.SearchRequest | undefined => {
  const { external_id, created_at } = readQuery(query)
  const { limit = SearchRequest.maxLimit, after_cursor } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > SearchRequest.maxLimit) {
    throw invalid("limit", `a whole number from 1 to ${SearchRequest.maxLimit}`, limit)
  }
  const [planned] = CreatedAt.plan(created_at ?? CreatedAt.all).requests
  return (
    planned && {
      ...(external_id === undefined ? {} : { external_id }),
      ...(planned.created_at.length === 0 ? {} : { created_at: planned.created_at }),
      limit,
      ...(after_cursor === undefined ? {} : { after_cursor: text("after_cursor", after_cursor) }),
    }
  )
}

const text = (setting: string, value: string): string => {
  if (typeof value !== "string") throw invalid(setting, "a text", value)
  if (!value.isWellFormed()) throw new InvalidConfiguration({ setting, reason: "it contains a lone surrogate" })
  return value
}

const operators = { gt: CreatedAt.gt, gte: CreatedAt.gte, lt: CreatedAt.lt, lte: CreatedAt.lte }

const readBounds = (bounds: NonNullable<Query["created_at"]>): CreatedAt.CreatedAt => {
  if (typeof bounds !== "object" || bounds === null) throw invalid("created_at", "an object with bounds", bounds)
  let filter = CreatedAt.all
  for (const operator of ["gt", "gte", "lt", "lte"] as const) {
    const at = bounds[operator]
    if (at !== undefined) filter = CreatedAt.and(filter, operators[operator](readInstant(`created_at.${operator}`, at)))
  }
  return filter
}

const readInstant = (setting: string, at: string | Date): Timestamp.Timestamp => {
  if (typeof at === "string") return Result.getOrThrow(Timestamp.parse(at))
  if (at instanceof Date && !Number.isNaN(at.getTime())) return Timestamp.fromDate(at)
  throw invalid(setting, "an RFC 3339 text or a valid Date", at)
}

export const readSignal = (options: CallOptions | undefined): AbortSignal | undefined => {
  const signal = options?.signal ?? undefined
  if (signal !== undefined && typeof signal.addEventListener !== "function") {
    throw invalid("signal", "an AbortSignal", signal)
  }
  return signal
}

/** The pager checks the numbers, and rejects them by name. */
export const readListOptions = (options: ListOptions = {}): TransferPager.PagesOptions => {
  const { signal: _, ...rest } = options
  if ("resume" in rest && rest.resume !== undefined) {
    throw new InvalidConfiguration({ setting: "resume", reason: "a list has no checkpoints; use scan" })
  }
  return rest
}

export const readScanOptions = ({ signal: _, resume, ...rest }: ScanOptions = {}): TransferPager.ScanOptions =>
  resume === undefined ? rest : { ...rest, resume: readCheckpoint(resume) }

/** The pager's own rejection of an option, as the client's. */
export const invalidOption = ({ option, given, accepted }: InvalidPagerOption): InvalidConfiguration =>
  new InvalidConfiguration({ setting: option, reason: `it must be ${accepted}, not ${given}` })

/** An object is checked too: it may come from a file. */
const readCheckpoint = (resume: NonNullable<ScanOptions["resume"]>): Checkpoint.Checkpoint =>
  Result.getOrThrow(Checkpoint.fromJson(typeof resume === "string" ? resume : JSON.stringify(resume)))
