/** What the help of a command says, in order: the help page and the manual page lay it out. */
import * as HelpPage from "@transferkit/report/HelpPage"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as ExitCode from "../ExitCode.ts"
import { OfflineHelp } from "./OfflineHelp.ts"

/** Groups of flags, wherever in the command tree they are declared. All others come first, as FLAGS. */
const groups = [
  ["FILTERS", "external-id since until stuck time-zone created-at status kind currency payment-method"],
  [
    "CONNECTION",
    "base-url partner-id profile secret-key-file secret-key-stdin sandbox now from as-of exported-as allow-incomplete",
  ],
  ["OUTPUT", "output columns sort json jq template csv-dialect csv-raw quiet no-color log-level"],
].map(([title = "", flags = ""]) => ({ title, flags: flags.split(" ") }))

/** Variables that no flag names. */
const variables: HelpPage.Section["rows"] = [
  ["NODE_USE_ENV_PROXY", "1 sends requests through HTTPS_PROXY and HTTP_PROXY"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "Send telemetry to this OpenTelemetry collector"],
  ["PAGER", "Shows help that is longer than the terminal (default less)"],
  ["TMPDIR", "Folder for temporary files (default /tmp)"],
  ["XDG_CACHE_HOME", "Folder for compiled code (default ~/.cache)"],
  ["XDG_CONFIG_HOME", "Folder for profiles (default ~/.config)"],
]

/** Flags of every command, which no page lists. */
const builtIn = ["help", "version"]

/** All flags that a command takes. */
export const flagsOf = (doc: HelpDoc): ReadonlyArray<FlagDoc> => [
  ...doc.flags,
  ...(doc.inheritedFlags ?? []),
  ...(doc.globalFlags ?? []),
]

/** All that the help says. */
export const of = (doc: HelpDoc): HelpPage.HelpContent => {
  const flags = flagsOf(doc)
  const named = groups.map((group) => ({
    ...group,
    flags: group.flags.filter((name) => flags.some((flag) => flag.name === name)),
  }))
  // One flag does not make a group: the --status of sync filters nothing.
  const groupsHere = named.filter((group) => group.flags.length > 1)
  const shown = Context.get(doc.annotations, OfflineHelp)
    ? groupsHere.filter(({ title }) => title !== "CONNECTION")
    : groupsHere
  const grouped = new Set([...groupsHere.flatMap((group) => group.flags), ...builtIn])
  const sections = [
    rows(
      "ARGUMENTS",
      (doc.args ?? []).map((arg) => [arg.variadic ? `${arg.name}...` : arg.name, textOf(arg)]),
    ),
    ...(doc.subcommands ?? []).map(({ group, commands }) =>
      rows(
        group ?? "COMMANDS",
        commands.map((command) => [command.name, command.shortDescription ?? command.description]),
      ),
    ),
    rows("FLAGS", flags.filter((flag) => !grouped.has(flag.name)).map(flagRow)),
    ...shown.map(({ title, flags: names }) =>
      rows(title, names.flatMap((name) => flags.filter((flag) => flag.name === name)).map(flagRow)),
    ),
    rows("ENVIRONMENT", doc.commandPath?.length === 1 ? variables : []),
    { title: "EXAMPLES", rows: [], examples: doc.examples ?? [] },
    rows(
      "EXIT CODES",
      ExitCode.meanings.map(([code, meaning]) => [String(code), meaning]),
    ),
    rows("MORE", doc.subcommands === undefined ? [] : [more(doc)]),
  ]
  return {
    description: doc.description,
    usage: usageOf(doc),
    sections: sections.filter((section) => section.rows.length > 0 || section.examples.length > 0),
  }
}

const rows = (title: string, entries: HelpPage.Section["rows"]): HelpPage.Section => ({
  title,
  rows: entries,
  examples: [],
})

/** As in the help of git or uv, where Effect says subcommand. */
const usageOf = ({ commandPath = [], subcommands, args = [] }: HelpDoc): string =>
  [
    ...commandPath,
    ...(subcommands === undefined ? [] : ["<command>"]),
    "[flags]",
    ...args.map(({ name, variadic, required }) => {
      const value = `<${name}${variadic ? "..." : ""}>`
      return required ? value : `[${value}]`
    }),
  ].join(" ")

const more = ({ commandPath = [] }: HelpDoc): readonly [string, string] => [
  `${commandPath.join(" ")} <command> --help`,
  "Help for a command",
]

const flagRow = (flag: FlagDoc): readonly [string, string] => {
  const [value, text] = ownWords[flag.name] ?? [flag.type, textOf(flag)]
  return HelpPage.flagRow(flag, { value, text })
}

/** Values and texts for flags of the library, in the style of the others. */
const ownWords: Readonly<Record<string, readonly [value: string, text: string]>> = {
  "log-level": [
    "LEVEL",
    "Log level on standard error: all, trace, debug, info, warn, error, fatal or none (default warn)",
  ],
}

const textOf = (doc: { readonly description: Option.Option<string> }): string =>
  Option.getOrElse(doc.description, () => "")
