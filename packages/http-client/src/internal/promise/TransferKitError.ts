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

/** The base of all errors of the Promise client. `message` says what happened and what to do. */
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

/** One error that the service reports. */
export interface ServiceError {
  readonly code: string
  readonly message: string
}

/** 401 or 403: the credentials are missing, wrong, or not allowed to do this. */
export class Unauthorized extends TransferKitError {
  declare readonly code: "unauthorized"
  declare readonly status: number
}

/** Any other 4xx with an error body: the service does not accept the request. */
export class InvalidRequest extends TransferKitError {
  declare readonly code: "invalid_request"
  declare readonly status: number
  declare readonly errors: ReadonlyArray<ServiceError>
}

/** 429: too many requests. */
export class RateLimited extends TransferKitError {
  declare readonly code: "rate_limited"
  /** The wait that the service asked for, in milliseconds. */
  declare readonly retryAfter?: number | undefined
}

/** 5xx or 408: the service cannot respond now. */
export class ServiceUnavailable extends TransferKitError {
  declare readonly code: "service_unavailable"
  declare readonly status: number
  declare readonly errors: ReadonlyArray<ServiceError>
  /** The wait that the service asked for, in milliseconds. */
  declare readonly retryAfter?: number | undefined
}

/** A status that the contract does not name. */
export class UnexpectedStatus extends TransferKitError {
  declare readonly code: "unexpected_status"
  declare readonly status: number
  /** The first KiB of the body. */
  declare readonly body: string
  /** The target of a redirect, which is not followed. */
  declare readonly location?: string | undefined
}

/** No response: the name did not resolve, the connection was refused, or it was lost. */
export class ConnectionFailed extends TransferKitError {
  declare readonly code: "connection_failed"
  declare readonly reason: string
}

/** No complete response within the time limit. */
export class TimedOut extends TransferKitError {
  declare readonly code: "timed_out"
  /** The time limit, in milliseconds. */
  declare readonly after: number
}

/** The service broke its contract. */
export class MalformedResponse extends TransferKitError {
  declare readonly code: "malformed_response"
  /** The JSON Pointer of the first invalid value, empty for the whole body. */
  declare readonly pointer: string
  declare readonly expected: string
  declare readonly actual: string
}

/** The service gave out a cursor for the second time: following it would never end. */
export class CursorCycle extends TransferKitError {
  declare readonly code: "cursor_cycle"
  declare readonly cursor: string
  declare readonly page: number
}

/** A page says that another follows, but not where. */
export class MissingCursor extends TransferKitError {
  declare readonly code: "missing_cursor"
  declare readonly page: number
}

/** Too many empty pages in a row, each of which says that another follows. */
export class EmptyPages extends TransferKitError {
  declare readonly code: "empty_pages"
  declare readonly budget: number
}

/** Many pages in a row that have transfers, but none that is new. */
export class RepeatedPages extends TransferKitError {
  declare readonly code: "repeated_pages"
  declare readonly pages: number
  declare readonly id: string
}

/** A transfer that was not asked for: one with `strict`, or the first of `pages` pages in a row that have no other. */
export class OutsideFilter extends TransferKitError {
  declare readonly code: "outside_filter"
  declare readonly id: string
  declare readonly reason: string
  declare readonly pages?: number
}

/** The checkpoint belongs to another query, or to another partner or service. Both are named by their fingerprints. */
export class CheckpointMismatch extends TransferKitError {
  declare readonly code: "checkpoint_mismatch"
  declare readonly checkpoint: string
  declare readonly query: string
}

/** The service rejects the cursors that it gives out, and reading again from the start brought nothing new. */
export class CursorExpired extends TransferKitError {
  declare readonly code: "cursor_expired"
  declare readonly reason: string
}

/** More transfers were created in one second than a scan can hold. */
export class SecondTooLarge extends TransferKitError {
  declare readonly code: "second_too_large"
  /** The start of the second, RFC 3339. */
  declare readonly second: string
  declare readonly most: number
}

/** A setting of the client, or an option of a call, that makes no sense. Thrown before anything is sent. */
export class InvalidConfiguration extends TransferKitError {
  declare readonly code: "invalid_configuration"
  /** Its name. */
  declare readonly setting: string
  declare readonly reason: string
}

/** The text is not a checkpoint of this version. */
export class InvalidCheckpoint extends TransferKitError {
  declare readonly code: "invalid_checkpoint"
  declare readonly reason: string
}

/** The text is not an RFC 3339 timestamp. */
export class InvalidTimestamp extends TransferKitError {
  declare readonly code: "invalid_timestamp"
  declare readonly input: string
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
  CheckpointMismatch,
  CursorExpired,
  SecondTooLarge,
  InvalidConfiguration,
  InvalidCheckpoint,
  InvalidTimestamp,
} as const

// Not the names of the classes: a bundler may shorten those.
for (const [name, { prototype }] of Object.entries(classes)) Object.defineProperty(prototype, "name", { value: name })

type Classes = Omit<typeof classes, "TransferKitError">

/** Any of them. `code` tells them apart. */
export type TransferError = InstanceType<Classes[keyof Classes]>
