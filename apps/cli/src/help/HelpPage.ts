/** The help page of a command. Effect's formatter neither groups flags nor lists exit codes nor wraps. */
import * as CommandLine from "@transferkit/report/CommandLine"
import type { HelpDoc } from "effect/cli/HelpDoc"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import type { Style } from "../terminal/Style.ts"
import * as HelpContent from "./HelpContent.ts"

/** How a page is laid out. */
export interface PageOptions {
  readonly width: number
  readonly style: Style
}

/** The page as text, without a line break at its end. */
export const render = (doc: HelpDoc, options: PageOptions): string => {
  const { width, style } = options
  const { description, usage, sections } = HelpContent.of(doc)
  return [
    wrapAnsi(description, width),
    titled("USAGE", `  ${usage}\n`, style),
    ...sections.map((section) => titled(section.title, rows(section, options) + examples(section, options), style)),
  ].join("\n\n")
}

const titled = (title: string, body: string, style: Style): string => `${style.heading(title)}\n${body.trimEnd()}`

/** Names on the left, texts on the right; below it for a name that is too long. */
const rows = ({ rows: entries }: HelpContent.Section, { width, style }: PageOptions): string => {
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

const examples = (section: HelpContent.Section, { width, style }: PageOptions): string =>
  section.examples
    .map(
      ({ command, description }) =>
        `${description === undefined ? "" : `  ${style.quiet(`# ${description}`)}\n`}  ${CommandLine.fold(command, width - 2).replaceAll("\n", "\n  ")}\n`,
    )
    .join("\n")
