/** The settings of the Promise client, its queries, and the options of its calls. Times are in milliseconds. */
import type { ResponseInfo } from "../call/ResponseInfo.ts"
import type { Checkpoint, Timestamp } from "./Values.ts"

/** Who calls the service. */
export interface Credentials {
  readonly partnerId: string
  readonly secretKey: string
}

/** Receives what the client logs, by level. `console` is one. */
export interface Logger {
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
  readonly debug: (message: string) => void
}

/** From this level up; `off` logs nothing. */
export type LogLevel = "debug" | "info" | "warn" | "off"

/** The connections of Node. */
export interface ConnectionOptions {
  /** Certificates of authorities to trust instead of Node's own, in PEM: for a private authority. */
  readonly ca?: string | ReadonlyArray<string>
  /**
   * The address of an HTTP proxy, such as `http://proxy.example:3128`.
   * @default the proxy of the environment, if Node runs with `NODE_USE_ENV_PROXY=1`
   */
  readonly proxy?: string
  /** An `http.Agent` or `https.Agent` of your own, in place of the client's, and of `ca` and `proxy`. */
  readonly agent?: object
}

/** The service, the partner, and how long and how often to try. */
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
  /** In place of `partnerId` and `secretKey`: called before the first request, and again after a 401. */
  readonly credentials?: () => Credentials | Promise<Credentials>
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
   * Sends the requests: for a test, or a runtime with a `fetch` of its own.
   * @default `node:http` on Node, at a third less CPU; `globalThis.fetch` elsewhere
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
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
  /** Your program, which the `User-Agent` then names. */
  readonly appInfo?: { readonly name: string; readonly version?: string; readonly url?: string }
  /**
   * Where to log. The secret key is never logged.
   * @default standard error, or the console of a browser
   */
  readonly logger?: Logger
  /**
   * `debug` logs requests and responses, `info` retries and failed calls, `warn` hooks that fail.
   * @default the variable `TRANSFERKIT_LOG`, or `warn`
   */
  readonly logLevel?: LogLevel
  /** Called before each request with the `curl` command that repeats it, without the secret key. Nobody waits for it. */
  readonly onRequest?: (curl: string) => void
  /** Called with each response in short, of any status: for a log with the service's request ids. */
  readonly onResponse?: (response: ResponseInfo) => void
}

/** An RFC 3339 text, such as `2024-09-01T00:00:00Z`; a Date; or a time of a transfer. */
export type Instant = string | Date | Timestamp

/** A filter. Without a field, all transfers. */
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

/** Options of every call, in place of the client's. A list or a scan applies them to each of its requests. */
export interface CallOptions {
  /** Stops the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined
  readonly attemptTimeout?: number
  readonly deadline?: number
  readonly retries?: number
  /** Sent in addition; they cannot replace the credentials. */
  readonly headers?: Readonly<Record<string, string>>
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
  readonly resume?: Checkpoint | string | undefined
}

/** The parameters of a GET. One with a list is repeated. */
export interface GetQuery {
  readonly [name: string]: string | number | boolean | ReadonlyArray<string | number | boolean> | undefined
}
