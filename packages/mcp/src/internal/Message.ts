/**
 * Judges the text of a message before anything else reads it, whatever transport it came by: what reads it next is
 * recursive, and looks at each value several times.
 */
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as MessageId from "./MessageId.ts"

/** The most commas, lists and objects of a message, each. The largest ledger has 8,000 commas, and SQL at most 20,000. */
export const mostValues = 25_000

/** `Parse error` and `Invalid Request` of JSON-RPC, and the first of those that it leaves to servers. */
export const codes = { parse: -32_700, invalid: -32_600, busy: -32_000 } as const

/** Why a message is rejected, with the id of its request, if it could be read. */
export interface Fault {
  readonly id: string | number | null
  readonly code: (typeof codes)[keyof typeof codes]
  readonly message: string
}

/** The value of a text, or why it is rejected. */
export const read = (text: string): Result.Result<unknown, Fault> => {
  if (JsonBounds.isExceeded(text, mostValues)) {
    const message = `A message has at most ${mostValues} commas, ${mostValues} lists and ${mostValues} objects`
    return Result.fail({ id: null, code: codes.invalid, message })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Result.fail({ id: null, code: codes.parse, message: "Parse error: a message is JSON" })
  }
  if (JsonDepth.findDeeper(value) === undefined) return Result.succeed(value)
  const id = Predicate.hasProperty(value, "id") && MessageId.isExact(value.id) ? value.id : null
  return Result.fail({ id, code: codes.invalid, message: `A message has at most ${JsonDepth.maxDepth} levels` })
}

/** The response to a request that is rejected. */
export const rejection = ({ id, code, message }: Fault): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
