/** Sizes that the writer of Parquet files keeps to, and its reader insists on. */

/** Bytes of the widest integer behind a DECIMAL(38). */
export const decimalBytes = 16

/** Rows per row group: the unit that a writer holds in memory and a reader can skip. */
export const rowGroupSize = 5_000
