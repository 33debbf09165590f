/** The errors of the Promise client: real errors of one base class, with their times in milliseconds. */

/** What every error has. */
export interface ErrorDetails {
  /** What happened, for programs: `rate_limited`, `timed_out` and so on. */
  readonly code: string
  /** Whether the same call may succeed later. By now the client has used up its own retries. */
  readonly isRetryable: boolean
  /** The service's `x-request-id`, to quote to its support. */
  readonly requestId?: string | undefined
  /** Requests sent by the call, the first included. */
  readonly attempts?: number | undefined
}

/** Shared by all copies of this package, so that `instanceof` recognises the errors of each. */
const TypeId: unique symbol = Symbol.for("@transferkit/http-client/TransferKitError")

/**
 * The base of all errors of the Promise client. `message` says what happened and what to do.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof TransferKitError && error.isRetryable // => true
 */
export class TransferKitError extends Error implements ErrorDetails {
  declare readonly code: string
  declare readonly isRetryable: boolean
  declare readonly requestId?: string | undefined
  declare readonly attempts?: number | undefined

  constructor(message: string, details: ErrorDetails & Readonly<Record<string, unknown>>) {
    super(message)
    Object.assign(this, details)
  }

  get [TypeId](): typeof TypeId {
    return TypeId
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      typeof value === "object" &&
      value !== null &&
      TypeId in value &&
      "name" in value &&
      (this.prototype === TransferKitError.prototype || value.name === this.prototype.name)
    )
  }
}

/**
 * One error that the service reports.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error.errors // => [{ code: "invalid_parameter", message: "no" }]
 */
export interface ServiceError {
  readonly code: string
  readonly message: string
}

/**
 * 401 or 403: the credentials are missing, wrong, or not allowed to do this.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof Unauthorized && error.status // => 401
 */
export class Unauthorized extends TransferKitError {
  declare readonly code: "unauthorized"
  declare readonly status: number
}

/**
 * Any other 4xx with an error body: the service does not accept the request.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof InvalidRequest && error.errors[0].code // => "invalid_parameter"
 */
export class InvalidRequest extends TransferKitError {
  declare readonly code: "invalid_request"
  declare readonly status: number
  declare readonly errors: ReadonlyArray<ServiceError>
}

/**
 * 429: too many requests.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof RateLimited && error.retryAfter // => 3000
 */
export class RateLimited extends TransferKitError {
  declare readonly code: "rate_limited"
  /** The wait that the service asked for, in milliseconds. */
  declare readonly retryAfter?: number | undefined
}

/**
 * 5xx or 408: the service cannot respond now.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof ServiceUnavailable && error.isRetryable // => true
 */
export class ServiceUnavailable extends TransferKitError {
  declare readonly code: "service_unavailable"
  declare readonly status: number
  declare readonly errors: ReadonlyArray<ServiceError>
  /** The wait that the service asked for, in milliseconds. */
  declare readonly retryAfter?: number | undefined
}

/**
 * A status that the contract does not name.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof UnexpectedStatus && error.body // => "a teapot"
 */
export class UnexpectedStatus extends TransferKitError {
  declare readonly code: "unexpected_status"
  declare readonly status: number
  /** The first KiB of the body. */
  declare readonly body: string
  /** The target of a redirect, which is not followed. */
  declare readonly location?: string | undefined
  /** How many redirects were followed before it, if they were too many. */
  declare readonly redirects?: number | undefined
}

/**
 * No response: the name did not resolve, the connection was refused, or it was lost.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof ConnectionFailed && error.cause?.code // => "ECONNREFUSED"
 */
export class ConnectionFailed extends TransferKitError {
  declare readonly code: "connection_failed"
  declare readonly reason: string
  /** With the code of the operating system or of TLS, such as `ECONNREFUSED`, if the runtime has one. */
  declare readonly cause?: Error & { readonly code: string }
}

/**
 * No complete response within the time limit.
 *
 * @example
 * const error = await client.search({}, { attemptTimeout: 20 }).catch((reason) => reason)
 * error instanceof TimedOut && error.after // => 20
 */
export class TimedOut extends TransferKitError {
  declare readonly code: "timed_out"
  /** The time limit, in milliseconds. */
  declare readonly after: number
}

/**
 * The service broke its contract.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error instanceof MalformedResponse && error.pointer // => "/results"
 */
export class MalformedResponse extends TransferKitError {
  declare readonly code: "malformed_response"
  /** The JSON Pointer of the first invalid value, empty for the whole body. */
  declare readonly pointer: string
  declare readonly expected: string
  declare readonly actual: string
}

/**
 * The service gave out a cursor again with the same page, or for the third time: following it would never end.
 *
 * @example
 * const error = await client.list().toArray({ limit: 100 }).catch((reason) => reason)
 * error instanceof CursorCycle && error.cursor // => "again"
 */
export class CursorCycle extends TransferKitError {
  declare readonly code: "cursor_cycle"
  declare readonly cursor: string
  declare readonly page: number
}

/**
 * A page says that another follows, but not where.
 *
 * @example
 * const error = await client.list().toArray({ limit: 100 }).catch((reason) => reason)
 * error instanceof MissingCursor && error.page // => 1
 */
export class MissingCursor extends TransferKitError {
  declare readonly code: "missing_cursor"
  declare readonly page: number
}

/**
 * Too many empty pages in a row, each of which says that another follows.
 *
 * @example
 * const error = await client.list().toArray({ limit: 100 }).catch((reason) => reason)
 * error instanceof EmptyPages && error.budget > 0 // => true
 */
export class EmptyPages extends TransferKitError {
  declare readonly code: "empty_pages"
  declare readonly budget: number
}

