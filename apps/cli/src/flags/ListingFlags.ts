/** The flags that shape a list of transfers. */
import { text, wholeNumber } from "./Flags.ts"

export const columns = text("columns", "LIST", "Only these columns, in this order, comma-separated and named as in CSV")

export const listingFlags = {
  columns,
  sort: text("sort", "LIST", "Sort by these columns; a - before one sorts it in descending order"),
}

/** For what runs a program that somebody wrote. */
export const timeout = (what: string) =>
  wholeNumber("timeout", "SECONDS", `End ${what} that takes longer, with exit code 124 (default 300)`, {
    from: 1,
    to: 86_400,
    otherwise: 300,
  })

/** Forms of output that scripts choose. */
export const projectionFlags = {
  json: text("json", "FIELDS", "Print these fields as JSON, comma-separated"),
  jq: text("jq", "EXPRESSION", "Filter the JSON with a jq expression; texts are printed as they are"),
  template: text(
    "template",
    "TEXT",
    "Print a line of a Mustache template for each: '{{id}} {{source_total}}'; {{{id}}} keeps line breaks",
  ),
  timeout: timeout("an expression or a template"),
}
