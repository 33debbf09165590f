/** Templates in the language of Mustache (https://mustache.github.io), as lines of plain text: nothing is escaped as HTML. */
import * as JsonValue from "@transferkit/domain/JsonValue"
import { escapeData } from "@transferkit/domain/SafeText"
import { fieldText } from "@transferkit/report/FieldText"
import * as Result from "effect/Result"
import Mustache from "mustache"
import { UsageError } from "../UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** Compiles a template. Its names are those of the fields; `\n` and `\t` are a line break and a tab. */
export const compile = (
  template: string,
  known: ReadonlyArray<string>,
): Result.Result<(json: string) => string, UsageError> =>
  Result.gen(function* () {
    const text = template.replaceAll("\\n", "\n").replaceAll("\\t", "\t")
    const tokens = yield* Result.try({
      try: (): ReadonlyArray<unknown> => Mustache.parse(text),
      catch: (error) => new UsageError({ message: `--template: ${error instanceof Error ? error.message : error}.` }),
    })
    if (isDeeper(tokens, maxLevels)) {
      const message = `--template: its sections are nested more than ${maxLevels} deep. Close a section before the next one begins.`
      return yield* Result.fail(new UsageError({ message }))
    }
    const wrong = tokens.map(nameOf).find((name) => name !== undefined && !known.includes(name))
    if (wrong !== undefined) return yield* Result.fail(Suggestion.unknownName("--template", "field", wrong, known))
    const writer = new Writer()
    return (json: string) => writer.render(text, JsonValue.parse(json), undefined, oneLine)
  })

/** Each level of sections takes a part of the stack. */
const maxLevels = 100

const isDeeper = (tokens: ReadonlyArray<unknown>, levels: number): boolean =>
  levels < 0 ||
  tokens.some((token) => Array.isArray(token) && Array.isArray(token[4]) && isDeeper(token[4], levels - 1))

/** The field that a token of the outermost level names. What is within a section may be a field of a field. */
const nameOf = (token: unknown): string | undefined => {
  const [type, name] = Array.isArray(token) ? token : []
  if (typeof name !== "string" || !["name", "&", "{", "#", "^", ">"].includes(type) || name === ".") return undefined
  return name.split(".", 1)[0]
}

/** What ends a line or a field, also in the JSON of a list or an object: its escapes are those of JSON. */
const controls = /[\p{Cc}\u2028\u2029]/gu

/** Two braces keep a value within its line. */
const oneLine = {
  escape: (value: unknown) =>
    fieldText(value).replace(controls, (control) => escapeData(JSON.stringify(control).slice(1, -1))),
}

/** Three braces ask for a value as it is. Mustache cannot write a number that keeps its digits. */
class Writer extends Mustache.Writer {
  override unescapedValue(token: Array<string>, context: Mustache.Context): string {
    return this.escapedValue(token, context, { escape: fieldText })
  }
}
