/** The settings of the Promise client, its queries, and the options of its calls. Times are in milliseconds. */
import type { ResponseInfo } from "../call/ResponseInfo.ts"
import type { ConnectionOptions } from "../transport/ConnectionOptions.ts"
import type { Checkpoint, Timestamp } from "./Values.ts"

/**
 * Who calls the service.
 *
 * @example
 * const renewing = createTransferClient({ baseUrl, credentials: () => ({ partnerId: "demo", secretKey: "demo-secret" }) })
 * (await renewing.search({ limit: 1 })).results.length // => 1
 */
export interface Credentials {
  readonly partnerId: string
  readonly secretKey: string
}

/**
 * Receives what the client logs, by level. `console` is one.
 *
 * @example
 * const lines = []
 * const logger = { warn: () => {}, info: () => {}, debug: (line) => lines.push(line) }
 * await createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", logger, logLevel: "debug" }).search()
 * lines.length > 0 // => true
 */
export interface Logger {
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
  readonly debug: (message: string) => void
}

/**
 * From this level up; `off` logs nothing.
 *
 * @example
 * const lines = []
 * const logger = { warn: () => {}, info: () => {}, debug: (line) => lines.push(line) }
 * await createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", logger, logLevel: "warn" }).search()
 * lines // => []
 */
export type LogLevel = "debug" | "info" | "warn" | "off"

/**
 * The service, the partner, and how long and how often to try.
 *
 * @example
 * const client = createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 2, deadline: 10_000 })
 * (await client.search({ limit: 1 })).results.length // => 1
 */
export interface TransferClientConfig extends ConnectionOptions {
  /**
   * Scheme and host, and a path prefix if there is one: `/v1` is added here.
   * @default the variable `TRANSFERS_BASE_URL`
   */
  readonly baseUrl?: string
  /** @default the variable `TRANSFERS_PARTNER_ID` */
  readonly partnerId?: string
  /** @default the variable `TRANSFERS_SECRET_KEY` */
  readonly secretKey?: string
  /**
   * In place of `partnerId` and `secretKey`: called before the first request, and again after a 401. A call waits for it
   * until its deadline. It always returns those of one partner.
   */
  readonly credentials?: () => Credentials | Promise<Credentials>
  /**
   * Allows `http:` to a host that is not this machine. The secret key then travels in the clear.
   * @default false
   */
  readonly allowInsecure?: boolean | undefined
  /**
   * For one attempt, until the last byte of its response. `0` sets no limit.
   * @default 30_000
   */
  readonly attemptTimeout?: number | undefined
  /**
   * For one request with all its attempts and waits, also for `credentials` and until it may be sent. `0` sets no limit.
   * @default 120_000
   */
  readonly deadline?: number | undefined
  /**
   * Attempts after the first, if the same request may succeed later. `0` never retries.
   * @default 4
   */
  readonly retries?: number | undefined
  /**
   * Sends the requests: for a test, or a runtime with a `fetch` of its own.
   * @default `node:http` on Node, at a third less CPU; `globalThis.fetch` elsewhere
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * Requests in flight at once, over all calls. Lowered while the service reports an overload (429, 503).
   * @default 32
   */
  readonly concurrency?: number | undefined
  /**
   * The maximum size of a body in bytes, decompressed.
   * @default 16_777_216
   */
  readonly maxBodyBytes?: number | undefined
  /** Your program, which the `User-Agent` then names. */
  readonly appInfo?: { readonly name: string; readonly version?: string; readonly url?: string } | undefined
  /**
   * Where to log. The secret key is never logged.
   * @default standard error, or the console of a browser
   */
  readonly logger?: Logger | undefined
  /**
   * `debug` logs requests and responses, `info` retries and failed calls, `warn` hooks that fail.
   * @default the variable `TRANSFERKIT_LOG`, or `warn`
   */
  readonly logLevel?: LogLevel | undefined
  /** Called before each request with the `curl` command that repeats it, without the secret key. The client does not wait for it. */
  readonly onRequest?: ((curl: string) => void) | undefined
  /** Called with each response in short, of any status: for a log with the service's request ids. */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined
}

