/** The options of a client: their names, their defaults and their checks. */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { userAgentOf, type AppInfo } from "../UserAgent.ts"
import type { CallOptions, Retry } from "./Call.ts"
import type { ResponseInfo } from "./ResponseInfo.ts"

/**
 * How long a client waits, how often it retries, and how much it does at once. A value that makes no sense is an
 * `InvalidConfiguration`.
 *
 * @example
 * const patient = { ...config, deadline: "5 minutes", retry: { retries: 8 }, concurrency: 0 }
 * const made = Effect.provide(HttpTransferApi.make(patient), FetchTransport.layer())
 * (await Effect.runPromise(Effect.flip(made))).reason // => "it must be a whole number from 1, not 0"
 */
export interface HttpTransferApiOptions {
  /**
   * Allows `http:` to a host that is not this machine. The secret key then travels in the clear.
   * @default false
   */
  readonly allowInsecure?: boolean
  /**
   * For one attempt, until the last byte of its response. `0` sets no limit.
   * @default "30 seconds"
   */
  readonly attemptTimeout?: Duration.Input
  /**
   * For one call with all its attempts and waits, also for credentials and for a permit. `0` sets no limit.
   * @default "2 minutes"
   */
  readonly deadline?: Duration.Input
  /** When failed attempts are retried. `{ retries: 0 }` never does. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
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
  readonly appInfo?: AppInfo
  /** Called before each request with the `curl` command that repeats it, without the secret key. */
  readonly onRequest?: (curl: string) => Effect.Effect<void>
  /** Called with each response in short, of any status: for a log with the service's request ids. */
  readonly onResponse?: (response: ResponseInfo) => Effect.Effect<void>
  /** Called with each failed attempt that is retried. */
  readonly onRetry?: (retry: Retry) => Effect.Effect<void>
}

export const readOptions = (options: HttpTransferApiOptions): Result.Result<CallOptions, InvalidConfiguration> =>
  Result.gen(function* () {
    const { retry = {}, onRequest, onResponse, onRetry } = options
    return {
      attemptTimeout: yield* limit("attemptTimeout", options.attemptTimeout ?? "30 seconds"),
      deadline: yield* limit("deadline", options.deadline ?? "2 minutes"),
      retry: {
        retries: yield* whole("retries", retry.retries ?? RetryPolicy.standard.retries, 0),
        baseDelay: yield* milliseconds("baseDelay", retry.baseDelay ?? RetryPolicy.standard.baseDelay),
        maxDelay: yield* milliseconds("maxDelay", retry.maxDelay ?? RetryPolicy.standard.maxDelay),
        maxRetryAfter: yield* milliseconds("maxRetryAfter", retry.maxRetryAfter ?? RetryPolicy.standard.maxRetryAfter),
      },
      concurrency: yield* whole("concurrency", options.concurrency ?? 32, 1),
      maxBodyBytes: yield* whole("maxBodyBytes", options.maxBodyBytes ?? 16 * 1024 * 1024, 1),
      onRequest: yield* hook("onRequest", onRequest),
      userAgent: yield* userAgentOf(options.appInfo),
      onResponse: yield* hook("onResponse", onResponse),
      onRetry: yield* hook("onRetry", onRetry),
    }
  })

/** A value that is not what a setting expects. */
export const invalid = (setting: string, expected: string, value: unknown): InvalidConfiguration =>
  new InvalidConfiguration({ setting, reason: `it must be ${expected}, not ${String(value).slice(0, 64)}` })

export const whole = (setting: string, value: number, least: number): Result.Result<number, InvalidConfiguration> =>
  Number.isSafeInteger(value) && value >= least
    ? Result.succeed(value)
    : Result.fail(invalid(setting, `a whole number from ${least}`, value))

const milliseconds = (setting: string, value: number): Result.Result<number, InvalidConfiguration> =>
  typeof value === "number" && value >= 0
    ? Result.succeed(value)
    : Result.fail(invalid(setting, "a number of milliseconds from 0", value))

/** `0` sets no limit. */
export const limit = (setting: string, value: Duration.Input): Result.Result<number, InvalidConfiguration> => {
  const millis = Option.map(Duration.fromInput(value), Duration.toMillis)
  return Option.isSome(millis) && millis.value >= 0 && !Number.isNaN(value)
    ? Result.succeed(millis.value || Infinity)
    : Result.fail(invalid(setting, "a duration from 0", value))
}

const hook = <F>(setting: string, value: F | undefined): Result.Result<F | undefined, InvalidConfiguration> =>
  value === undefined || typeof value === "function"
    ? Result.succeed(value)
    : Result.fail(invalid(setting, "a function", value))
