/** The proposals in a request or a file, at least one: a single one, a list, or the envelope `{"transfers":[…]}`. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as JsonDepth from "./JsonDepth.ts"
import * as JsonText from "./JsonText.ts"
import * as JsonValue from "./JsonValue.ts"

/** The text or value holds no proposals. `reason` is a clause such as `it is not JSON`. */
export class MalformedProposals extends Data.TaggedError("MalformedProposals")<{ readonly reason: string }> {
  override get message(): string {
    return `These are not proposals: ${this.reason}. Send one proposal, a list of them, or {"transfers":[…]}, as JSON.`
  }
}

/**
 * Reads a JSON text. The proposals themselves can be any values: `Validation` checks each. A name that an object has twice
 * is an error: whoever executes the proposal may take the other value.
 *
 * @example
 * Proposals.parse('{"transfers":[{"country_code":"US"}]}') // => Result.succeed([{ country_code: "US" }])
 * Result.mapError(Proposals.parse('{"a":1,"a":2}'), ({ reason }) => reason) // => Result.fail('line 1, column 8: its object has a name twice: remove one of the two')
 */
export const parse = (text: string): Result.Result<ReadonlyArray<unknown>, MalformedProposals> => {
  if (text.trim() === "") return malformed("there is no text")
  return Result.flatMap(
    Result.mapError(
      JsonText.parse(text.replace(/^\ufeff/, ""), { keepsDigits: true }),
      (reason) => new MalformedProposals({ reason: unquoted(reason) }),
    ),
    fromJson,
  )
}

/** Without words of the text: the error is kept in logs, which hold no proposals. */
const unquoted = (reason: string): string => {
  if (reason.startsWith("it is not JSON")) return "the text is not JSON"
  const name = reason.indexOf('its object has "')
  return name === -1 ? reason : `${reason.slice(0, name)}its object has a name twice: remove one of the two`
}

/**
 * Reads a JSON value.
 *
 * @example
 * Proposals.fromJson([{ country_code: "US" }]) // => Result.succeed([{ country_code: "US" }])
 */
export const fromJson = (value: unknown): Result.Result<ReadonlyArray<unknown>, MalformedProposals> => {
  if (typeof value !== "object" || value === null || JsonValue.isNumberText(value))
    return malformed("the value is neither an object nor a list")
  const deeper = JsonDepth.findDeeper(value)
  if (deeper !== undefined) return malformed(JsonDepth.tooDeep(deeper))
  if (Array.isArray(value)) return some(value)
  if (!("transfers" in value)) return Result.succeed([value])
  return Array.isArray(value.transfers) ? some(value.transfers) : malformed('the value of "transfers" is not a list')
}

/** Each may have several violations, of which a report of all holds every one. */
const most = 100_000

/**
 * A list of 1 to 100,000 proposals. An empty one asks nothing: a verdict on it would be valid, and hide that they were lost.
 *
 * @example
 * Proposals.some([{ country_code: "US" }]) // => Result.succeed([{ country_code: "US" }])
 */
export const some = <A>(list: ReadonlyArray<A>): Result.Result<ReadonlyArray<A>, MalformedProposals> => {
  if (list.length > most) return malformed(`there are ${list.length} of them, and at most ${most} are read at once`)
  return list.length === 0 ? malformed("the list is empty") : Result.succeed(list)
}

const malformed = (reason: string) => Result.fail(new MalformedProposals({ reason }))
