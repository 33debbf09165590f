/** The service that the settings name, over HTTP, with its requests counted and logged. */
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import { isForScript } from "../flags/Globals.ts"
import * as Traffic from "../progress/Traffic.ts"
import * as TrafficLog from "../progress/TrafficLog.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Credentials from "./Credentials.ts"
import * as Settings from "./Settings.ts"

/** The service. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings.resolve
    const isDebugged = yield* LogLevel.isEnabled("Debug")
    const hooks = TrafficLog.hooks(yield* Screen, { isForScript: yield* isForScript, isDebugged })
    return Traffic.countCalls.pipe(
      Layer.provide(HttpTransferApi.layer({ ...(yield* Credentials.of(settings)), ...hooks })),
      Layer.provide(Traffic.countRequests),
      Layer.provide(NodeTransport.layer),
    )
  }),
)
