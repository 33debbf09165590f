/** The trace header of the invocation under way, of which the calls of the service are parts. */
import * as Context from "effect/Context"

export const ServiceTrace = Context.Reference<string | undefined>("@transferkit/validation-lambda/ServiceTrace", {
  defaultValue: () => undefined,
})
