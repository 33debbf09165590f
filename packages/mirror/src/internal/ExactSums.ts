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
}

/** Digits of the whole part and of the fraction that sums in limbs hold. */
export const mostWholeDigits = 18
export const mostFractionDigits = 27

const base = 1_000_000_000

export const select = (dialect: Dialect, sums: ExactSums): string => (dialect === "pg" ? numeric(sums) : limbs(sums))

const numeric = ({ from, keys, amounts, aggregates = [] }: ExactSums): string =>
  `SELECT ${[...keys, ...aggregates, ...amounts.map((name) => `trim_scale(SUM(${name})) AS ${name}`)].join(", ")} FROM ${from} GROUP BY ${keys.join(", ")}`

const places = [1, 2, 3] as const

/** Sums of amounts that are kept as five limbs each, see Totals. */
export interface LimbSums {
  /** The condition on rows of the table. */
  readonly where: string
  readonly keys: ReadonlyArray<string>
  /** The fields to add. A total has the name of its field, and is NULL without an amount. */
  readonly fields: ReadonlyArray<string>
  readonly aggregates?: ReadonlyArray<string>
}

/** The same sums from the limbs that are there, some thousand rows instead of every transfer. */
export const ofLimbs = (dialect: Dialect, { where, keys, fields, aggregates = [] }: LimbSums, from: string): string => {
  const sum = (field: string, limb: number) => `SUM(CASE WHEN field = '${field}' THEN limb_${limb} END)`
  const whole = (field: string) => `${sum(field, 1)} * ${base} + ${sum(field, 2)}`
  const grouped = `FROM ${from} WHERE ${where} GROUP BY ${keys.join(", ")}`
  if (dialect === "pg") {
    const unit = (place: number) => `0.${"1".padStart(9 * place, "0")}`
    const total = (field: string) =>
      `trim_scale(${whole(field)} + ${places.map((place) => `${sum(field, place + 2)} * ${unit(place)}`).join(" + ")}) AS ${field}`
    return `SELECT ${[...keys, ...aggregates, ...fields.map(total)].join(", ")} ${grouped}`
  }
  const parts = fields.flatMap((field) => [
    `${whole(field)} AS ${field}_0`,
    ...places.map((place) => `${sum(field, place + 2)} AS ${field}_${place}`),
  ])
  return `WITH sums AS (SELECT ${[...keys, ...aggregates, ...parts].join(", ")} ${grouped}),
${carried({ keys, aggregates, amounts: fields })}`
}

const limbs = ({ from, keys, amounts, aggregates = [] }: ExactSums): string =>
  [
    `WITH parts AS (SELECT ${[...keys, ...amounts.flatMap(partsOf)].join(", ")} FROM ${from}),`,
    `sums AS (SELECT ${[
      ...keys,
      ...aggregates,
      ...amounts.flatMap((a) => [0, ...places].map((place) => `SUM(${a}_${place}) AS ${a}_${place}`)),
    ].join(", ")} FROM parts GROUP BY ${keys.join(", ")}),`,
    carried({ keys, aggregates, amounts }),
  ].join("\n")

/** The sums of limbs as decimals: the rest of a statement that has `sums`. */
const carried = ({ keys, amounts, aggregates = [] }: Omit<ExactSums, "from">): string => {
  const others = [...keys, ...aggregates.map((aggregate) => aggregate.replace(/^.* AS /, ""))]
  const carry = (upper: string, lower: string) => `${upper} + (${lower} - ${rest(lower)}) / ${base}`
  const step = (name: string, source: string, columns: (amount: string) => ReadonlyArray<string>) =>
    `${name} AS (SELECT ${[...others, ...amounts.flatMap(columns)].join(", ")} FROM ${source})`
  return [
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
  const fraction = `(substr(${digits}, instr(${digits} || '.', '.') + 1) || '${"0".repeat(mostFractionDigits)}')`
  return [
    `${sign} * CAST(${digits} AS INTEGER) AS ${amount}_0`,
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
