/**
 * The closed set of errors of a request to the service. Each says what happened, what to do, and whether a retry may
 * succeed. None of them holds a credential.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"

/** One error that the service reports, from a body such as `{"errors":[{"code":"…","message":"…"}]}`. */
export interface ServiceError {
  readonly code: string
  readonly message: string
}

/** The response that an error came from, if there was one. */
interface ResponseInfo {
  /** The `x-request-id` of the response, to quote to the service's support. */
  readonly requestId?: string | undefined
}

const quote = ({ requestId }: ResponseInfo): string => (requestId === undefined ? "" : ` (request id ${requestId})`)

const list = (errors: ReadonlyArray<ServiceError>): string =>
  errors.map((error) => `${error.message} [${error.code}]`).join("; ")

/** 401 or 403: the credentials are missing, wrong, or not allowed to do this. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<ResponseInfo & { readonly status: number }> {
  readonly isRetryable = false
  override get message(): string {
    return `The service rejected the credentials with status ${this.status}${quote(this)}. Check the partner id and the secret key, and that they belong to this base URL.`
  }
}

/** Any other 4xx with an error body: the service does not accept the request. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<
  ResponseInfo & { readonly status: number; readonly errors: ReadonlyArray<ServiceError> }
> {
  readonly isRetryable = false
  override get message(): string {
    return `The service rejected the request with status ${this.status}: ${list(this.errors)}${quote(this)}.`
  }
}

/** 429: too many requests. `retryAfter` is the wait that the service asked for, if any. */
export class RateLimited extends Data.TaggedError("RateLimited")<
  ResponseInfo & { readonly retryAfter?: Duration.Duration | undefined }
> {
  readonly isRetryable = true
  override get message(): string {
    const wait =
      this.retryAfter === undefined
        ? "Send requests less often"
        : `It asks for a wait of ${Duration.format(this.retryAfter)}`
    return `The service limits the rate of requests (429)${quote(this)}. ${wait}.`
  }
}

/** 5xx or 408: the service cannot respond now. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<
  ResponseInfo & {
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
 * A status that the contract does not name. `body` holds the first KiB of the body; `location` is the target of a
 * redirect, which is not followed; `redirects` is how many were, if they were too many.
 */
export class UnexpectedStatus extends Data.TaggedError("UnexpectedStatus")<
  ResponseInfo & {
    readonly status: number
    readonly body: string
    readonly location?: string | undefined
    readonly redirects?: number | undefined
  }
> {
  readonly isRetryable = false
  override get message(): string {
    if (this.redirects !== undefined) {
      return `The service redirected ${this.redirects} times, and then (${this.status}) to ${JSON.stringify(this.location)}${quote(this)}, which was not followed. Check that the base URL is the service's.`
    }
    if (this.location !== undefined) {
      return `The service redirects (${this.status}) to ${JSON.stringify(this.location)}${quote(this)}. It was not followed, because it would receive the credentials. If you trust that address, make it the base URL.`
    }
    const body = this.body === "" ? "an empty body" : `the body ${JSON.stringify(this.body)}`
    return `The service responded with status ${this.status} and ${body}${quote(this)}. Check that the base URL is the service's.`
  }
}

/** No response: the name did not resolve, the connection was refused, or it was lost. */
export class ConnectionFailed extends Data.TaggedError("ConnectionFailed")<
  ResponseInfo & {
    readonly reason: string
    /** A retry will not help: the host is unknown, or its certificate is not trusted. */
    readonly isPermanent?: boolean
    /** The code of the operating system or of TLS, such as `ECONNREFUSED`. */
    readonly errno?: string
  }
> {
  get isRetryable(): boolean {
    return this.isPermanent !== true
  }
  override get message(): string {
    return `Cannot reach the service: ${this.reason}${quote(this)}. Check the base URL and the network.`
  }
}

/** No complete response within the time limit. */
export class TimedOut extends Data.TaggedError("TimedOut")<ResponseInfo & { readonly after: Duration.Duration }> {
  readonly isRetryable = true
  override get message(): string {
    return `The service did not complete its response within ${Duration.format(this.after)}${quote(this)}.`
  }
}

/**
 * The service broke its contract. `pointer` is the JSON Pointer of the first invalid value, empty for the whole body.
 */
export class MalformedResponse extends Data.TaggedError("MalformedResponse")<
  ResponseInfo & {
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

/** Any of these errors. */
export type TransferApiError =
  | Unauthorized
  | InvalidRequest
  | RateLimited
  | ServiceUnavailable
  | UnexpectedStatus
  | ConnectionFailed
  | TimedOut
  | MalformedResponse

/**
 * Whether the service rejected a request that it may have accepted before: any 4xx that is about neither credentials nor
 * the rate. With an `after_cursor`, it is what a service responds to a cursor that it does not know any more.
 *
 * @example
 * TransferApiError.isRejection(new TransferApiError.UnexpectedStatus({ status: 410, body: "" })) // => true
 * TransferApiError.isRejection(new TransferApiError.RateLimited({})) // => false
 */
export const isRejection = (error: TransferApiError): boolean =>
  error._tag === "InvalidRequest" || (error._tag === "UnexpectedStatus" && error.status >= 400 && error.status < 500)
