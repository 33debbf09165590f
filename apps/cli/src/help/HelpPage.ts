/**
 * The help page of a command: purpose, usage, flags in groups, examples and exit codes. Effect's formatter neither groups
 * flags nor lists exit codes nor wraps.
 */
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import * as ExitCode from "../ExitCode.ts"
import type { Style } from "../terminal/Style.ts"
import * as CommandLine from "./CommandLine.ts"
import { OfflineHelp } from "./OfflineHelp.ts"

/** How a page is laid out. */
export interface PageOptions {
  readonly width: number
  readonly style: Style
}

/** Groups of flags, wherever in the command tree they are declared. All others come first, as FLAGS. */
const groups: ReadonlyArray<{ readonly title: string; readonly flags: ReadonlyArray<string> }> = [
  {
    title: "FILTERS",
    flags: [
      "external-id",
      "since",
      "until",
      "stuck",
      "time-zone",
      "created-at",
      "status",
      "kind",
      "currency",
      "payment-method",
    ],
  },
  {
    title: "CONNECTION",
    flags: ["base-url", "partner-id", "profile", "secret-key-file", "secret-key-stdin", "sandbox", "from", "as-of"],
  },
  {
    title: "OUTPUT",
    flags: [
      "output",
      "columns",
      "sort",
      "json",
      "jq",
      "template",
      "csv-dialect",
      "csv-raw",
      "quiet",
      "no-color",
      "log-level",
    ],
  },
]

/** Flags of every command, which no page lists. */
const builtIn = ["help", "version"]

/** All flags that a command takes. */
export const flagsOf = (doc: HelpDoc): ReadonlyArray<FlagDoc> => [
  ...doc.flags,
  ...(doc.inheritedFlags ?? []),
  ...(doc.globalFlags ?? []),
]

/** The page as text, without a line break at its end. */
export const render = (doc: HelpDoc, options: PageOptions): string => {
  const { width, style } = options
  const flags = flagsOf(doc)
  const shown = Context.get(doc.annotations, OfflineHelp)
    ? groups.filter(({ title }) => title !== "CONNECTION")
    : groups
  const grouped = new Set([...groups.flatMap((group) => group.flags), ...builtIn])
  return [
    wrapAnsi(doc.description, width),
    section("USAGE", `  ${usageOf(doc)}\n`, style),
    rows(
      "ARGUMENTS",
      (doc.args ?? []).map((arg) => [arg.variadic ? `${arg.name}...` : arg.name, textOf(arg)]),
      options,
    ),
    ...(doc.subcommands ?? []).map(({ group, commands }) =>
      rows(
        group ?? "COMMANDS",
        commands.map((command) => [command.name, command.shortDescription ?? command.description]),
        options,
      ),
    ),
    rows("FLAGS", flags.filter((flag) => !grouped.has(flag.name)).map(flagRow), options),
    ...shown.map(({ title, flags: names }) =>
      rows(title, names.flatMap((name) => flags.filter((flag) => flag.name === name)).map(flagRow), options),
    ),
    examples(doc, options),
    rows(
      "EXIT CODES",
      ExitCode.meanings.map(([code, meaning]) => [String(code), meaning]),
      options,
    ),
    rows("MORE", doc.subcommands === undefined ? [] : [more(doc)], options),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

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

const section = (title: string, body: string, style: Style): string => `${style.heading(title)}\n${body.trimEnd()}`

const flagRow = (flag: FlagDoc): readonly [string, string] => {
  const names = [...flag.aliases, `--${flag.name}`].join(", ")
  const [value, text] = ownWords[flag.name] ?? [flag.type, textOf(flag)]
  return [flag.type === "boolean" ? names : `${names} ${value}`, text]
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

/** Names on the left, texts on the right; below it for a name that is too long. */
const rows = (
  title: string,
  entries: ReadonlyArray<readonly [string, string]>,
  { width, style }: PageOptions,
): string => {
  if (entries.length === 0) return ""
  const most = Math.floor(width * 0.4)
  const column = Math.max(...entries.map(([name]) => stringWidth(name)).filter((cells) => cells <= most), 0)
  const indent = " ".repeat(column + 4)
  const body = entries.map(([name, text]) => {
    const wrapped = wrapAnsi(text, Math.max(20, width - indent.length)).replaceAll("\n", `\n${indent}`)
    const fits = stringWidth(name) <= column
    return `  ${style.accent(name)}${fits ? " ".repeat(column - stringWidth(name) + 2) : `\n${indent}`}${wrapped}\n`
  })
  return section(title, body.join(""), style)
}

const examples = (doc: HelpDoc, { width, style }: PageOptions): string =>
  doc.examples === undefined || doc.examples.length === 0
    ? ""
    : section(
        "EXAMPLES",
        doc.examples
          .map(
            ({ command, description }) =>
              `${description === undefined ? "" : `  ${style.quiet(`# ${description}`)}\n`}  ${CommandLine.fold(command, width - 2).replaceAll("\n", "\n  ")}\n`,
          )
          .join("\n"),
        style,
      )
