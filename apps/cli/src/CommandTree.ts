/** All commands. Each is declared in a file of its own; what it does is loaded when it is called. */
import * as Command from "effect/cli/Command"
import { audit } from "./commands/Audit.ts"
import { capabilities } from "./commands/Capabilities.ts"
import { completions } from "./commands/Completions.ts"
import { diff } from "./commands/Diff.ts"
import { doctor } from "./commands/Doctor.ts"
import { exportTransfers } from "./commands/Export.ts"
import { probe } from "./commands/Probe.ts"
import { profiles } from "./commands/Profiles.ts"
import { reconcile } from "./commands/Reconcile.ts"
import { search } from "./commands/Search.ts"
import { summary } from "./commands/Summary.ts"
import { validate } from "./commands/Validate.ts"
import { verify } from "./commands/Verify.ts"
import { watch } from "./commands/Watch.ts"
import { whoami } from "./commands/Whoami.ts"
import { root } from "./Globals.ts"

export const commandTree = root.pipe(
  Command.withSubcommands([
    { group: "TRANSFERS", commands: [search, exportTransfers, summary, reconcile, audit, watch] },
    { group: "FILES", commands: [verify, diff, validate] },
    { group: "SERVICE", commands: [capabilities, doctor, probe] },
    { group: "SETTINGS", commands: [whoami, profiles, completions(wholeTree)] },
  ]),
)

/** For the command that describes all of them, itself included. */
function wholeTree(): Command.Command.Any {
  return commandTree
}
