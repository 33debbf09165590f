/** The service with the key of the moment: when it refuses one, a call is made again with the key that replaced it. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import type { HttpTransport } from "@transferkit/http-client/HttpTransport"
import type { InvalidConfiguration } from "@transferkit/http-client/InvalidConfiguration"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { PartnerKey } from "./PartnerKey.ts"

/** Where the service is, and how patient to be. */
export type Options = Omit<HttpTransferApi.HttpTransferApiConfig, "secretKey">

type Api = TransferApi["Service"]

/** The service at a base URL. A key that cannot be read at all is a defect here: ask {@link PartnerKey} before. */
export const layer = (options: Options): Layer.Layer<TransferApi, InvalidConfiguration, HttpTransport | PartnerKey> =>
  Layer.effect(
    TransferApi,
    Effect.gen(function* () {
      const keys = yield* PartnerKey
      const context = yield* Effect.context<HttpTransport>()
      const scope = yield* Effect.scope
      const apiWith = (secretKey: Redacted.Redacted) =>
        Layer.buildWithScope(HttpTransferApi.layer({ ...options, secretKey }), scope).pipe(
          Effect.map((built) => ({ secretKey, api: Context.get(built, TransferApi) })),
          Effect.provide(context),
        )
      // Made now, so that a wrong base URL is found at once.
      let made = yield* apiWith(Redacted.make("-"))

      const withKey = (secretKey: Redacted.Redacted) =>
        secretKey === made.secretKey
          ? Effect.succeed(made.api)
          : Effect.map(Effect.orDie(apiWith(secretKey)), (next) => (made = next).api)

      const call = <A>(operation: (api: Api) => Effect.Effect<A, TransferApiError>) =>
        Effect.gen(function* () {
          const secretKey = yield* Effect.orDie(keys.current)
          const api = yield* withKey(secretKey)
          return yield* Effect.catchTag(operation(api), "Unauthorized", (refusal) =>
            keys.after(secretKey).pipe(
              Effect.mapError(() => refusal),
              Effect.flatMap(withKey),
              Effect.flatMap(operation),
            ),
          )
        })

      return TransferApi.of({
        capabilities: call((api) => api.capabilities),
        search: (request) => call((api) => api.search(request)),
      })
    }),
  )
