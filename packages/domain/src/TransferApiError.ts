/**
 * What can go wrong between us and the service: a closed set of errors. Each says what happened and what to do, and
 * whether the same request may succeed later. None of them ever holds a credential.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"

/** One error of the service's own, from a body such as `{"errors":[{"code":"…","message":"…"}]}`. */
export interface ServiceError {
  readonly code: string
  readonly message: string
}

/** What every error knows of the response it came from, if there was one. */
interface Answer {
  /** The `x-request-id` of the response: what to quote to the service's support. */
  readonly requestId?: string | undefined
}

const quote = (answer: Answer): string => (answer.requestId === undefined ? "" : ` (request id ${answer.requestId})`)

const list = (errors: ReadonlyArray<ServiceError>): string =>
  errors.map((error) => `${error.message} [${error.code}]`).join("; ")

/** 401 or 403: the credentials are missing, wrong, or not allowed to do this. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Answer & { readonly status: number }> {
  readonly isRetryable = false
  override get message(): string {
    return `The service refused the credentials with status ${this.status}${quote(this)}. Check the partner id and the secret key, and that they belong to this base URL.`
  }
}

/** Another 4xx that explains itself: the request is not one the service accepts. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<
  Answer & { readonly status: number; readonly errors: ReadonlyArray<ServiceError> }
> {
  readonly isRetryable = false
  override get message(): string {
    return `The service refused the request with status ${this.status}: ${list(this.errors)}${quote(this)}.`
  }
}

/** 429: too many requests. `retryAfter` is how long the service asked us to wait, if it said. */
export class RateLimited extends Data.TaggedError("RateLimited")<
  Answer & { readonly retryAfter?: Duration.Duration | undefined }
> {
  readonly isRetryable = true
  override get message(): string {
    const wait =
      this.retryAfter === undefined ? "Ask less often" : `It asks to wait ${Duration.format(this.retryAfter)}`
    return `The service limits the rate of requests (429)${quote(this)}. ${wait}.`
  }
}

/** 5xx, or 408: the service cannot answer now. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<
  Answer & {
    readonly status: number
    readonly errors: ReadonlyArray<ServiceError>
    readonly retryAfter?: Duration.Duration | undefined
  }
> {
  readonly isRetryable = true
  override get message(): string {
    const why = this.errors.length === 0 ? "" : `: ${list(this.errors)}`
    return `The service failed with status ${this.status}${why}${quote(this)}. Try again later.`
  }
}

/**
 * A status that the contract does not name. `body` holds the first KiB of what came with it, `location` where a
 * redirect leads that was not followed.
 */
export class UnexpectedStatus extends Data.TaggedError("UnexpectedStatus")<
  Answer & { readonly status: number; readonly body: string; readonly location?: string | undefined }
> {
  readonly isRetryable = false
  override get message(): string {
    if (this.location !== undefined) {
      return `The service redirects (${this.status}) to ${JSON.stringify(this.location)}${quote(this)}. It was not followed, because the credentials would go with it. If you trust that address, make it the base URL.`
    }
    const body = this.body === "" ? "an empty body" : `the body ${JSON.stringify(this.body)}`
    return `The service answered with status ${this.status} and ${body}${quote(this)}. Check that the base URL is the service's.`
  }
}

/** No response: the name did not resolve, the connection was refused, or it broke. */
export class ConnectionFailed extends Data.TaggedError("ConnectionFailed")<
  Answer & {
    readonly reason: string
    /** No retry will help, as with an unknown host or a certificate that is not trusted. */
    readonly isPermanent?: boolean
  }
> {
  get isRetryable(): boolean {
    return this.isPermanent !== true
  }
  override get message(): string {
    return `Cannot reach the service: ${this.reason}${quote(this)}. Check the base URL and the network.`
  }
}

/** No complete answer within the time allowed. */
export class TimedOut extends Data.TaggedError("TimedOut")<Answer & { readonly after: Duration.Duration }> {
  readonly isRetryable = true
  override get message(): string {
    return `The service did not answer completely within ${Duration.format(this.after)}${quote(this)}.`
  }
}

/** The service broke its contract. `pointer` is the JSON Pointer of the first bad place, empty for the whole body. */
export class MalformedResponse extends Data.TaggedError("MalformedResponse")<
  Answer & {
    readonly pointer: string
    readonly expected: string
    readonly actual: string
    /** The body is not JSON at all, as if cut off in transit: a retry may bring all of it. */
    readonly truncated?: boolean
  }
> {
  get isRetryable(): boolean {
    return this.truncated === true
  }
  override get message(): string {
    const place = this.pointer === "" ? "Its body" : `The value at ${this.pointer}`
    return `The service broke its contract. ${place} should be ${this.expected}, but is ${this.actual}${quote(this)}.`
  }
}

/** Any of them. */
export type TransferApiError =
  | Unauthorized
  | InvalidRequest
  | RateLimited
  | ServiceUnavailable
  | UnexpectedStatus
  | ConnectionFailed
  | TimedOut
  | MalformedResponse
