/** The service with the current key: if it rejects one, the call is made again with the key that replaced it. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Paths from "@transferkit/http-api/Paths"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import type { HttpTransport } from "@transferkit/http-client/HttpTransport"
import type { InvalidConfiguration } from "@transferkit/http-client/InvalidConfiguration"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { timeLeft } from "../Deadline.ts"
import { Settings } from "../Settings.ts"
import { PartnerKey } from "./PartnerKey.ts"
import { ServiceCalls } from "./ServiceCalls.ts"

/** How patient the function is with the service. API Gateway waits for 29 seconds at most, and people for less. */
export const Patience = Context.Reference<HttpTransferApi.HttpTransferApiOptions>(
  "@transferkit/validation-lambda/Patience",
  { defaultValue: () => ({ attemptTimeout: 3000, deadline: 8000 }) },
)

/** How much longer than the invocation a call may take, in milliseconds: its end is that of the invocation then. */
const slack = 100

/**
 * Fails with `InvalidConfiguration` if the service cannot be called with these settings. A key that cannot be read is
 * a defect here: ask {@link PartnerKey} first.
 */
export const layer: Layer.Layer<TransferApi, InvalidConfiguration, HttpTransport | PartnerKey | Settings> =
  Layer.effect(
    TransferApi,
    Effect.gen(function* () {
      const { baseUrl, partnerId, tracingDaemon } = yield* Settings
      const keys = yield* PartnerKey
      const options = { ...(yield* Patience), baseUrl, partnerId }
      const patience = options.deadline === undefined ? Infinity : Duration.toMillis(options.deadline)
      const context = yield* Effect.context<HttpTransport>()
      const clientWith = (secretKey: Redacted.Redacted) =>
        HttpTransferApi.make({ ...options, secretKey }).pipe(
          Effect.map((api) => ({ secretKey, api })),
          Effect.provideContext(context),
        )
      // Made now, so that a wrong base URL is found at once.
      let client = yield* clientWith(Redacted.make("-"))

      const withKey = (secretKey: Redacted.Redacted) =>
        secretKey === client.secretKey
          ? Effect.succeed(client.api)
          : Effect.map(Effect.orDie(clientWith(secretKey)), (next) => (client = next).api)

      // A pause of the service that outlasts the invocation fails at once, instead of waiting for its end in vain.
      const inTime = <A>(operation: Effect.Effect<A, TransferApiError>) =>
        Effect.flatMap(timeLeft, (left) =>
          Number.isFinite(left)
            ? HttpTransferApi.withCallSettings({ deadline: Math.min(patience, left + slack) })(operation)
            : operation,
        )

      const call = <A>(
        name: Measured["name"],
        operation: (api: TransferApi["Service"]) => Effect.Effect<A, TransferApiError>,
      ) =>
        measured(
          { name, baseUrl, tracingDaemon },
          Effect.gen(function* () {
            const secretKey = yield* Effect.orDie(keys.current)
            const api = yield* withKey(secretKey)
            return yield* Effect.catchTag(inTime(operation(api)), "Unauthorized", (unauthorized) =>
              keys.after(secretKey).pipe(
                Effect.mapError(() => unauthorized),
                Effect.flatMap(withKey),
                Effect.flatMap((renewed) => inTime(operation(renewed))),
              ),
            )
          }),
        )

      return TransferApi.of({
        origin: Effect.suspend(() => client.api.origin),
        capabilities: call("capabilities", (api) => api.capabilities),
        search: (request) => call("search", (api) => api.search(request)),
      })
    }),
  )

interface Measured extends Pick<Settings["Service"], "baseUrl" | "tracingDaemon"> {
  readonly name: "capabilities" | "search"
}

const measured = <A>({ name, ...traced }: Measured, call: Effect.Effect<A, TransferApiError>) =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const exit = yield* Effect.exit(call)
    const endedAt = yield* Clock.currentTimeMillis
    const duration_ms = endedAt - startedAt
    const { latencies, trace } = yield* ServiceCalls
    latencies.push(duration_ms)
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    yield* Effect.annotateLogs(Effect.logDebug("service called"), { operation: name, duration_ms, error: error?._tag })
    const { tracingDaemon } = traced
    if (tracingDaemon !== undefined && trace !== undefined) {
      const XRay = yield* Effect.promise(() => import("./XRay.ts"))
      const url = `${traced.baseUrl.replace(/^(.*[^/])?\/*$/, "$1")}${paths[name]}`
      const text = XRay.datagram(trace, { url, startedAt, endedAt, error })
      if (text !== undefined) yield* Effect.promise(() => XRay.send(tracingDaemon, text))
    }
    return yield* exit
  })

const paths = { capabilities: Paths.capabilities, search: Paths.search }
