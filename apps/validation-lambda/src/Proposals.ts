/** The proposals in a request: one of them, or `{"transfers":[…]}` of up to a thousand. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** The most proposals in one request. */
export const maxCount = 1000

/** The most characters a body may have: a thousand proposals take about a third of a million. */
export const maxBodyLength = 4 * 1024 * 1024

/** The body is not what this function validates. */
export class MalformedRequest extends Data.TaggedError("MalformedRequest")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason} Send one proposal, or {"transfers":[…]} with up to ${maxCount} of them, as JSON.`
  }
}

/** More than fits into one request. */
export class TooLarge extends Data.TaggedError("TooLarge")<{ readonly found: string; readonly allowed: string }> {
  override get message(): string {
    return `The request has ${this.found}, and at most ${this.allowed} are accepted. Send several smaller ones.`
  }
}

/** What can be wrong with a request before any rule is applied. */
export type ProposalsError = MalformedRequest | TooLarge

/** Reads a body. */
export const parse = (body: string): Result.Result<ReadonlyArray<unknown>, ProposalsError> => {
  if (body.length > maxBodyLength) {
    return Result.fail(new TooLarge({ found: `${body.length} characters`, allowed: `${maxBodyLength} characters` }))
  }
  if (body.trim() === "") return malformed("The body is empty.")
  try {
    return fromJson(JSON.parse(body))
  } catch {
    return malformed("The body is not JSON.")
  }
}

/** Reads a value that came as JSON. */
export const fromJson = (value: unknown): Result.Result<ReadonlyArray<unknown>, ProposalsError> => {
  if (typeof value !== "object" || value === null) return malformed("The body is not a JSON object.")
  if (Array.isArray(value)) return malformed("The body is a JSON array.")
  if (isDeeper(value, maxDepth)) return malformed("The body nests too deeply.")
  if (!("transfers" in value)) return Result.succeed([value])
  if (!Array.isArray(value.transfers)) return malformed('The value of "transfers" is not an array.')
  const count = value.transfers.length
  return count > maxCount
    ? Result.fail(new TooLarge({ found: `${count} proposals`, allowed: `${maxCount} proposals` }))
    : Result.succeed(value.transfers)
}

/** A proposal in a list is four levels deep; what is a thousand times deeper can be read and not written again. */
const maxDepth = 32

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((child) => isDeeper(child, depth - 1)))

const malformed = (reason: string) => Result.fail(new MalformedRequest({ reason }))
