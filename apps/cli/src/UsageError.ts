/** What is wrong with a command line, in the words of this program rather than those of the parser. */
import type * as CliError from "effect/cli/CliError"
import { UsageError } from "./Failure.ts"

/** All that is wrong with a call of `command`, and where to read what it takes. */
export const explain = (errors: ReadonlyArray<CliError.NonShowHelpErrors>, command: string): UsageError => {
  const messages = errors.map(messageOf).join("\n")
  return new UsageError({ message: `${messages}\nRun '${command} --help' to see what it takes.` })
}

const messageOf = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnknownSubcommand": {
      const command = [...(error.parent ?? []).slice(1), error.subcommand].join(" ")
      return `There is no command ${JSON.stringify(command)}.${didYouMean(error.suggestions)}`
    }
    case "UnrecognizedOption":
      return `There is no flag ${error.option}.${didYouMean(error.suggestions)}`
    case "MissingOption":
      return `The flag --${error.option} is missing.`
    case "MissingArgument":
      return `The argument <${error.argument}> is missing.`
    case "UnexpectedArgument":
      return `There is no place for ${error.arguments.map((text) => JSON.stringify(text)).join(", ")}.`
    case "InvalidValue":
      return invalidValue(error)
    default:
      return error.message
  }
}

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

const invalidValue = ({ option, value, expected, kind }: CliError.InvalidValue): string => {
  const name = kind === "flag" ? `--${option}` : `<${option}>`
  const choices = /^"[^"]*"(?: \| "[^"]*")*$/.test(expected) ? expected.replaceAll('"', "").split(" | ") : undefined
  if (value === "") return `The flag ${name} needs a value: ${choices?.join(", ") ?? expected}.`
  if (/^\d+ occurrences$/.test(value)) return `The flag ${name} is given several times, and takes ${expected}.`
  const given = `${name}: ${JSON.stringify(value)}`
  if (choices !== undefined) return `${given} is none of ${choices.join(", ")}.`
  return expected.startsWith("a ") ? `${given} is not ${expected}.` : `${given} is not right. Expected: ${expected}`
}
