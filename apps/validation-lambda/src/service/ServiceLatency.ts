/** How long the service took over each call of the invocation under way, its retries included. In milliseconds. */
import * as Context from "effect/Context"

export const ServiceLatency = Context.Reference<Array<number>>("@transferkit/validation-lambda/ServiceLatency", {
  defaultValue: () => [],
})
