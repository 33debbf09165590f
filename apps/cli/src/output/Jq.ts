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
      const beyond = farNumberIn(json)
      if (beyond !== undefined) throw new Error(`jq cannot hold ${beyond}: ${advice}`)
      const jq = await load()
      // jq rejects all of its input for half a surrogate pair.
      const input = halfPair.test(json) ? StoredText.escapeJson(json) : json
      const results = await jq.raw(input, expression, ["--compact-output"])
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

/** The first such number of some JSON. */
const farNumberIn = (json: string): string | undefined => {
  if (!farExponent.test(json)) return undefined
  const numbers = withoutTexts(json).match(/-?\d[-+.\dEe]*/g) ?? []
  return numbers.find((number) => farExponent.test(number))?.slice(0, 64)
}

/** JSON with a blank in place of each text. */
const withoutTexts = (json: string): string => {
  const parts: Array<string> = []
  for (let at = 0; at < json.length;) {
    const start = json.indexOf('"', at)
    if (start === -1) return [...parts, json.slice(at)].join(" ")
    parts.push(json.slice(at, start))
    at = start + 1
    while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1
    at++
  }
  return parts.join(" ")
}

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
