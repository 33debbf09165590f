/** A command line or a configuration that cannot be used, in the words of this program rather than those of the parser. */
import type * as CliError from "effect/cli/CliError"
import * as Data from "effect/Data"

/** The command line or the configuration is wrong. `message` says what is expected. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** Every fault of a call of `command`, and where to find its help. */
export const ofCliErrors = (errors: ReadonlyArray<CliError.NonShowHelpErrors>, command: string): UsageError => {
  const messages = errors.map(messageOf).join("\n")
  return new UsageError({ message: `${messages}\nRun '${command} --help' for its arguments and flags.` })
}

const messageOf = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnknownSubcommand": {
      const command = [...(error.parent ?? []).slice(1), error.subcommand].join(" ")
      return `Unknown command ${JSON.stringify(command)}.${didYouMean(error.suggestions)}`
    }
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}.${didYouMean(error.suggestions)}`
    case "MissingOption":
      return `Missing flag --${error.option}.`
    case "MissingArgument":
      return `Missing argument <${error.argument}>.`
    case "UnexpectedArgument":
      return `Unexpected argument ${error.arguments.map((text) => JSON.stringify(text)).join(", ")}.`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
      return `${name}: expected ${error.expected}, found ${JSON.stringify(error.value)}.`
    }
    default:
      return error.message
  }
}

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`
