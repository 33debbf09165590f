/**
 * Sums that are exact in any SQL tool. PostgreSQL adds NUMERIC exactly. SQLite would add amounts as floats, so each is
 * cut into a whole part and three limbs of nine digits, which are added as integers and carried at the end.
 */
import type { Dialect } from "./Columns.ts"

export interface ExactSums {
  /** A table, a view or a subquery. */
  readonly from: string
  /** The columns to group by. */
  readonly keys: ReadonlyArray<string>
  /** The columns to add, each the amount's text in SQLite. A total has the name of its column. */
  readonly amounts: ReadonlyArray<string>
  /** Further aggregates, such as `COUNT(*) AS transfers`. */
  readonly aggregates?: ReadonlyArray<string>
  /** Further columns that these aggregate. */
  readonly aggregated?: ReadonlyArray<string>
}

/** Digits of the whole part and of the fraction that sums in limbs hold. */
export const mostWholeDigits = 18
export const mostFractionDigits = 27

const base = 1_000_000_000

export const select = (dialect: Dialect, sums: ExactSums): string => (dialect === "pg" ? numeric(sums) : limbs(sums))

const numeric = ({ from, keys, amounts, aggregates = [] }: ExactSums): string =>
  `SELECT ${[...keys, ...aggregates, ...amounts.map((name) => `trim_scale(SUM(${name})) AS ${name}`)].join(", ")} FROM ${from} GROUP BY ${keys.join(", ")}`

const places = [1, 2, 3] as const

const limbs = ({ from, keys, amounts, aggregates = [], aggregated = [] }: ExactSums): string => {
  const others = [...keys, ...aggregates.map((aggregate) => aggregate.replace(/^.* AS /, ""))]
  const carry = (upper: string, lower: string) => `${upper} + (${lower} - ${rest(lower)}) / ${base}`
  const step = (name: string, source: string, columns: (amount: string) => ReadonlyArray<string>) =>
    `${name} AS (SELECT ${[...others, ...amounts.flatMap(columns)].join(", ")} FROM ${source})`
  return [
    `WITH parts AS (SELECT ${[...keys, ...aggregated, ...amounts.flatMap(partsOf)].join(", ")} FROM ${from}),`,
    `sums AS (SELECT ${[
      ...keys,
      ...aggregates,
      ...amounts.flatMap((a) => [0, ...places].map((place) => `SUM(${a}_${place}) AS ${a}_${place}`)),
    ].join(", ")} FROM parts GROUP BY ${keys.join(", ")}),`,
    `${step("low", "sums", (a) => [`${a}_0`, `${a}_1`, `${carry(`${a}_2`, `${a}_3`)} AS ${a}_2`, `${rest(`${a}_3`)} AS ${a}_3`])},`,
    `${step("middle", "low", (a) => [`${a}_0`, `${carry(`${a}_1`, `${a}_2`)} AS ${a}_1`, `${rest(`${a}_2`)} AS ${a}_2`, `${a}_3`])},`,
    `${step("high", "middle", (a) => [`${carry(`${a}_0`, `${a}_1`)} AS ${a}_0`, `${rest(`${a}_1`)} AS ${a}_1`, `${a}_2`, `${a}_3`])}`,
    `SELECT ${[...others, ...amounts.map((a) => `${print(a)} AS ${a}`)].join(", ")} FROM high`,
  ].join("\n")
}

/** Never negative. */
const rest = (limb: string): string => `((${limb} % ${base} + ${base}) % ${base})`

/** The whole part and the limbs of an amount, each with its sign. */
const partsOf = (amount: string): ReadonlyArray<string> => {
  const sign = `CASE WHEN ${amount} LIKE '-%' THEN -1 ELSE 1 END`
  const digits = `ltrim(${amount}, '-')`
  const point = `instr(${digits} || '.', '.')`
  const fraction = `(substr(${digits}, ${point} + 1) || '${"0".repeat(mostFractionDigits)}')`
  return [
    // A sum that is longer than an amount would be cut. The number of least value overflows, which SQLite reports.
    `${sign} * CASE WHEN ${point} <= ${mostWholeDigits + 1} THEN CAST(${digits} AS INTEGER) ELSE abs(-9223372036854775807 - (${point} > 0)) END AS ${amount}_0`,
    ...places.map(
      (place) => `${sign} * CAST(substr(${fraction}, ${place * 9 - 8}, 9) AS INTEGER) AS ${amount}_${place}`,
    ),
  ]
}

/** The carried limbs are added to the whole part, so a negative sum has to be turned round before it is printed. */
const print = (a: string): string => {
  const [w, x, y, z] = [`${a}_0`, `${a}_1`, `${a}_2`, `${a}_3`]
  const text = (...parts: ReadonlyArray<string | number>) => `printf('%s%d.%09d%09d%09d', ${parts.join(", ")})`
  const printed = `CASE WHEN ${w} >= 0 THEN ${text("''", w, x, y, z)}
    WHEN ${x} = 0 AND ${y} = 0 AND ${z} = 0 THEN ${text("'-'", `-${w}`, 0, 0, 0)}
    WHEN ${y} = 0 AND ${z} = 0 THEN ${text("'-'", `-${w} - 1`, `${base} - ${x}`, 0, 0)}
    WHEN ${z} = 0 THEN ${text("'-'", `-${w} - 1`, `${base - 1} - ${x}`, `${base} - ${y}`, 0)}
    ELSE ${text("'-'", `-${w} - 1`, `${base - 1} - ${x}`, `${base - 1} - ${y}`, `${base} - ${z}`)} END`
  return `CASE WHEN ${w} IS NULL THEN NULL ELSE rtrim(rtrim(${printed}, '0'), '.') END`
}
