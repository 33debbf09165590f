/** jq expressions, evaluated by jq itself (compiled to WebAssembly): nothing to install, and numbers keep their digits. */
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import { UsageError } from "../UsageError.ts"

/** The results for some JSON documents, a line each: texts as they are, everything else as JSON. */
export const filter = (expression: string, documents: ReadonlyArray<unknown>): Effect.Effect<string, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      const jq = await import("./JqRuntime.ts")
      const json = documents.map((document) => JSON.stringify(document)).join("\n")
      // jq rejects all of its input for half a surrogate pair.
      const input = halfPair.test(json) ? StoredText.escapeJson(json) : json
      const results = await jq.raw(input, expression, ["--raw-output", "--compact-output"])
      return results ? `${results}\n` : ""
    },
    catch: (error) => new UsageError({ message: `--jq: ${reasonOf(error)}` }),
  })

/** In JSON, after an even number of backslashes. A row of a mirror has its escapes already. */
const halfPair = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/** What jq wrote to standard error, without its own name and the place in a text that users do not see. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split("\n")
    .filter((line) => !/^Non-zero exit code|^jq: \d+ compile errors?$/.test(line) && line.trim() !== "")
    .map((line) => line.replace(/^jq: error(?: \(at [^)]*\))?: /, "").replace(/ \(Unix shell quoting issues\?\)/, ""))
    .join("\n")
    .trim()
