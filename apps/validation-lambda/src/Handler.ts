/** The function that Lambda calls, over services that live as long as the process. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { HttpTransferApiOptions } from "@transferkit/http-client/HttpTransferApi"
import { HttpTransport } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { toError } from "./Failure.ts"
import * as Invocation from "./Invocation.ts"
import * as Log from "./Log.ts"
import * as CapabilitiesCache from "./service/CapabilitiesCache.ts"
import * as PartnerKey from "./service/PartnerKey.ts"
import * as RotatingTransferApi from "./service/RotatingTransferApi.ts"
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

const standard: HttpTransferApiOptions = { attemptTimeout: 3000, deadline: 8000 }

/** A handler. Throws an error named `InvalidConfiguration` where the service cannot be called with these settings. */
export const make = ({ settings, write, patience = standard, clock }: HandlerOptions): Handler => {
  const making = Effect.mapError(makeServices(settings, patience), toError)
  const services = Effect.runSync(Effect.provideContext(making, foundations(write, clock)))
  const runPromise = Effect.runPromiseWith(services)
  let isCold = true
  return (event, context) => {
    const invocation = Invocation.run(event, { context, settings, isCold })
    isCold = false
    return runPromise(invocation)
  }
}

/** Made by hand rather than by layers: they live as long as the process, and layers take a tenth of its start. */
const makeServices = Effect.fnUntraced(function* (settings: Settings, patience: HttpTransferApiOptions) {
  const { baseUrl, partnerId, key, capabilitiesTimeToLive: timeToLive, capabilitiesPolicy: policy } = settings
  const keys = yield* PartnerKey.make(key)
  const api = yield* RotatingTransferApi.make({ ...patience, baseUrl, partnerId }, keys)
  const capabilities = yield* CapabilitiesCache.make({ timeToLive, policy }, api)
  return (yield* Effect.context()).pipe(
    Context.add(PartnerKey.PartnerKey, keys),
    Context.add(TransferApi, api),
    Context.add(CapabilitiesCache.CapabilitiesCache, capabilities),
  )
})

const foundations = (write: HandlerOptions["write"], clock: Clock.Clock | undefined) => {
  const context = Context.make(Logger.CurrentLoggers, new Set([Log.logger(write)])).pipe(
    Context.add(HttpTransport, NodeTransport.ofRuntime),
  )
  return clock === undefined ? context : Context.add(context, Clock.Clock, clock)
}
