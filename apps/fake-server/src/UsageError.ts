/** Messages for invalid flags and environment variables. */
import type * as CliError from "effect/cli/CliError"
import * as Data from "effect/Data"

/** A flag, or the file it names, has an invalid value. */
export class InvalidFlag extends Data.TaggedError("InvalidFlag")<{ readonly flag: string; readonly reason: string }> {
  override get message(): string {
    return `--${this.flag}: ${this.reason}`
  }
}

/** The environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One line for each error. */
export const explain = (errors: ReadonlyArray<CliError.NonShowHelpErrors>, environment: Environment): string =>
  errors.map((error) => `transfers-fake: ${messageOf(error, environment)}\n`).join("")

const messageOf = (error: CliError.NonShowHelpErrors, environment: Environment): string => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      const meant = error.suggestions.length === 0 ? "" : ` Did you mean ${error.suggestions.join(" or ")}?`
      return `There is no flag ${error.option}.${meant}`
    }
    case "InvalidValue": {
      const [, expected = error.expected, variable] = ofVariable.exec(error.expected) ?? []
      const given = variable === undefined ? error.value : (environment[variable] ?? "")
      return `${variable ?? `--${error.option}`} is ${JSON.stringify(given)}. Expected ${inWords(expected)}.`
    }
    default:
      return error.message
  }
}

/** The parser's message for a variable that is used instead of a flag. */
const ofVariable = /^SchemaError\(Expected ([^]*)\n *at \["(\w+)"\]\)$/

const inWords = (expected: string): string => {
  const words = expected.replace(/^Expected /, "")
  return words === "a string representing a finite number" ? "a whole number" : words.replaceAll(" | ", ", ")
}
