/**
 * Every limit on speed, size and requests that TransferKit sets itself. Whatever does not depend on the machine's load
 * is enforced by a test or by counting instructions; the rest is listed with the last figure of its benchmark.
 */
import type { Budget } from "./Budget.ts"
import * as ClientBudgets from "./ClientBudgets.ts"
import * as DomainBudgets from "./DomainBudgets.ts"
import * as FakeBudgets from "./FakeBudgets.ts"
import * as FunctionBudgets from "./FunctionBudgets.ts"
import * as ProgramBudgets from "./ProgramBudgets.ts"

/** In the order of the table. */
export const budgets: ReadonlyArray<Budget> = [
  ...DomainBudgets.budgets,
  ...ClientBudgets.reading,
  ...FakeBudgets.budgets,
  ...ProgramBudgets.budgets,
  ...ClientBudgets.loading,
  ...FunctionBudgets.budgets,
]
