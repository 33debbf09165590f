/** A transfer as a row: the columns of CSV, Parquet and SQL, which a file names. */
import * as StoredText from "@transferkit/domain/StoredText"
import { fields, laterFields, moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as Record from "effect/Record"
import * as Result from "effect/Result"

/** A column. `read` returns undefined if the transfer has no such field. */
export interface TransferColumn {
  readonly name: string
  readonly kind: "text" | "timestamp" | "amount" | "json"
  /** The field that it holds, or a part of. The column of unknown fields has none. */
  readonly field?: keyof typeof fields
  readonly read: (transfer: Transfer) => string | undefined
}

const columnsOf = ([field, type]: (typeof contract)[number]): ReadonlyArray<TransferColumn> => {
  const money = moneyFields.find((name) => name === field)
  if (money !== undefined) {
    return [
      { name: `${field}_amount`, kind: "amount", field, read: (transfer) => transfer[money]?.text },
      { name: `${field}_currency_code`, kind: "text", field, read: (transfer) => transfer[money]?.currency_code },
    ]
  }
  const read = (transfer: Transfer) => {
    const value = transfer[field]
    return typeof value === "string" ? value : value?.text
  }
  return [{ name: field, kind: type === "created" || type === "instant" ? "timestamp" : "text", field, read }]
}

/** Every field of partner-api.md, 2.3, in its order; an amount and its currency are separate columns. */
const contract = Record.toEntries(fields)

const knownFields = new Set<string>(contract.map(([field]) => field))

/** Fields that the contract does not name, as one JSON object, so that the columns are always the same. */
const extra: TransferColumn = {
  name: "extra",
  kind: "json",
  read: (transfer) => {
    const others = Object.entries(transfer).filter(([name]) => !knownFields.has(name))
    return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others))
  },
}

const isLater = (field: string | undefined): boolean => field !== undefined && Object.hasOwn(laterFields, field)

/** All columns of a flat file. One of them holds the fields that the contract does not name; those added later follow it. */
export const flat: ReadonlyArray<TransferColumn> = [
  ...contract.filter(([field]) => !isLater(field)).flatMap(columnsOf),
  extra,
  ...contract.filter(([field]) => isLater(field)).flatMap(columnsOf),
]

/** What the months of a data set have behind the columns of a flat file. */
export const ofHistory = [
  { name: "created_ns", kind: "integer" },
  { name: "first_seen_at", kind: "timestamp" },
  { name: "seen_at", kind: "timestamp" },
  { name: "vanished_at", kind: "timestamp" },
] as const

/**
 * The columns of a file, in its order, from their names; or why it is not an export that this version reads whole. Columns
 * of fields that were added since the first release may be missing, because a file may be older than they are.
 *
 * @example
 * Result.map(ofNames(flat.toReversed().map((column) => column.name)), (columns) => columns.at(-1)?.name) // => Result.succeed("id")
 * ofNames(["id", "kind"]) // => Result.fail("it has only some of the columns of an export: export it without --columns")
 * ofNames([...flat.map((column) => column.name), "colour"]) // => Result.fail("it was written by a later version of transfers, which knows the field of its column colour: read it with that version")
 */
export const ofNames = (names: ReadonlyArray<string>): Result.Result<ReadonlyArray<TransferColumn>, string> => {
  const given = new Set(names)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  const unknown = names.find((name) => !byName.has(name))
  const missing = flat.filter(({ name, field }) => !given.has(name) && !isOlder(field, given))
  if (missing.length > 0) {
    return Result.fail(
      unknown === undefined
        ? "it has only some of the columns of an export: export it without --columns"
        : "it is not an export: its columns have other names",
    )
  }
  if (twice !== undefined) return Result.fail(`it is not an export: it has two columns ${twice}`)
  if (ofHistory.every(({ name }) => given.has(name))) {
    return Result.fail(
      "it is a month of a data set, in which transfers that have vanished stay: query its folder, such as with DuckDB, or give the mirror that it was written from",
    )
  }
  if (unknown !== undefined) {
    return Result.fail(
      `it was written by a later version of transfers, which knows the field of its column ${unknown}: read it with that version`,
    )
  }
  return Result.succeed(names.flatMap((name) => byName.get(name) ?? []))
}

/** Whether a file with these columns may be older than a field: it has no part of it. */
const isOlder = (field: string | undefined, given: ReadonlySet<string>): boolean =>
  isLater(field) && !flat.some((column) => column.field === field && given.has(column.name))

const byName = new Map(flat.map((column) => [column.name, column]))

/** The value of a column as a file can hold it, see `StoredText`. JSON has escapes of its own. */
export const storedText = ({ kind, read }: TransferColumn, transfer: Transfer): string | undefined => {
  const text = read(transfer)
  return text === undefined || kind !== "text" ? text : StoredText.escape(text)
}

/** The cells of a transfer. Those that it has no value for are undefined, or null where they were JSON. */
export type Cells = ReadonlyArray<string | null | undefined>

/** A transfer as the cells of some columns, by default of {@link flat}. */
export const toCells = (
  transfer: Transfer,
  columns: ReadonlyArray<TransferColumn> = flat,
): ReadonlyArray<string | undefined> => columns.map((column) => storedText(column, transfer))

/** The cells of some columns, from those of {@link flat}. */
export const choose = (
  columns: ReadonlyArray<TransferColumn>,
): ((cells: Cells) => ReadonlyArray<string | undefined>) => {
  const indexes = columns.map((column) => flat.indexOf(column))
  return (cells) => indexes.map((index) => cells[index] ?? undefined)
}

/** A transfer as a flat object of texts. Columns that it has no value for are absent. */
export const toRecord = (
  transfer: Transfer,
  columns: ReadonlyArray<TransferColumn>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ name, read }) => {
      const text = read(transfer)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
