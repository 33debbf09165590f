/** A `CREATE TABLE` for DuckDB and PostgreSQL, into which any export can be loaded. */
import * as DecimalWidth from "./DecimalWidth.ts"
import * as TransferColumns from "./TransferColumns.ts"
import type { AmountForm, TransferFormat } from "./TransferFormat.ts"

/** The statements that create a table for an export and load it. */
export const script = (options: {
  readonly file: string
  readonly format: TransferFormat
  readonly widths: DecimalWidth.DecimalWidths
  /** How Parquet holds amounts. */
  readonly amounts?: AmountForm
}): string => {
  // A line break would end a comment.
  const file = options.file.replaceAll(/\p{Cc}/gu, "\ufffd")
  const columns = TransferColumns.flat.map((column) => {
    const required = requiredColumns.has(column.name) ? " NOT NULL" : ""
    return `  ${column.name} ${typeOf(column, options)}${column.name === "id" ? " PRIMARY KEY" : required}`
  })
  return [
    `-- The transfers of ${file}. Amounts are exact decimals; times keep their microseconds.`,
    `CREATE TABLE transfers (\n${columns.join(",\n")}\n);`,
    ...loading(file, options.format),
    "",
  ].join("\n")
}

const requiredColumns = new Set(["kind", "status", "created_at"])

const typeOf = (
  { name, kind }: TransferColumns.TransferColumn,
  { widths, amounts = "decimal" }: Pick<Parameters<typeof script>[0], "widths" | "amounts">,
): string => {
  if (kind === "timestamp") return "TIMESTAMPTZ"
  if (kind === "json") return "JSON"
  return kind === "amount" && amounts === "decimal" && DecimalWidth.fits(widths.get(name))
    ? `DECIMAL(${DecimalWidth.precision}, ${DecimalWidth.scale})`
    : "TEXT"
}

const loading = (file: string, format: TransferFormat): ReadonlyArray<string> => {
  const name = file.replaceAll("'", "''")
  if (format === "parquet")
    return [`-- DuckDB: INSERT INTO transfers BY NAME SELECT * EXCLUDE (written) FROM read_parquet('${name}');`]
  if (format !== "csv") return []
  return [
    `-- DuckDB: INSERT INTO transfers BY NAME SELECT * FROM read_csv('${name}', header = true, all_varchar = true);`,
    `-- psql:   \\copy transfers FROM '${name}' WITH (FORMAT csv, HEADER)`,
  ]
}
