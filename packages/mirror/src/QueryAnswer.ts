/** What a statement of SQL gives: its rows as the database has them, and as JSON can. */

/** Rows by column. */
export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** The columns of a statement in order, also if there is no row, and the rows. */
export interface QueryAnswer {
  readonly columns: ReadonlyArray<string>
  readonly rows: Rows
}

/**
 * The rows for JSON: numbers that its readers would round, or that it lacks, become texts, and bytes become base64.
 *
 * @example
 * const rows = [{ count: 7n, big: 9007199254740993n, share: Infinity, bytes: new Uint8Array([1, 2, 3]) }]
 * const answer = { columns: ["count", "big", "share", "bytes"], rows }
 * QueryAnswer.records(answer) // => [{ count: 7, big: "9007199254740993", share: "Infinity", bytes: "AQID" }]
 */
export const records = ({ rows }: QueryAnswer): Rows =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, jsonOf(value)])))

const jsonOf = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (typeof value === "number" && !Number.isFinite(value)) return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value
}

/**
 * The columns that hold numbers, or nothing. Texts that look like numbers are none, because a key can.
 *
 * @example
 * const rows = [{ key: "0042", count: 1n }, { key: "0043", count: null }]
 * QueryAnswer.numbers({ columns: ["key", "count"], rows }) // => new Set(["count"])
 */
export const numbers = ({ columns, rows }: QueryAnswer): ReadonlySet<string> =>
  new Set(columns.filter((name) => rows.every((row) => isNumber(row[name]))))

const isNumber = (value: unknown): boolean => value === null || typeof value === "number" || typeof value === "bigint"
