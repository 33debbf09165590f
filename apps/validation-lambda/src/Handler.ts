/** The function that Lambda calls, over services that live as long as the process. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as CapabilitiesCache from "./CapabilitiesCache.ts"
import * as Invocation from "./Invocation.ts"
import * as Log from "./Log.ts"
import type { Settings } from "./Settings.ts"

/** What a handler is made of. */
export interface HandlerOptions<E> {
  readonly settings: Settings
  readonly transferApi: Layer.Layer<TransferApi, E>
  /** Takes a line of the log. */
  readonly write: (line: string) => void
}

/** A handler as Lambda calls it. */
export type Handler = (event: unknown, context: Invocation.InvocationContext) => Promise<unknown>

/** A handler. Its services are built by its first invocation. */
export const make = <E>({ settings, transferApi, write }: HandlerOptions<E>): Handler => {
  const services = CapabilitiesCache.layer({
    timeToLive: settings.capabilitiesTimeToLive,
    policy: settings.capabilitiesPolicy,
  }).pipe(Layer.provideMerge(transferApi), Layer.provideMerge(Log.layer(write)))
  const runtime = ManagedRuntime.make(services)
  let isCold = true
  return (event, context) => {
    const invocation = Invocation.run(event, { context, settings, isCold })
    isCold = false
    return runtime.runPromise(invocation)
  }
}
