/** What is noted of the calls of the service by the invocation under way. */
import * as Context from "effect/Context"

export interface ServiceCalls {
  /** How long each call took, its retries included. In milliseconds. */
  readonly latencies: Array<number>
  /** The header of the invocation's trace, of which the calls are parts. */
  readonly trace: string | undefined
}

export const ServiceCalls = Context.Reference<ServiceCalls>("@transferkit/validation-lambda/ServiceCalls", {
  defaultValue: () => ({ latencies: [], trace: undefined }),
})
