/** Amounts, and a ledger of them. */
import type { ToolProps } from "../ToolProps.ts"
import { LedgerTool } from "./LedgerTool.tsx"
import { MoneyTool } from "./MoneyTool.tsx"

export const BooksTool = (props: ToolProps) => (
  <>
    <MoneyTool {...props} />
    <LedgerTool />
  </>
)
