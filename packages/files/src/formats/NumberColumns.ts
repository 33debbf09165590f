/** Which columns of a result hold numbers. It shows in their names, because keys can look like numbers in every row. */

const money = /(?:^|_)(?:amount|difference|fee|subtotal|sum|total)$/

/**
 * Whether a column holds amounts by its name, or is one of those that are known to hold numbers. Cells of all others are
 * texts, whatever they look like.
 *
 * @example
 * NumberColumns.includes("ledger_amount") // => true
 * NumberColumns.includes("transfers", new Set(["transfers"])) // => true
 * NumberColumns.includes("key") // => false
 */
export const includes = (name: string, known: ReadonlySet<string> = new Set()): boolean =>
  known.has(name) || money.test(name)
