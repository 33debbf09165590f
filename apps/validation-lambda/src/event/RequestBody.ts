/** The proposals in the body of a request, of a message or of a direct invocation, within the limits of one request. */
import * as Proposals from "@transferkit/domain/Proposals"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { HttpEvent } from "./InvocationEvent.ts"

/** The most proposals in one request. */
const maxCount = 1000

/** The most bytes of a body, decompressed: a thousand proposals take about a third of a million. */
const maxBytes = 4 * 1024 * 1024

/** More than fits into one request, or its result into one response. */
export class TooLarge extends Data.TaggedError("TooLarge")<{ readonly found: string; readonly allowed: string }> {
  override get message(): string {
    return `The request has ${this.found}, and at most ${this.allowed} are accepted. Send several smaller ones.`
  }
}

/** The HTTP request cannot be handled, whatever its body. */
export class RequestRejected extends Data.TaggedError("RequestRejected")<{
  readonly status: 405 | 415
  readonly reason: string
}> {
  override get message(): string {
    return this.reason
  }
}

/** What can be wrong with a request before any rule is applied. */
export type RequestError = Proposals.MalformedProposals | RequestRejected | TooLarge

type Read = Result.Result<ReadonlyArray<unknown>, RequestError>

/** Reads the body of an HTTP request. */
export const ofHttp = ({ method, headers, body }: HttpEvent): Read => {
  if (method !== "POST") {
    // A load balancer passes any word on, of any length.
    const named = /^[A-Z]{1,20}$/.test(method) ? `The method ${method}` : "The method"
    const reason = `${named} is not supported. POST a proposal, a list of them, or {"transfers":[…]}.`
    return Result.fail(new RequestRejected({ status: 405, reason }))
  }
  const type = headers["content-type"]
  if (type !== undefined && !isJson.test(type)) {
    return Result.fail(
      new RequestRejected({ status: 415, reason: "The content type is not JSON. Send application/json." }),
    )
  }
  // The other charsets would give other characters, and so another external_id.
  if ([...(type ?? "").matchAll(charset)].some(([, name = ""]) => !/^utf-?8$/i.test(name))) {
    const reason = "The charset is not UTF-8. Send JSON in UTF-8."
    return Result.fail(new RequestRejected({ status: 415, reason }))
  }
  return Result.flatMap(decompressed(body, headers["content-encoding"]), (bytes) => parse(bytes.toString()))
}

const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

const charset = /;\s*charset\s*=\s*"?([^";,\s]*)/gi

const decompressed = (body: Uint8Array, encoding = "identity"): Result.Result<Buffer, RequestError> => {
  switch (encoding.trim().toLowerCase()) {
    case "identity":
      return Result.succeed(Buffer.from(body))
    case "gzip":
      return Result.try({
        // Not an `import`, which adds 0.4 times the instructions of an empty handler to the function's start.
        try: () => process.getBuiltinModule("node:zlib").gunzipSync(body, { maxOutputLength: maxBytes }),
        catch: (error) =>
          error instanceof RangeError
            ? new TooLarge({ found: `more than ${maxBytes} bytes`, allowed: `${maxBytes} bytes` })
            : new Proposals.MalformedProposals({ reason: "the body is not gzip" }),
      })
    default: {
      const reason = "The content encoding is not supported. Send gzip or no encoding."
      return Result.fail(new RequestRejected({ status: 415, reason }))
    }
  }
}

/** Reads a JSON text. Bytes that were not UTF-8 have become U+FFFD in it, in Lambda or here. */
export const parse = (body: string): Read => {
  if (body.includes("\ufffd")) {
    return Result.fail(new Proposals.MalformedProposals({ reason: "a character was lost; send it as UTF-8" }))
  }
  const size = Buffer.byteLength(body)
  return size > maxBytes
    ? Result.fail(new TooLarge({ found: `${size} bytes`, allowed: `${maxBytes} bytes` }))
    : Result.flatMap(Proposals.parse(body), bounded)
}

/** Reads a value that came as JSON. */
export const fromJson = (value: unknown): Read => Result.flatMap(Proposals.fromJson(value), bounded)

const bounded = (proposals: ReadonlyArray<unknown>): Read =>
  proposals.length > maxCount
    ? Result.fail(new TooLarge({ found: `${proposals.length} proposals`, allowed: `${maxCount} proposals` }))
    : Result.succeed(proposals)
