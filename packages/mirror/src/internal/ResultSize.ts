/** How large the result of a statement of a user may be: one text of JavaScript holds half a gigabyte. */

/** All texts and blobs together; in PostgreSQL all that it sends. */
export const mostBytes = 256 * 1024 * 1024

/** What one row takes of it. */
export const of = (row: Readonly<Record<string, unknown>>): number => {
  let bytes = 0
  for (const name in row) {
    const value = row[name]
    if (typeof value === "string") bytes += value.length
    else if (value instanceof Uint8Array) bytes += value.byteLength
  }
  return bytes
}
