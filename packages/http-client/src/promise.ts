/** The transfer service for programs that use promises: no Effect to know, the same care underneath. */

import type { Capabilities } from "@transferkit/domain/Capabilities"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ofRuntime } from "#runtimeTransport"
import * as FetchTransport from "./FetchTransport.ts"
import * as HttpTransferApi from "./HttpTransferApi.ts"
import { HttpTransport } from "./HttpTransport.ts"
import { iterate, run } from "./internal/promise/abort.ts"
import { hook } from "./internal/promise/hook.ts"
import {
  type CallOptions,
  invalidOption,
  type ListOptions,
  type PageQuery,
  type Query,
  readPageQuery,
  readListOptions,
  readQuery,
  readScanOptions,
  readSignal,
  type ScanOptions,
} from "./internal/promise/queryReader.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"

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
  OutsideFilter,
  SecondTooLarge,
} from "@transferkit/domain/TransferPagerError"
export type { CallOptions, ListOptions, PageQuery, Query, ScanOptions } from "./internal/promise/queryReader.ts"
export { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** The service, the partner, and how long and how often to try. Times are in milliseconds. */
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
   * For one attempt, until the last byte of its response. `0` sets no limit.
   * @default 30_000
   */
  readonly attemptTimeout?: number
  /**
   * For one request with all its attempts and waits. `0` sets no limit.
   * @default 120_000
   */
  readonly deadline?: number
  /**
   * Attempts after the first, if the same request may succeed later. `0` never retries.
   * @default 4
   */
  readonly retries?: number
  /**
   * Sends the requests: for a proxy, a test, or a runtime with a `fetch` of its own.
   * @default `node:http` on Node, at a third less CPU; `globalThis.fetch` elsewhere
   */
  readonly fetch?: FetchTransport.Fetch
  /**
   * Requests in flight at once, over all calls. Lowered while the service reports an overload (429, 503).
   * @default 32
   */
  readonly concurrency?: number
  /**
   * The maximum size of a body in bytes, decompressed.
   * @default 16_777_216
   */
  readonly maxBodyBytes?: number
  /** Called before each request with the `curl` command that repeats it, without the secret key. Nobody waits for it. */
  readonly onRequest?: (curl: string) => void
  /** Called with each response in short, of any status: for a log with the service's request ids. */
  readonly onResponse?: (response: HttpTransferApi.ResponseInfo) => void
}

/** The service, as one partner sees it. Every method rejects with one of the errors that this module exports. */
export interface TransferClient {
  /** Countries, currencies, payment methods and limits. */
  readonly capabilities: (options?: CallOptions) => Promise<Capabilities>
  /** One page. */
  readonly search: (query?: PageQuery, options?: CallOptions) => Promise<TransferPage>
  /** All transfers one by one, in the order of the service. The next page is requested while one is read. */
  readonly list: (query?: Query, options?: ListOptions) => AsyncIterable<Transfer>
  /**
   * All transfers in any order, many windows of creation time at once. Each batch has a checkpoint: save it after the batch, and pass it as
   * `resume` to continue from there.
   */
  readonly scan: (query?: Query, options?: ScanOptions) => AsyncIterable<TransferPager.Batch>
}

/**
 * A client for one partner. It holds no connection of its own, so there is nothing to close. Throws
 * `InvalidConfiguration` if a setting is wrong.
 */
export const createTransferClient = (config: TransferClientConfig): TransferClient => {
  const { retries, fetch, secretKey, onRequest, onResponse, ...rest } = config
  for (const [setting, value] of Object.entries({ fetch, onRequest, onResponse })) {
    if (value !== undefined && typeof value !== "function") {
      throw new InvalidConfiguration({ setting, reason: "it must be a function" })
    }
  }
  const api = Effect.runSync(
    HttpTransferApi.make({
      ...rest,
      secretKey: Redacted.make(secretKey),
      retry: retries === undefined ? {} : { retries },
      ...(onRequest === undefined ? {} : { onRequest: hook("onRequest", onRequest) }),
      ...(onResponse === undefined ? {} : { onResponse: hook("onResponse", onResponse) }),
    }).pipe(Effect.provideService(HttpTransport, fetch === undefined ? ofRuntime : FetchTransport.make(fetch))),
  )
  const pager = Effect.runSync(Effect.provideService(TransferPager.make, TransferApi, api))
  return {
    capabilities: async (options) => run(api.capabilities, readSignal(options)),
    search: async (query, options) => run(searchOnce(api, query), readSignal(options)),
    list: (query, options) => ({
      [Symbol.asyncIterator]: () =>
        oneByOne(checked(pager.pages(readQuery(query), readListOptions(options)), readSignal(options))),
    }),
    scan: (query, options) => ({
      [Symbol.asyncIterator]: () =>
        checked(pager.scan(readQuery(query), readScanOptions(options)), readSignal(options)),
    }),
  }
}

const checked = <A>(stream: TransferPager.TransferStream<A>, signal: AbortSignal | undefined) =>
  iterate(
    Stream.catchTag(stream, "InvalidPagerOption", (error) => Stream.fail(invalidOption(error))),
    signal,
  )

async function* oneByOne(pages: AsyncIterable<ReadonlyArray<Transfer>>): AsyncGenerator<Transfer, void, void> {
  for await (const transfers of pages) yield* transfers
}

const searchOnce = (
  api: TransferApi["Service"],
  query: PageQuery | undefined,
): Effect.Effect<TransferPage, TransferApiError> => {
  const request = readPageQuery(query)
  if (request === undefined) return Effect.succeed({ results: [], page_info: { has_next_page: false } })
  const { created_at = CreatedAt.all } = readQuery(query)
  return Effect.map(api.search(request), (page) => ({
    ...page,
    results: page.results.filter((transfer) => CreatedAt.matches(created_at, transfer.created_at)),
  }))
}
