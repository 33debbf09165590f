/** What is in doubt: what the breaks of a reconciliation are worth in US dollars. */
import * as ReconciliationLines from "./ReconciliationLines.ts"
import * as UsdValue from "./UsdValue.ts"

/** The value of the breaks among some lines that need action: of each, its difference, or the amount of one side. */
export const of = (lines: Iterable<ReconciliationLines.Line>): UsdValue.UsdValue => {
  let sum = UsdValue.none
  for (const line of lines) if (ReconciliationLines.isOpen(line)) sum = UsdValue.plus(sum, line.usd)
  return sum
}
