/** Where a statement is wrong: PostgreSQL says the position of its mistake, SQLite only the word. */
import { escapeControls } from "@transferkit/domain/SafeText"

/** The longest line that is shown whole: with its number it fits a terminal of 80 columns. */
const longest = 68

/** The most characters before and after a mistake in a longer one. */
const most = 30

/** The line of a statement with a mark below the mistake, as two lines. `at` counts UTF-16 units. */
export const shown = (sql: string, at: number): string => {
  const start = sql.lastIndexOf("\n", at - 1) + 1
  const end = sql.indexOf("\n", at)
  const line = sql.slice(start, end < 0 ? undefined : end)
  const before = line.slice(0, at - start)
  const after = line.slice(at - start)
  const isLong = line.length > longest
  const name = sql.trim().includes("\n") ? `line ${sql.slice(0, start).split("\n").length}: ` : ""
  const left = `  ${name}${isLong && before.length > most ? `…${before.slice(-most)}` : before.trimStart()}`
  const right = isLong && after.length > most ? `${after.slice(0, most)}…` : after.trimEnd()
  const safe = escapeControls(left.replaceAll("\t", " "))
  return `${safe}${escapeControls(right.replaceAll("\t", " "))}\n${" ".repeat([...safe].length)}^`
}

/** The place in an error of the database: its `position`, which counts characters from one. */
export const ofError = (sql: string, cause: unknown): number | undefined => {
  const position = cause instanceof Error && "position" in cause ? Number(cause.position) : Number.NaN
  return Number.isSafeInteger(position) && position > 0
    ? Array.from(sql)
        .slice(0, position - 1)
        .join("").length
    : undefined
}

/** The most places at which a word is tried. */
const mostTried = 50

/**
 * The place in an error of SQLite. Of a word that occurs several times it is the first up to which the statement has the
 * same mistake. `mistakeOf` compiles a text, and returns what SQLite says of it.
 */
export const ofSqlite = (
  sql: string,
  reason: string,
  mistakeOf: (sql: string) => string | undefined,
): number | undefined => {
  if (reason === "incomplete input") return sql.trimEnd().length
  const [, token] = /^(?:near|unrecognized token:) "(.+?)"(?:: syntax error)?$/s.exec(reason) ?? []
  if (token !== undefined) {
    return placesOf(sql, token).find((at) => mistakeOf(sql.slice(0, at + token.length)) === reason)
  }
  const [, name] =
    /^(?:no such (?:table|column|function)|ambiguous column name): (\S+)$/.exec(reason) ??
    /^(?:misuse of aggregate: |wrong number of arguments to function )(\w+)\(\)$/.exec(reason) ??
    []
  return name === undefined
    ? undefined
    : placesOf(sql.toLowerCase(), name.toLowerCase()).find(
        (at) => !/[\w.'"]/.test(sql.charAt(at - 1)) && !/[\w.'"]/.test(sql.charAt(at + name.length)),
      )
}

const placesOf = (text: string, part: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(part); at >= 0 && places.length < mostTried; at = text.indexOf(part, at + 1)) {
    places.push(at)
  }
  return places
}
