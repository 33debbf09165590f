/** All commands. Each has a folder: `Command.ts` declares it, and `Run.ts` is loaded when it is called. */
import * as Command from "effect/cli/Command"
import { audit } from "./commands/audit/Command.ts"
import { capabilities } from "./commands/capabilities/Command.ts"
import { certify } from "./commands/certify/Command.ts"
import { close } from "./commands/close/Command.ts"
import { completions } from "./commands/completions/Command.ts"
import { diff } from "./commands/diff/Command.ts"
import { doctor } from "./commands/doctor/Command.ts"
import { exportTransfers } from "./commands/export/Command.ts"
import { mcp } from "./commands/mcp/Command.ts"
import { profiles } from "./commands/profiles/Command.ts"
import { query } from "./commands/query/Command.ts"
import { reconcile } from "./commands/reconcile/Command.ts"
import { report } from "./commands/report/Command.ts"
import { search } from "./commands/search/Command.ts"
import { show } from "./commands/show/Command.ts"
import { summary } from "./commands/summary/Command.ts"
import { sync } from "./commands/sync/Command.ts"
import { validate } from "./commands/validate/Command.ts"
import { verify } from "./commands/verify/Command.ts"
import { watch } from "./commands/watch/Command.ts"
import { whoami } from "./commands/whoami/Command.ts"
import { worker } from "./commands/worker/Command.ts"
import { root } from "./flags/GlobalFlags.ts"
import { Globals } from "./flags/Globals.ts"

export const commandTree = root.pipe(
  Command.withSubcommands([
    { group: "TRANSFERS", commands: [search, show, exportTransfers, summary, report, reconcile, close, audit, watch] },
    { group: "MIRRORS", commands: [sync, worker, query] },
    { group: "FILES", commands: [verify, diff, validate] },
    { group: "SERVERS", commands: [mcp] },
    { group: "SERVICE", commands: [capabilities, doctor, certify] },
    { group: "SETTINGS", commands: [whoami, profiles, completions(wholeTree)] },
  ]),
  Command.provideSync(Globals, ({ profiles, ...flags }) => ({ ...flags, profiles, profile: profiles[0] })),
)

/** For the command that describes all commands, itself included. */
function wholeTree(): Command.Command.Any {
  return commandTree
}