/**
 * An RFC 3339 text, such as `2024-09-01T00:00:00Z`; a Date; a `Temporal.Instant`; or a time of a transfer.
 *
 * @example
 * const created_at = { gte: new Date("2024-01-01"), lt: "2025-01-01T00:00:00Z" }
 * (await client.search({ created_at, limit: 3 })).results.length // => 3
 */
export type Instant = string | Date | Timestamp | { readonly epochNanoseconds: bigint }

/**
 * A filter. Without a field, all transfers.
 *
 * @example
 * (await client.search({ external_id: "no-such-order" })).results // => []
 */
export interface Query {
  /** The identifier that the partner gave; several transfers may share one. */
  readonly external_id?: string
  /** Bounds on the time of creation, all of which must hold. */
  readonly created_at?: {
    readonly gt?: Instant
    readonly gte?: Instant
    readonly lt?: Instant
    readonly lte?: Instant
  }
}

/**
 * One page of a query.
 *
 * @example
 * const first = await client.search({ limit: 2 })
 * const second = await client.search({ limit: 2, after_cursor: first.page_info.end_cursor })
 * second.results[0].id === first.results[0].id // => false
 */
export interface PageQuery extends Query {
  /**
   * The maximum number of transfers, from 1 to 20.
   * @default 20
   */
  readonly limit?: number | undefined
  /** The `end_cursor` of the previous page. */
  readonly after_cursor?: string | undefined
}

/**
 * Options of every call, in place of the client's. A list or a scan applies them to each of its requests.
 *
 * @example
 * const options = { retries: 0, signal: AbortSignal.timeout(10_000) }
 * (await client.search({ limit: 2 }, options)).results.length // => 2
 */
export interface CallOptions {
  /** Stops the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined
  readonly attemptTimeout?: number | undefined
  readonly deadline?: number | undefined
  readonly retries?: number | undefined
  /** Sent in addition; they cannot replace the credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What listing and scanning have in common. */
interface ReadOptions extends CallOptions {
  /**
   * Fails if the service sends a transfer outside the query, which otherwise is dropped.
   * @default false
   */
  readonly strict?: boolean | undefined
  /**
   * Transfers to a page, 1 to 20.
   * @default 20
   */
  readonly limit?: number | undefined
}

/**
 * Options for all transfers of a query, one by one.
 *
 * @example
 * (await client.list({}, { prefetch: 0, limit: 10 }).toArray({ limit: 12 })).length // => 12
 */
export interface ListOptions extends ReadOptions {
  /**
   * Pages to request ahead of the one that is being read, 0 to 1000.
   * @default 1
   */
  readonly prefetch?: number | undefined
}

/**
 * Options of a scan.
 *
 * @example
 * let transfers = 0
 * for await (const { results } of client.scan({}, { concurrency: 2, windowSize: 20 })) transfers += results.length
 * transfers // => 45
 */
export interface ScanOptions extends ReadOptions {
  /**
   * Windows to read at once, 1 to 1000.
   * @default 8
   */
  readonly concurrency?: number | undefined
  /**
   * Transfers to aim at in a window at the most, 20 to 10,000: smaller windows deliver sooner, at the price of requests.
   * @default 480
   */
  readonly windowSize?: number | undefined
  /** A checkpoint, or its JSON text: continues after it. */
  readonly resume?: Checkpoint | string | undefined
}

/**
 * Options of a validation.
 *
 * @example
 * (await client.validate({ country_code: "AQ" }, { maxAge: 0 }))[0].valid // => false
 */
export interface ValidateOptions extends CallOptions {
  /**
   * Milliseconds for which capabilities that were read before are used again. `0` reads them now.
   * @default 300_000
   */
  readonly maxAge?: number | undefined
}

/**
 * The parameters of a GET. One with a list is repeated.
 *
 * @example
 * const created_at = ["gte:2024-01-01T00:00:00Z", "lt:2025-01-01T00:00:00Z"]
 * (await client.get("/transfers/search", { limit: 2, created_at })).results.length // => 2
 */
export interface GetQuery {
  readonly [name: string]: string | number | boolean | ReadonlyArray<string | number | boolean>
}
