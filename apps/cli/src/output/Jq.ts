/** jq expressions, evaluated by jq itself (compiled to WebAssembly): nothing to install, and numbers keep their digits. */
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import { OutOfMemory } from "../Failure.ts"
import { UsageError } from "../UsageError.ts"

/** The results for some JSON texts, a line each: texts as they are, everything else as JSON. */
export const filter = (
  expression: string,
  documents: ReadonlyArray<string>,
): Effect.Effect<string, UsageError | OutOfMemory> =>
  Effect.tryPromise({
    try: async () => {
      const json = documents.join("\n")
      const beyond = farNumberIn(documents)
      if (beyond !== undefined) throw new Error(`jq cannot hold ${beyond}: ${advice}`)
      const jq = await load()
      // jq rejects all of its input for half a surrogate pair.
      const input = halfPair.test(json) ? StoredText.escapeJson(json) : json
      const results = await jq.raw(input, expression, ["--compact-output", "--"])
      return results === undefined ? "" : `${results.replace(jsonText, (text) => String(JSON.parse(text)))}\n`
    },
    catch: (error) =>
      error instanceof Error && error.name === "RuntimeError"
        ? outOfMemory
        : new UsageError({ message: `--jq: ${reasonOf(error)}` }),
  })

/** A result that is a text. Of jq's raw output, its package drops U+FEFF at the beginning, and a text that is empty. */
const jsonText = /(?<![^\n])"[^\n]*/g

const advice = "leave its field out with --json, or take --output ndjson, which has each number as it is"

/** Of numbers so far from 1, jq makes the largest or the smallest that it holds. */
const farExponent = /[eE][-+]?0*[1-9]\d{8}/

/** The first such number of some JSON texts. */
const farNumberIn = (documents: ReadonlyArray<string>): string | undefined => {
  let found: string | undefined
  const look = (_: string, value: unknown, { source = "" }: { readonly source?: string }): void => {
    if (typeof value === "number" && farExponent.test(source)) found ??= source.slice(0, 64)
  }
  // The types do not know that a reviver gets the text of a number.
  for (const one of documents) if (farExponent.test(one)) JSON.parse(one, look as (key: string, value: unknown) => void)
  return found
}

/** What WebAssembly can address: jq aborts when it gets no more, or writes where nothing is. */
export const outOfMemory = new OutOfMemory({ megabytes: 4096, what: "jq" })

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
