/** jq expressions, evaluated by jq itself (compiled to WebAssembly): nothing to install, and numbers keep their digits. */
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import { OutOfMemory } from "../Failure.ts"
import { UsageError } from "../UsageError.ts"

/** The results for some JSON documents, a line each: texts as they are, everything else as JSON. */
export const filter = (
  expression: string,
  documents: ReadonlyArray<unknown>,
): Effect.Effect<string, UsageError | OutOfMemory> =>
  Effect.tryPromise({
    try: async () => {
      const jq = await load()
      const json = documents.map((document) => JSON.stringify(document)).join("\n")
      // jq rejects all of its input for half a surrogate pair.
      const input = halfPair.test(json) ? StoredText.escapeJson(json) : json
      const results = await jq.raw(input, expression, ["--raw-output", "--compact-output"])
      return results ? `${results}\n` : ""
    },
    catch: (error) =>
      error instanceof Error && error.name === "RuntimeError"
        ? outOfMemory
        : new UsageError({ message: `--jq: ${reasonOf(error)}` }),
  })

/** What WebAssembly can address: jq aborts when it gets no more, or writes where nothing is. */
export const outOfMemory = new OutOfMemory({ megabytes: 4096, isJq: true })

/** It takes the console when it is loaded, and would print `Aborted()` there. Its errors have ways of their own. */
const load = async () => {
  const { error } = console
  console.error = () => {}
  try {
    return await import("./JqRuntime.ts")
  } finally {
    console.error = error
  }
}

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
