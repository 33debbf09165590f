/** What a command says of itself for its help page. */
import * as Context from "effect/Context"

/** Whether a command has no use for a service, so that its page need not say how one is reached. */
export const WithoutService = Context.Reference<boolean>("@transferkit/cli/WithoutService", {
  defaultValue: () => false,
})
