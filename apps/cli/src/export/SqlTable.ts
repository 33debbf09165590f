/** A `CREATE TABLE` that DuckDB and PostgreSQL both accept, wide enough for the amounts of one export. */
import * as AmountShape from "./AmountShape.ts"
import type { ExportFormat } from "./ExportFormat.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** The statements that make a table of an export and fill it. */
export const script = (options: {
  readonly file: string
  readonly format: ExportFormat
  readonly shapes: AmountShape.Shapes
}): string => {
  const columns = TransferColumns.flat.map((column) => {
    const required = requiredColumns.has(column.name) ? " NOT NULL" : ""
    return `  ${column.name} ${typeOf(column, options.shapes)}${column.name === "id" ? " PRIMARY KEY" : required}`
  })
  return [
    `-- The transfers of ${options.file}. Amounts are exact decimals; times keep their microseconds.`,
    `CREATE TABLE transfers (\n${columns.join(",\n")}\n);`,
    ...loading(options.file, options.format),
    "",
  ].join("\n")
}

const requiredColumns = new Set(["kind", "status", "created_at"])

const typeOf = (column: TransferColumns.TransferColumn, shapes: AmountShape.Shapes): string => {
  if (column.kind === "timestamp") return "TIMESTAMPTZ"
  if (column.kind === "json") return "JSON"
  const shape = shapes.get(column.name)
  return column.kind === "amount" && AmountShape.fits(shape)
    ? `DECIMAL(${AmountShape.maxPrecision}, ${AmountShape.scaleOf(shape)})`
    : "TEXT"
}

const loading = (file: string, format: ExportFormat): ReadonlyArray<string> => {
  const name = file.replaceAll("'", "''")
  if (format === "parquet") return [`-- DuckDB: INSERT INTO transfers SELECT * FROM read_parquet('${name}');`]
  if (format !== "csv") return []
  return [
    `-- DuckDB: INSERT INTO transfers SELECT * FROM read_csv('${name}', header = true, all_varchar = true);`,
    `-- psql:   \\copy transfers FROM '${name}' WITH (FORMAT csv, HEADER)`,
  ]
}
