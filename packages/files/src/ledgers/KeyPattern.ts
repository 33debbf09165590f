/**
 * Keys inside of longer texts, found by a pattern. RE2's matching takes time linear in the text, so that no pattern and no
 * ledger can stop a run, and no result depends on the speed of a machine.
 */
import * as Result from "effect/Result"
import { RE2JS } from "re2js"

/** The key in a text: empty if there is none; or, as a clause, what to ask. */
export type KeyOf = (text: string) => Result.Result<string, string>

const maxShown = 64
const maxPattern = 256
/** The time for a text is the product of both: a pattern of 256 characters may have 40,000 states, by its repetitions. */
const mostStates = 512
const longestText = 128 * 1024

/**
 * Compiles a pattern of RE2, which has neither look-around nor back-references. The key is the first group, or the whole
 * match if there is none. Different matches in one text are asked about.
 *
 * @example
 * const keyOf = Result.getOrThrow(KeyPattern.make("INV-[0-9]+"))
 * keyOf("Payment INV-17, thank you") // => Result.succeed("INV-17")
 */
export const make = (pattern: string): Result.Result<KeyOf, string> => {
  if (pattern.length > maxPattern) return Result.fail(`--key-pattern has more than ${maxPattern} characters`)
  return Result.flatMap(
    Result.try({
      try: () => RE2JS.compile(pattern),
      catch: (error) =>
        `--key-pattern ${JSON.stringify(pattern)} is no pattern of RE2, which has neither look-around nor back-references: ${error instanceof Error ? error.message : String(error)}`,
    }),
    (compiled) =>
      compiled.programSize() > mostStates
        ? Result.fail(`--key-pattern repeats too much: ${compiled.programSize()} states, of at most ${mostStates}`)
        : Result.succeed(keysOf(compiled)),
  )
}

const keysOf =
  (compiled: RE2JS): KeyOf =>
  (text) => {
    if (text.length > longestText) {
      return Result.fail(
        `--key-pattern is for texts of at most ${longestText} characters, and this one has ${text.length}`,
      )
    }
    const matcher = compiled.matcher(text)
    let found: string | undefined
    while (matcher.find()) {
      const key = (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? ""
      if (key === "" || key === found) continue
      if (found !== undefined) {
        const [first, second] = [found, key].map((one) => JSON.stringify(one.slice(0, maxShown)))
        return Result.fail(`--key-pattern finds several keys, ${first} and ${second}. Make it more exact`)
      }
      found = key
    }
    return Result.succeed(found ?? "")
  }
