/** The function that Lambda calls, over services that live as long as the process. */
import type { HttpTransferApiOptions } from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as CapabilitiesCache from "./CapabilitiesCache.ts"
import * as Invocation from "./Invocation.ts"
import * as Log from "./Log.ts"
import * as PartnerKey from "./PartnerKey.ts"
import * as RotatingTransferApi from "./RotatingTransferApi.ts"
import type { Settings } from "./Settings.ts"

/** What a handler is made of. */
export interface HandlerOptions {
  readonly settings: Settings
  /** Takes a line of the log. */
  readonly write: (line: string) => void
  /** How patient to be with the service. An API Gateway waits for 29 seconds at the most, and people less. */
  readonly patience?: HttpTransferApiOptions
  /** @default the system's */
  readonly clock?: Clock.Clock
}

/** A handler as Lambda calls it. */
export type Handler = (event: unknown, context: Invocation.InvocationContext) => Promise<unknown>

const standard: HttpTransferApiOptions = { attemptTimeout: "3 seconds", deadline: "8 seconds" }

/** A handler. Throws `InvalidConfiguration` where the service cannot be called with these settings. */
export const make = ({ settings, write, patience = standard, clock }: HandlerOptions): Handler => {
  const { baseUrl, partnerId, key, capabilitiesTimeToLive: timeToLive, capabilitiesPolicy: policy } = settings
  const services = CapabilitiesCache.layer({ timeToLive, policy }).pipe(
    Layer.provideMerge(RotatingTransferApi.layer({ ...patience, baseUrl, partnerId })),
    Layer.provideMerge(PartnerKey.layer(key)),
    Layer.provide(NodeTransport.layer),
    Layer.provideMerge(Log.layer(write)),
    Layer.provideMerge(clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, clock)),
  )
  const runtime = ManagedRuntime.make(services)
  runtime.runSync(Effect.void)
  let isCold = true
  return (event, context) => {
    const invocation = Invocation.run(event, { context, settings, isCold })
    isCold = false
    return runtime.runPromise(invocation)
  }
}
