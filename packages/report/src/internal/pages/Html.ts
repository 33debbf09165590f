/**
 * HTML whose every text is escaped: only what the `markup` tag has put together is markup, and no text reorders or hides
 * what is read.
 */
import { escapeData } from "@transferkit/domain/SafeText"
import { escapeMarkup } from "./Markup.ts"

/** Markup, with all text in it escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template: markup, text to escape, or several of them. `undefined` is nothing. */
export type Part = Html | string | number | undefined | ReadonlyArray<Part>

/** The markup of a template. Texts in it are escaped. */
export const markup = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(strings.map((text, index) => text + textOf(parts[index])).join(""))

const textOf = (part: Part): string => {
  if (part === undefined) return ""
  if (part instanceof Html) return part.text
  return typeof part === "object" ? part.map(textOf).join("") : escapeMarkup(escapeData(String(part)))
}

/** Nothing. */
export const nothing = markup``
