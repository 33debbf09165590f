/** CSV by the names of its columns: a field more changes no test. */
import * as TransferColumns from "../src/formats/TransferColumns.ts"

/** The header of an export. */
export const header = TransferColumns.flat.map(({ name }) => name).join(",")

/** A row of an export. The other cells are empty. */
export const row = (cells: Readonly<Record<string, string>>): string =>
  TransferColumns.flat.map(({ name }) => cells[name] ?? "").join(",")
