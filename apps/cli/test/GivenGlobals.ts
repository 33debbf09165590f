/** The global flags of a command line that gives none. */
import type { Globals } from "../src/flags/Globals.ts"

export const none: Globals["Service"] = {
  baseUrl: undefined,
  partnerId: undefined,
  profile: undefined,
  profiles: [],
  secretKeyFile: undefined,
  secretKeyStdin: false,
  sandbox: false,
  now: undefined,
  from: undefined,
  asOf: undefined,
  exportedAs: undefined,
  allowIncomplete: false,
  output: undefined,
  noColor: false,
  quiet: false,
}
