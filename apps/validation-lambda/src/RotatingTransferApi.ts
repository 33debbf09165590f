/** The service with the key of the moment: when it refuses one, a call is made again with the key that replaced it. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import type { HttpTransport } from "@transferkit/http-client/HttpTransport"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PartnerKey } from "./PartnerKey.ts"

/** Where the service is, and how patient to be. */
export type Options = Omit<HttpTransferApi.HttpTransferApiConfig, "secretKey">

/**
 * The service at a base URL. Fails with `InvalidConfiguration` where it cannot be called. A key that cannot be read at
 * all is a defect here: ask {@link PartnerKey} before.
 */
export const make = Effect.fnUntraced(function* (options: Options, keys: PartnerKey["Service"]) {
  const context = yield* Effect.context<HttpTransport>()
  const serviceWith = (secretKey: Redacted.Redacted) =>
    HttpTransferApi.make({ ...options, secretKey }).pipe(
      Effect.map((service) => ({ secretKey, service })),
      Effect.provideContext(context),
    )
  // Made now, so that a wrong base URL is found at once.
  let made = yield* serviceWith(Redacted.make("-"))

  const withKey = (secretKey: Redacted.Redacted) =>
    secretKey === made.secretKey
      ? Effect.succeed(made.service)
      : Effect.map(Effect.orDie(serviceWith(secretKey)), (next) => (made = next).service)

  const call = <A>(operation: (service: TransferApi["Service"]) => Effect.Effect<A, TransferApiError>) =>
    Effect.gen(function* () {
      const secretKey = yield* Effect.orDie(keys.current)
      const service = yield* withKey(secretKey)
      return yield* Effect.catchTag(operation(service), "Unauthorized", (refusal) =>
        keys.after(secretKey).pipe(
          Effect.mapError(() => refusal),
          Effect.flatMap(withKey),
          Effect.flatMap(operation),
        ),
      )
    })

  return TransferApi.of({
    capabilities: call((service) => service.capabilities),
    search: (request) => call((service) => service.search(request)),
  })
})