/**
 * Many pages in a row that have transfers, but none that is new.
 *
 * @example
 * const error = await client.list().toArray({ limit: 100 }).catch((reason) => reason)
 * error instanceof RepeatedPages && error.id // => "t1"
 */
export class RepeatedPages extends TransferKitError {
  declare readonly code: "repeated_pages"
  declare readonly pages: number
  declare readonly id: string
}

/**
 * A transfer that was not asked for: one with `strict`, the first of `pages` pages in a row that have no other, or one that
 * the service sent and left out when the second of its creation was asked for, `missingFrom`.
 *
 * @example
 * const error = await client.list({ external_id: "order-1" }, { strict: true }).toArray({ limit: 1 }).catch((reason) => reason)
 * error instanceof OutsideFilter && error.id // => "t1"
 */
export class OutsideFilter extends TransferKitError {
  declare readonly code: "outside_filter"
  declare readonly id: string
  declare readonly reason: string
  declare readonly pages?: number
  declare readonly missingFrom?: readonly [string, ...Array<string>]
}

/**
 * A scan read a transfer at two creation times, `created_at` and another one. It would count twice.
 *
 * @example
 * const error = await client.scan()[Symbol.asyncIterator]().next().catch((reason) => reason)
 * error instanceof MovedTransfer && error.id // => "t1"
 */
export class MovedTransfer extends TransferKitError {
  declare readonly code: "moved_transfer"
  declare readonly id: string
  declare readonly created_at: string
}

/**
 * The checkpoint belongs to another query, or to another partner or service. Both are named by their fingerprints.
 *
 * @example
 * const resume = { version: 2, query: "another", transfers: 0, remaining: [] }
 * const error = await client.scan({}, { resume })[Symbol.asyncIterator]().next().catch((reason) => reason)
 * error instanceof CheckpointMismatch && error.checkpoint // => "another"
 */
export class CheckpointMismatch extends TransferKitError {
  declare readonly code: "checkpoint_mismatch"
  declare readonly checkpoint: string
  declare readonly query: string
}

/**
 * The service rejects the cursors that it gives out, and reading again from the start reached no further page.
 *
 * @example
 * const error = await client.list().toArray({ limit: 100 }).catch((reason) => reason)
 * error instanceof CursorExpired && error.isRetryable // => false
 */
export class CursorExpired extends TransferKitError {
  declare readonly code: "cursor_expired"
  declare readonly reason: string
}

/**
 * More transfers were created in one second than a scan can hold.
 *
 * @example
 * SecondTooLarge.name // => "SecondTooLarge"
 */
export class SecondTooLarge extends TransferKitError {
  declare readonly code: "second_too_large"
  /** The start of the second, RFC 3339. */
  declare readonly second: string
  declare readonly most: number
}

/**
 * A setting of the client, or an option of a call, that makes no sense. Thrown before anything is sent.
 *
 * @example
 * const error = await client.search({ limit: 100 }).catch((reason) => reason)
 * error instanceof InvalidConfiguration && error.setting // => "limit"
 */
export class InvalidConfiguration extends TransferKitError {
  declare readonly code: "invalid_configuration"
  /** Its name. */
  declare readonly setting: string
  declare readonly reason: string
}

/**
 * The text is not a checkpoint of this version.
 *
 * @example
 * const error = await client.scan({}, { resume: "no" })[Symbol.asyncIterator]().next().catch((reason) => reason)
 * error instanceof InvalidCheckpoint // => true
 */
export class InvalidCheckpoint extends TransferKitError {
  declare readonly code: "invalid_checkpoint"
  declare readonly reason: string
}

/**
 * The text is not an RFC 3339 timestamp.
 *
 * @example
 * const error = await client.search({ created_at: { gte: "2024-09-01" } }).catch((reason) => reason)
 * error instanceof InvalidTimestamp && error.input // => "2024-09-01"
 */
export class InvalidTimestamp extends TransferKitError {
  declare readonly code: "invalid_timestamp"
  declare readonly input: string
  declare readonly reason: string
}

/**
 * What was given to `validate` holds no proposal.
 *
 * @example
 * const error = await client.validate("[]").catch((reason) => reason)
 * error instanceof MalformedProposals && error.reason // => "the list is empty"
 */
export class MalformedProposals extends TransferKitError {
  declare readonly code: "malformed_proposals"
  declare readonly reason: string
}

/** All of them, by the names that they print. */
export const classes = {
  TransferKitError,
  Unauthorized,
  InvalidRequest,
  RateLimited,
  ServiceUnavailable,
  UnexpectedStatus,
  ConnectionFailed,
  TimedOut,
  MalformedResponse,
  CursorCycle,
  MissingCursor,
  EmptyPages,
  RepeatedPages,
  OutsideFilter,
  MovedTransfer,
  CheckpointMismatch,
  CursorExpired,
  SecondTooLarge,
  InvalidConfiguration,
  InvalidCheckpoint,
  InvalidTimestamp,
  MalformedProposals,
} as const

// A bundler may have renamed the classes.
for (const [name, value] of Object.entries(classes)) {
  for (const owner of [value, value.prototype]) Object.defineProperty(owner, "name", { value: name })
}

type Classes = Omit<typeof classes, "TransferKitError">

/**
 * Any of them. `code` distinguishes them.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * error.code // => "rate_limited"
 */
export type TransferError = InstanceType<Classes[keyof Classes]>

/**
 * Whether a value is an error of this client, whose `code` then says which.
 *
 * @example
 * const error = await client.search().catch((reason) => reason)
 * isTransferError(error) && error.code // => "rate_limited"
 */
export const isTransferError = (value: unknown): value is TransferError => value instanceof TransferKitError
