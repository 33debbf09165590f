/** A command line or a configuration that cannot be used, in the words of this program rather than those of the parser. */
import type * as CliError from "effect/cli/CliError"
import type { FlagDoc } from "effect/cli/HelpDoc"
import * as Data from "effect/Data"

/** The command line or the configuration is wrong. `message` says what is expected. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** Every fault of a call of `command`, and where to find its help. */
export const ofCliErrors = (
  errors: ReadonlyArray<CliError.NonShowHelpErrors>,
  command: string,
  flags: ReadonlyArray<FlagDoc>,
): UsageError => {
  // The flags of an unknown command are unknown too, which says nothing.
  const isUnknown = errors.some(({ _tag }) => _tag === "UnknownSubcommand")
  const told = isUnknown ? errors.filter(({ _tag }) => _tag !== "UnrecognizedOption") : errors
  const messages = told.map((error) => `${messageOf(error, flags)}${wayOf(error, command)}`).join("\n")
  return new UsageError({ message: `${messages}\nRun '${command} --help' for its arguments and flags.` })
}

/** What users of similar programs mean by flags that this one lacks. */
const ways: ReadonlyArray<readonly [words: RegExp, flag: string, commands: RegExp]> = [
  [/^--?(?:id|order|order-id|transfer-id|ref|reference)$/, "--external-id ID", reading()],
  [/^--?(?:after|start|start-date|begin)$/, "--since TIME", reading()],
  [/^--?(?:to|before|end|end-date|through)$/, "--until TIME", reading()],
  [/^--?(?:file|out-file|outfile|output-file|path|to-file)$/, "--out FILE", / export$/],
  [/^--?(?:csv|json|ndjson|table)$/, "--output FORMAT", / (?!export)\S+$/],
]

function reading(): RegExp {
  return / (?:search|export|summary|reconcile|audit|watch)$/
}

/** What to write instead, if the mistake is a common one. */
const wayOf = (error: CliError.NonShowHelpErrors, command: string): string => {
  if (error._tag === "InvalidValue" && error.option === "output" && command.endsWith(" export")) {
    return " The file is named by --out, and its format by --format."
  }
  if (error._tag !== "UnrecognizedOption") return ""
  const way = ways.find(([words, , commands]) => words.test(error.option) && commands.test(command))
  return way === undefined ? didYouMean(error.suggestions) : ` Did you mean ${way[1]}?`
}

const messageOf = (error: CliError.NonShowHelpErrors, flags: ReadonlyArray<FlagDoc>): string => {
  switch (error._tag) {
    case "UnknownSubcommand": {
      const command = [...(error.parent ?? []).slice(1), error.subcommand].join(" ")
      return `Unknown command ${JSON.stringify(command)}.${didYouMean(error.suggestions)}`
    }
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}.`
    case "MissingOption":
      return `Missing flag --${error.option}.`
    case "MissingArgument":
      return `Missing argument <${error.argument}>.`
    case "UnexpectedArgument":
      return `Unexpected argument ${error.arguments.map((text) => JSON.stringify(text)).join(", ")}.`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
      const isToggle = flags.some((flag) => flag.name === error.option && flag.type === "boolean")
      return `${name}: expected ${isToggle ? "no value" : error.expected}, found ${JSON.stringify(error.value)}.`
    }
    default:
      return error.message
  }
}

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`
