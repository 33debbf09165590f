/** The help page of a command line. Effect's formatter neither groups flags nor wraps. */
import type { ExampleDoc, FlagDoc } from "effect/cli/HelpDoc"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import * as CommandLine from "./CommandLine.ts"

/** What the help of a command says, in order. */
export interface HelpContent {
  readonly description: string
  readonly usage: string
  readonly sections: ReadonlyArray<Section>
}

/** A list of names with their meanings, or the examples. */
export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [name: string, text: string]>
  readonly examples: ReadonlyArray<ExampleDoc>
}

/** How a page is laid out, and what its parts look like. */
export interface PageOptions {
  readonly width: number
  readonly style: Readonly<Record<"heading" | "accent" | "quiet", (text: string) => string>>
}

/** The names of a flag with its value, and what it does. */
export const flagRow = (
  { aliases, name, type }: FlagDoc,
  { value, text }: { readonly value: string; readonly text: string },
): readonly [string, string] => {
  const names = [...aliases, `--${name}`].join(", ")
  return [type === "boolean" ? names : `${names} ${value}`, text]
}

/** The page as text, without a line break at its end. */
export const render = ({ description, usage, sections }: HelpContent, options: PageOptions): string => {
  const { width, style } = options
  return [
    wrapAnsi(description, width),
    titled("USAGE", `  ${usage}\n`, style),
    ...sections.map((section) => titled(section.title, rows(section, options) + examples(section, options), style)),
  ].join("\n\n")
}

const titled = (title: string, body: string, style: PageOptions["style"]): string =>
  `${style.heading(title)}\n${body.trimEnd()}`

/** Names on the left, texts on the right; below it for a name that is too long. */
const rows = ({ rows: entries }: Section, { width, style }: PageOptions): string => {
  const most = Math.floor(width * 0.4)
  const column = Math.max(...entries.map(([name]) => stringWidth(name)).filter((cells) => cells <= most), 0)
  const indent = " ".repeat(column + 4)
  const lines = entries.map(([name, text]) => {
    const wrapped = wrapAnsi(text, Math.max(20, width - indent.length)).replaceAll("\n", `\n${indent}`)
    const fits = stringWidth(name) <= column
    return `  ${style.accent(name)}${fits ? " ".repeat(column - stringWidth(name) + 2) : `\n${indent}`}${wrapped}\n`
  })
  return lines.join("")
}

const examples = (section: Section, { width, style }: PageOptions): string =>
  section.examples
    .map(
      ({ command, description }) =>
        `${description === undefined ? "" : `  ${style.quiet(`# ${description}`)}\n`}  ${CommandLine.fold(command, width - 2).replaceAll("\n", "\n  ")}\n`,
    )
    .join("\n")
