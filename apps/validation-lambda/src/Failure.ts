/** The failures of an invocation, and what each is over HTTP and as the error of a direct invocation. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import type { MirrorError } from "@transferkit/mirror/MirrorError"
import * as Duration from "effect/Duration"
import type { MirrorIncomplete } from "./audit/AuditedMirror.ts"
import type { MalformedAudit } from "./audit/AuditWindow.ts"
import type { Correlation, UnknownEvent } from "./event/InvocationEvent.ts"
import type { RequestError } from "./event/RequestBody.ts"
import type { MalformedFile } from "./file/FileRequest.ts"
import type { FileMissing, StoreFailed } from "./file/ObjectStore.ts"
import type { OutOfTime } from "./OutOfTime.ts"
import type { UnknownCapabilities } from "./service/CapabilitiesCache.ts"
import type { CapabilitiesStoreFailed } from "./service/CapabilitiesStore.ts"
import type { DeliveryFailed } from "./service/Delivery.ts"
import type { KeyUnavailable } from "./service/PartnerKey.ts"
import type { DuplicatesUnchecked } from "./verdict/DuplicateCheck.ts"

/** Every failure. */
export type Failure =
  | RequestError
  | CapabilitiesStoreFailed
  | DeliveryFailed
  | DuplicatesUnchecked
  | FileMissing
  | KeyUnavailable
  | MalformedAudit
  | MalformedFile
  | MirrorError
  | MirrorIncomplete
  | StoreFailed
  | UnknownCapabilities
  | UnknownEvent
  | OutOfTime
  | TransferApiError
  | TransferPagerError

/** A failure as a response over HTTP. */
export interface HttpFailure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly errors: readonly [{ readonly code: string; readonly message: string }] } & Identifiers
}

/** What finds the invocation in the log, and the event in the caller's. */
export interface Identifiers extends Correlation {
  readonly request_id: string
}

/** The response for a failure. */
export const toHttp = (failure: Failure, identifiers: Identifiers): HttpFailure => {
  const { status, code } = classify(failure)
  const retryAfter = "retryAfter" in failure ? failure.retryAfter : undefined
  return {
    status,
    headers: {
      ...(status === 405 ? { allow: "POST" } : {}),
      ...(retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(Duration.toSeconds(retryAfter))) }),
    },
    body: { errors: [{ code, message: failure.message }], ...identifiers },
  }
}

/** The response for a bug of ours. Only the log says more. */
export const internalError = (identifiers: Identifiers): HttpFailure => ({
  status: 500,
  headers: {},
  body: { errors: [{ code: "internal_error", message: "The function failed. Its log says why." }], ...identifiers },
})

/** The HTTP status of a failure: below 500 if it is the caller's. */
export const statusOf = (failure: Failure): number => classify(failure).status

/** The service is there, and asks to be left alone for a while. */
const paused = { status: 503, code: "rate_limited" }

const classify = (failure: Failure): { readonly status: number; readonly code: string } => {
  switch (failure._tag) {
    case "MalformedProposals":
    case "MalformedAudit":
    case "MalformedFile":
    case "UnknownEvent":
      return { status: 400, code: "malformed_request" }
    case "FileMissing":
      return { status: 404, code: "unknown_file" }
    case "UnknownCapabilities":
      return { status: 404, code: "unknown_capabilities" }
    case "TooLarge":
      return { status: 413, code: "too_large" }
    case "RequestRejected":
      return { status: failure.status, code: failure.status === 405 ? "method_not_allowed" : "unsupported_media_type" }
    case "TimedOut":
    case "OutOfTime":
      return { status: 504, code: "timed_out" }
    case "DuplicatesUnchecked":
      return failure.retryAfter === undefined ? { status: 504, code: "timed_out" } : paused
    case "RateLimited":
      return paused
    case "CapabilitiesStoreFailed":
    case "DeliveryFailed":
    case "KeyUnavailable":
    case "MirrorError":
    case "MirrorIncomplete":
    case "StoreFailed":
    case "Unauthorized":
    case "InvalidRequest":
    case "ServiceUnavailable":
    case "UnexpectedStatus":
    case "ConnectionFailed":
    case "MalformedResponse":
    case "CursorCycle":
    case "MissingCursor":
    case "EmptyPages":
    case "RepeatedPages":
    case "OutsideFilter":
    case "MovedTransfer":
    case "CheckpointMismatch":
    case "CursorExpired":
    case "SecondTooLarge":
    case "InvalidPagerOption":
      return { status: 502, code: "service_failed" }
  }
}

/** A failure as Lambda reports it: `errorType` is its tag, for a state machine to retry or catch by; no stack is sent. */
export const toError = (failure: { readonly _tag: string; readonly message: string }): Error => {
  const error = new Error(failure.message)
  error.name = failure._tag
  error.stack = `${failure._tag}: ${failure.message}`
  return error
}
