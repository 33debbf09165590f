/**
 * Keys inside of longer texts, found by a pattern. RE2's matching takes time linear in the text, so that no pattern and no
 * ledger can stop a run, and no result depends on the speed of a machine.
 */
import * as Result from "effect/Result"
import { RE2JS } from "re2js"

/** The key in a text: empty if there is none; or, as a clause, what to ask. */
export type KeyOf = (text: string) => Result.Result<string, string>

const maxShown = 64

/**
 * Compiles a pattern of RE2, which has neither look-around nor back-references. The key is the first group, or the whole
 * match if there is none. Different matches in one text are asked about.
 *
 * @example
 * const keyOf = Result.getOrThrow(KeyPattern.make("INV-[0-9]+"))
 * keyOf("Payment INV-17, thank you") // => Result.succeed("INV-17")
 */
export const make = (pattern: string): Result.Result<KeyOf, string> =>
  Result.map(
    Result.try({
      try: () => RE2JS.compile(pattern),
      catch: (error) =>
        `--key-pattern ${JSON.stringify(pattern)} is no pattern of RE2, which has neither look-around nor back-references: ${error instanceof Error ? error.message : String(error)}`,
    }),
    (compiled) => (text) => {
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
    },
  )
