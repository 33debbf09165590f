import type { Capabilities } from "@transferkit/domain/Capabilities"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
/** The transfer service for programs that use promises: no Effect to know, the same care underneath. */
import { ofRuntime } from "#runtimeTransport"
import * as FetchTransport from "./FetchTransport.ts"
import * as HttpTransferApi from "./HttpTransferApi.ts"
import { HttpTransport } from "./HttpTransport.ts"
import { iterate, run } from "./internal/abort.ts"

export { InvalidCheckpoint } from "@transferkit/domain/Checkpoint"
export { InvalidTimestamp } from "@transferkit/domain/Timestamp"
export {
  ConnectionFailed,
  InvalidRequest,
  MalformedResponse,
  RateLimited,
  ServiceUnavailable,
  TimedOut,
  Unauthorized,
  UnexpectedStatus,
} from "@transferkit/domain/TransferApiError"
export {
  CheckpointMismatch,
  CursorCycle,
  CursorExpired,
  EmptyPages,
  MissingCursor,
  OrderBroken,
  OutsideFilter,
} from "@transferkit/domain/TransferPagerError"
export { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** Where the service is, who is calling, and how patient the client is. Times are in milliseconds. */
export interface TransferClientConfig {
  /** Scheme and host, and a path prefix if there is one: `/v1` is added here. */
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: string
  /**
   * Allows `http:` to a host that is not this machine. The secret key then travels in the clear.
   * @default false
   */
  readonly allowInsecure?: boolean
  /**
   * For one attempt, until the last byte of its answer. `0` sets no limit.
   * @default 30_000
   */
  readonly attemptTimeout?: number
  /**
   * For one request with all its attempts and waits. `0` sets no limit.
   * @default 120_000
   */
  readonly deadline?: number
  /**
   * Attempts after the first, where the same request may succeed later. `0` never retries.
   * @default 4
   */
  readonly retries?: number
  /**
   * What sends the requests: for a proxy, a test, a runtime with a `fetch` of its own.
   * @default `node:http` on Node, where it costs a third less; `globalThis.fetch` elsewhere
   */
  readonly fetch?: FetchTransport.Fetch
  /**
   * Requests in flight at once, over all calls. Fewer while the service answers that it is too many.
   * @default 32
   */
  readonly concurrency?: number
  /**
   * The most bytes a body may have, decompressed.
   * @default 16_777_216
   */
  readonly maxBodyBytes?: number
  /** Called before each request with the `curl` command that repeats it, without the secret key. */
  readonly onRequest?: (curl: string) => void
  /** Called with each answer in short, whatever it says: for a log that has the service's request ids. */
  readonly onResponse?: (response: HttpTransferApi.ResponseInfo) => void
}

/** Which transfers. Without a field, all of them. */
export interface Query {
  /** The identifier the partner gave; several transfers may share one. */
  readonly external_id?: string
  /** The time of creation. All of the bounds must hold; a text is RFC 3339, such as `2024-09-01T00:00:00Z`. */
  readonly created_at?: {
    readonly gt?: string | Date
    readonly gte?: string | Date
    readonly lt?: string | Date
    readonly lte?: string | Date
  }
}

/** What every call takes. */
export interface CallOptions {
  /** Stops the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** How to go through all transfers of a query. */
export interface ListOptions extends CallOptions {
  /** Fails where the service sends a transfer that was not asked for, which otherwise is dropped. */
  readonly strict?: boolean
  /** A checkpoint, or the text `JSON.stringify` made of it: goes on after it. */
  readonly resume?: TransferPager.Batch["checkpoint"] | string | undefined
}

/** How to scan. */
export interface ScanOptions extends ListOptions {
  /**
   * Pages to request at once.
   * @default 8
   */
  readonly concurrency?: number
}

export interface TransferClient {
  /** Countries, currencies, payment methods and limits. */
  readonly capabilities: (options?: CallOptions) => Promise<Capabilities>
  /** One page. `after_cursor` is the `end_cursor` of the page before. */
  readonly search: (
    query?: Query & { readonly limit?: number; readonly after_cursor?: string },
    options?: CallOptions,
  ) => Promise<TransferPage>
  /** All transfers, one by one, in the order of the service. Pages are requested as they are needed. */
  readonly list: (query?: Query, options?: ListOptions) => AsyncIterable<Transfer>
  /**
   * All transfers in any order, many pages at once. Each batch comes with the checkpoint to keep once the batch is
   * dealt with: handed back as `resume`, it goes on from there.
   */
  readonly scan: (query?: Query, options?: ScanOptions) => AsyncIterable<TransferPager.Batch>
}

/**
 * A client for one partner. It holds no connection of its own, so there is nothing to close. Throws
 * `InvalidConfiguration` where a setting is wrong.
 */
export const createTransferClient = (config: TransferClientConfig): TransferClient => {
  const { retries, fetch, secretKey, onRequest, onResponse, ...rest } = config
  const api = Effect.runSync(
    HttpTransferApi.make({
      ...rest,
      secretKey: Redacted.make(secretKey),
      retry: retries === undefined ? {} : { retries },
      ...(onRequest === undefined ? {} : { onRequest: (curl) => Effect.sync(() => onRequest(curl)) }),
      ...(onResponse === undefined ? {} : { onResponse: (response) => Effect.sync(() => onResponse(response)) }),
    }).pipe(Effect.provideService(HttpTransport, fetch === undefined ? ofRuntime : FetchTransport.make(fetch))),
  )
  const pager = Effect.runSync(Effect.provideService(TransferPager.make, TransferApi, api))
  return {
    capabilities: (options) => run(api.capabilities, options?.signal),
    search: (query, options) =>
      run(
        Effect.suspend(() => searchOnce(api, query ?? {})),
        options?.signal,
      ),
    list: (query, options) => ({
      [Symbol.asyncIterator]: () =>
        oneByOne(iterate(pager.pages(readQuery(query), pagerOptions(options)), options?.signal)),
    }),
    scan: (query, options) => ({
      [Symbol.asyncIterator]: () => iterate(pager.scan(readQuery(query), pagerOptions(options)), options?.signal),
    }),
  }
}

async function* oneByOne(batches: AsyncIterable<TransferPager.Batch>): AsyncGenerator<Transfer, void, void> {
  for await (const { results } of batches) for (const transfer of results) yield transfer
}

const searchOnce = (
  api: TransferApi["Service"],
  query: Query & { readonly limit?: number; readonly after_cursor?: string },
): Effect.Effect<TransferPage, TransferApiError> => {
  const { created_at, external_id } = readQuery(query)
  const [planned] = CreatedAt.plan(created_at ?? CreatedAt.all).requests
  if (planned === undefined) return Effect.succeed({ results: [], page_info: { has_next_page: false } })
  const request = {
    ...(external_id === undefined ? {} : { external_id }),
    ...(planned.created_at.length === 0 ? {} : { created_at: planned.created_at }),
    limit: query.limit ?? SearchRequest.maxLimit,
    ...(query.after_cursor === undefined ? {} : { after_cursor: query.after_cursor }),
  }
  return Effect.map(api.search(request), (page) => ({
    ...page,
    results: page.results.filter((transfer) => CreatedAt.matches(created_at ?? CreatedAt.all, transfer.created_at)),
  }))
}

const readQuery = ({ external_id, created_at }: Query = {}): TransferQuery => ({
  ...(external_id === undefined ? {} : { external_id }),
  ...(created_at === undefined ? {} : { created_at: readRange(created_at) }),
})

const operators = { gt: CreatedAt.gt, gte: CreatedAt.gte, lt: CreatedAt.lt, lte: CreatedAt.lte }

const readRange = (range: NonNullable<Query["created_at"]>): CreatedAt.CreatedAt => {
  let filter = CreatedAt.all
  for (const operator of ["gt", "gte", "lt", "lte"] as const) {
    const at = range[operator]
    if (at !== undefined) filter = CreatedAt.and(filter, operators[operator](readInstant(at)))
  }
  return filter
}

const readInstant = (at: string | Date): Timestamp.Timestamp =>
  typeof at === "string" ? Result.getOrThrow(Timestamp.parse(at)) : Timestamp.fromDate(at)

const pagerOptions = ({ strict, resume, concurrency }: ScanOptions = {}): TransferPager.ScanOptions => ({
  ...(strict === undefined ? {} : { strict }),
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(resume === undefined ? {} : { resume: readCheckpoint(resume) }),
})

/** Checked also where it is an object: it may come from a file. */
const readCheckpoint = (resume: NonNullable<ListOptions["resume"]>): Checkpoint.Checkpoint =>
  Result.getOrThrow(Checkpoint.fromJson(typeof resume === "string" ? resume : JSON.stringify(resume)))
