/** All commands. Each is declared in a file of its own; what it does is loaded when it is called. */
import * as Command from "effect/cli/Command"
import { audit } from "./commands/Audit.ts"
import { capabilities } from "./commands/Capabilities.ts"
import { diff } from "./commands/Diff.ts"
import { exportTransfers } from "./commands/Export.ts"
import { reconcile } from "./commands/Reconcile.ts"
import { search } from "./commands/Search.ts"
import { summary } from "./commands/Summary.ts"
import { validate } from "./commands/Validate.ts"
import { verify } from "./commands/Verify.ts"
import { root } from "./Globals.ts"

export const commandTree = root.pipe(
  Command.withSubcommands([capabilities, search, exportTransfers, verify, diff, summary, reconcile, validate, audit]),
)
