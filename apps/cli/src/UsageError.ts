/** A command line or a configuration that cannot be used, in the words of this program rather than those of the parser. */
import type * as CliError from "effect/cli/CliError"
import type { FlagDoc } from "effect/cli/HelpDoc"
import * as Data from "effect/Data"
import { closestMatch } from "leven"

/** The command line or the configuration is wrong. `message` says what is expected. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** Every fault of a call of `command`, an example if something is missing, and where to find its help. */
export const ofCliErrors = (
  errors: ReadonlyArray<CliError.NonShowHelpErrors>,
  { command, flags, example }: { command: string; flags: ReadonlyArray<FlagDoc>; example: string | undefined },
): UsageError => {
  // The flags of an unknown command are unknown too, which says nothing.
  const isUnknown = errors.some(({ _tag }) => _tag === "UnknownSubcommand")
  const shown = isUnknown ? errors.filter(({ _tag }) => _tag !== "UnrecognizedOption") : errors
  const messages = shown.map((error) => `${messageOf(error, flags)}${wayOf(error, command, flags)}`).join("\n")
  const isShort = example !== undefined && errors.some(({ _tag }) => _tag.startsWith("Missing"))
  const shownHow = isShort ? `Example:\n${example}\n` : ""
  return new UsageError({ message: `${messages}\n${shownHow}Run '${command} --help' for its arguments and flags.` })
}

/** What users of similar programs mean by flags that this one lacks. */
const ways: ReadonlyArray<readonly [words: RegExp, flag: string, commands: RegExp]> = [
  [/^--?(?:id|order|order-id|transfer-id|ref|reference)$/, "--external-id ID", reading()],
  [/^--?(?:id|order|order-id|external-id|transfer-id|ref|reference)$/, "transfers show ID, without a flag", / show$/],
  [/^--?(?:after|start|start-date|begin)$/, "--since TIME", reading()],
  [/^--?(?:date|day|month|year|period)$/, "--since TIME --until TIME", reading()],
  [/^--?(?:page-size|size|count|max|first|top|n)$/, "--limit N", / search$/],
  [/^--?(?:page|next|offset|cursor)$/, "--all", / search$/],
  [/^--?(?:source|mirror|db|database|input|in)$/, "--from SOURCE", / \S+$/],
  [/^--?(?:key|secret|secret-key|password|token|api-key)$/, "--secret-key-file FILE", / (?!reconcile|report)\S+$/],
  [/^--?(?:url|host|endpoint|server)$/, "--base-url URL", / \S+$/],
  [/^--?(?:to|before|end|end-date|through)$/, "--until TIME", reading()],
  [/^--?(?:file|out-file|outfile|output-file|path|to-file)$/, "--out FILE", / export$/],
  [/^--?(?:csv|json|ndjson|table)$/, "--output FORMAT", / (?!export)\S+$/],
]

function reading(): RegExp {
  return / (?:search|export|summary|report|reconcile|audit|watch)$/
}

/** What users of similar programs call the commands of this one. */
const synonyms: ReadonlyArray<readonly [words: RegExp, command: string]> = [
  [/^(?:ls|list|find|query|transfers)$/, "search"],
  [/^(?:get|view|describe|lookup|info)$/, "show ID"],
  [/^(?:download|dump|save|backup)$/, "export"],
  [/^(?:totals?|sum|stats|aggregate)$/, "summary"],
  [/^(?:match|compare-ledger|ledger|recon)$/, "reconcile"],
  [/^(?:mirror|pull|copy)$/, "sync"],
  [/^(?:sql|db)$/, "query"],
  [/^(?:tail|follow|monitor|listen|events)$/, "watch"],
  [/^(?:check|lint)$/, "audit or validate"],
  [/^(?:ping|status|test|health|diagnose)$/, "doctor"],
  [/^(?:limits|currencies|countries|methods)$/, "capabilities"],
  [/^(?:config|settings|auth)$/, "whoami or profiles"],
  [/^(?:login|configure|init|setup)$/, "profiles save NAME"],
  [/^profiles (?:add|create|new)$/, "profiles save NAME"],
  [/^profiles (?:ls|list|show)$/, "profiles"],
  [/^profiles (?:rm|delete|del)$/, "profiles remove NAME"],
  [/^completion$/, "completions"],
]

/** What to write instead, if the mistake is a common one. */
const wayOf = (error: CliError.NonShowHelpErrors, command: string, flags: ReadonlyArray<FlagDoc>): string => {
  if (error._tag === "InvalidValue" && error.option === "output" && command.endsWith(" export")) {
    return " The file is named by --out, and its format by --format."
  }
  if (error._tag === "InvalidValue" && error.option === "json") return " For every field, give --output json."
  if (error._tag === "InvalidValue" && error.option === "stuck")
    return " Give an age, such as 24h. Only open transfers are stuck: a --status such as complete contradicts it."
  if (error._tag !== "UnrecognizedOption") return ""
  const way = ways.find(([words, , commands]) => words.test(error.option) && commands.test(command))
  if (way !== undefined) return didYouMean([way[1]])
  // The library compares with the flags of the command itself, not with those that all commands share.
  const name = error.option.replace(/^-+/, "")
  const names = flags.map((flag) => flag.name)
  const started = names.filter((known) => name.length > 2 && known.startsWith(name))
  const swapped = names.find((known) => lettersOf(known) === lettersOf(name))
  const near = swapped ?? closestMatch(name, names, { maxDistance: 1 + Math.floor(name.length / 4) })
  return didYouMean((started.length > 0 ? started : near === undefined ? [] : [near]).map((known) => `--${known}`))
}

const lettersOf = (word: string): string => [...word].toSorted().join("")

const messageOf = (error: CliError.NonShowHelpErrors, flags: ReadonlyArray<FlagDoc>): string => {
  switch (error._tag) {
    case "UnknownSubcommand": {
      const command = [...(error.parent ?? []).slice(1), error.subcommand].join(" ")
      // The value of a flag that stands before the command is taken for a command.
      if (!/^[a-z]/i.test(error.subcommand)) {
        return `Unknown command ${JSON.stringify(command)}. Flags of a command follow it, as in: transfers search --limit 3`
      }
      const meant = synonyms.find(([words]) => words.test(command))
      return `Unknown command ${JSON.stringify(command)}.${didYouMean(meant === undefined ? error.suggestions : [`transfers ${meant[1]}`])}`
    }
    case "UnrecognizedOption":
      return `Unknown flag ${error.option}.`
    case "MissingOption":
      return `Missing flag --${[error.option, flags.find(({ name }) => name === error.option)?.type].join(" ")}.`
    case "MissingArgument":
      return `Missing argument <${error.argument}>.`
    case "UnexpectedArgument":
      return `Unexpected argument ${error.arguments.map((text) => JSON.stringify(text)).join(", ")}.`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
      const isToggle = flags.some((flag) => flag.name === error.option && flag.type === "boolean")
      const found = error.value === "" ? "nothing" : JSON.stringify(error.value)
      const expected = error.expected.replaceAll('"', "").replaceAll(" | ", ", ")
      return `${name}: expected ${isToggle ? "no value" : expected}, found ${found}.`
    }
    default:
      return error.message
  }
}

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`
