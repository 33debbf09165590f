/** The service a command talks to: the real one by HTTP, or made-up transfers in memory with `--sandbox`. */
import * as Dialect from "@transferkit/domain/Dialect"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Globals } from "../flags/GlobalFlags.ts"
import * as Traffic from "../progress/Traffic.ts"
import * as Settings from "./Settings.ts"

/** How many transfers the sandbox holds. */
export const sandboxTransfers = 5000

/** The service that the global flags name. Nothing is loaded or called before it is needed. */
export const api = (globals: Globals) => Layer.unwrap(globals.sandbox ? sandbox : overHttp(globals))

/** The service and the pager over it. */
export const pager = (globals: Globals) => TransferPager.TransferPager.layer.pipe(Layer.provideMerge(api(globals)))

const sandbox: Effect.Effect<Layer.Layer<TransferApi>> = Effect.gen(function* () {
  const InMemory = yield* Effect.promise(() => import("@transferkit/in-memory/InMemoryTransferApi"))
  return InMemory.layer({ transfers: sandboxTransfers })
})

/** Credentials that the client accepts: nothing sends a secret key to where it would not. */
export const credentials = Effect.fnUntraced(function* (settings: Settings.Settings) {
  const credentials = yield* Settings.credentials(settings)
  const Http = yield* Effect.promise(() => import("@transferkit/http-client/HttpTransferApi"))
  yield* Effect.fromResult(Result.mapError(Http.check(credentials), (error) => Settings.refusal(settings, error)))
  return credentials
})

const overHttp = Effect.fnUntraced(function* (globals: Globals) {
  const settings = yield* Settings.resolve(globals)
  const accepted = yield* credentials(settings)
  const [Http, Node] = yield* Effect.promise(() =>
    Promise.all([import("@transferkit/http-client/HttpTransferApi"), import("@transferkit/http-client/NodeTransport")]),
  )
  const transport = Layer.provide(Traffic.countRequests, Node.layer)
  const dialect = Layer.succeed(Dialect.Dialect, { ...Dialect.standard, lteToken: settings.lteToken?.value })
  return Traffic.countCalls.pipe(Layer.provide(Http.layer(accepted)), Layer.provide(transport), Layer.merge(dialect))
})
