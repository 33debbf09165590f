/** Messages for invalid flags and environment variables. */
import type * as CliError from "effect/cli/CliError"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Data from "effect/Data"

/** A flag, or the file it names, has an invalid value. */
export class InvalidFlag extends Data.TaggedError("InvalidFlag")<{ readonly flag: string; readonly reason: string }> {
  override get message(): string {
    return `--${this.flag}: ${this.reason}`
  }
}

/** The environment variable used for a missing flag has an invalid value. */
export class InvalidVariable extends Data.TaggedError("InvalidVariable")<{
  readonly variable: string
  readonly value: string
  readonly expected: string
}> {
  override get message(): string {
    return `${this.variable} is ${JSON.stringify(this.value)}. Expected ${this.expected}.`
  }
}

/** The values of flags and variables, by the type of the flag. */
export const expected = { boolean: "true or false", integer: "a whole number" }

/** One line for each error in a call of the command. */
export const explain = (errors: ReadonlyArray<CliError.NonShowHelpErrors>, { flags }: HelpDoc): string =>
  errors.map((error) => `transfers-fake: ${messageOf(error, flags)}\n`).join("")

const messageOf = (error: CliError.NonShowHelpErrors, flags: HelpDoc["flags"]): string => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      const meant = error.suggestions.length === 0 ? "" : ` Did you mean ${error.suggestions.join(" or ")}?`
      return `There is no flag ${error.option}.${meant}`
    }
    case "InvalidValue": {
      const type = flags.find(({ name }) => name === error.option)?.type
      const values = type === "boolean" || type === "integer" ? expected[type] : error.expected
      return `--${error.option} is ${JSON.stringify(error.value)}. Expected ${values}.`
    }
    default:
      return error.message
  }
}
