/** Which columns of a result hold numbers. It shows in their names, because keys can look like numbers in every row. */
import * as Amount from "@transferkit/domain/Amount"
import * as Iterable from "effect/Iterable"

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

/**
 * The columns of a table, its header first, that hold numbers and nothing else.
 *
 * @example
 * NumberColumns.indices([["key", "amount", "fee"], ["1.10", "1.10", "none"]]) // => [1]
 */
export const indices = (
  table: Iterable<ReadonlyArray<string | undefined>>,
  known?: ReadonlySet<string>,
): ReadonlyArray<number> => {
  const [header = []] = table
  const columns = header.map((name = "") => ({ hasNumbers: includes(name, known), hasOther: false }))
  for (const row of Iterable.drop(table, 1)) {
    for (const [index, column] of columns.entries()) {
      const cell = row[index] ?? ""
      column.hasOther ||= cell !== "" && !Amount.isAmount(cell)
    }
  }
  return columns.flatMap(({ hasNumbers, hasOther }, index) => (hasNumbers && !hasOther ? [index] : []))
}
