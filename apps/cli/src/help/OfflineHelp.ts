/** An annotation of commands that their help page reads. */
import * as Context from "effect/Context"

/** Whether a command never calls the service, so that its page leaves out the connection flags. */
export const OfflineHelp = Context.Reference<boolean>("@transferkit/cli/OfflineHelp", {
  defaultValue: () => false,
})
