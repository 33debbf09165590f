/** The manual page of a command, in the man macros of roff, from the same content as its help page. */
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as HelpContent from "./HelpContent.ts"

/** The file of the page, as `man` looks for it. */
export const fileName = ({ commandPath = [] }: HelpDoc): string => `${commandPath.join("-")}.1`

/** The page as roff, with the escapes that keep its text as it is: readers copy flags and commands from it. */
export const render = (
  doc: HelpDoc,
  { version, all }: { readonly version: string; readonly all: ReadonlyArray<HelpDoc> },
): string => {
  const name = nameOf(doc)
  const { description, usage, sections } = HelpContent.of(doc)
  const [summary = ""] = description.split(/\.(?:\s|$)/, 1)
  return [
    `.TH ${escape(name.toUpperCase())} 1 "" "transfers ${escape(version)}"`,
    // No hyphenation, no justification: both change what is copied.
    ".nh",
    ".ad l",
    ".SH NAME",
    `${escape(name)} \\- ${text(summary)}`,
    ".SH SYNOPSIS",
    text(usage),
    ".SH DESCRIPTION",
    text(description),
    ...sections
      .filter(({ title }) => title !== "MORE")
      .flatMap((section) => [
        `.SH ${escape(titles[section.title] ?? section.title)}`,
        ...section.rows.flatMap(([term, meaning]) => [".TP", `\\fB${escape(term)}\\fR`, text(meaning)]),
        ...section.examples.flatMap(({ command, description: purpose }) => [
          ".PP",
          ...(purpose === undefined ? [] : [text(purpose), ".PP"]),
          ".RS 4",
          ".EX",
          text(command),
          ".EE",
          ".RE",
        ]),
      ]),
    ".SH SEE ALSO",
    all
      .map(nameOf)
      .filter((other) => isNear(other, name))
      .map((other) => `\\fB${escape(other)}\\fR(1)`)
      .join(", "),
    "",
  ].join("\n")
}

/** The titles that manual pages use. */
const titles: Readonly<Record<string, string>> = { "EXIT CODES": "EXIT STATUS" }

const nameOf = ({ commandPath = [] }: HelpDoc): string => commandPath.join("-")

/** The command above, the commands below. */
const isNear = (other: string, name: string): boolean =>
  other.length < name.length ? name.startsWith(`${other}-`) : other.startsWith(`${name}-`)

/** A line of text. A `.` at its start would make it a request. */
const text = (line: string): string => escape(line).replace(/^(?=\.)/, "\\&")

/** Every character as itself: roff turns some ASCII into typography, and reads others only in its own notation. */
const escape = (line: string): string =>
  line.replace(/[-\\'"`^~]|[^\x20-\x7e]/gu, (character) => escapes[character] ?? unicode(character))

const escapes: Readonly<Record<string, string>> = {
  "-": "\\-",
  "\\": "\\(rs",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
}

const unicode = (character: string): string =>
  `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`
