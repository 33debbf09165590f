/** Who calls the service: the credentials of the configuration, or those that a function gives and a 401 renews. */
import * as SecretText from "@transferkit/domain/SecretText"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"
import type { Scrub } from "./ResponseReader.ts"

/**
 * The credentials of a partner. The secret key is redacted, so that no log shows it.
 *
 * @example
 * const credentials = { partnerId: "demo", secretKey: Redacted.make("demo-secret") }
 * String(credentials.secretKey) // => "<redacted>"
 * Result.isSuccess(HttpTransferApi.check({ baseUrl, ...credentials })) // => true
 */
export interface Credentials {
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

/** Checked credentials. */
export interface Identity {
  readonly partnerId: string
  /** The value of the header. */
  readonly authorization: Redacted.Redacted
  readonly scrub: Scrub
  /** The same of a URL, which has its host in lower case. */
  readonly scrubUrl: Scrub
}

/** The identity of each attempt. */
export interface Identities {
  /** Whether the credentials are a constant, which `current` gives at once. */
  readonly isFixed: boolean
  readonly current: Effect.Effect<Identity, TransferApiError>
  /** Whether another identity may be accepted where this one was not: `current` then asks for the credentials again. */
  readonly renew: (rejected: Identity) => Effect.Effect<boolean>
}

/** A setting that is part of an identity. */
export type IdentitySetting = "partnerId" | "secretKey"

export const fixed = (identity: Identity): Identities => ({
  isFixed: true,
  current: Effect.succeed(identity),
  renew: () => Effect.succeed(false),
})

/** Asks once for all calls, and again for the first that is rejected. Credentials that cannot be sent, or are another partner's, are a defect. */
export const renewable = Effect.fnUntraced(function* (credentials: Effect.Effect<Credentials, TransferApiError>) {
  const accepted = yield* Ref.make<Identity | undefined>(undefined)
  let partner: string | undefined
  const ask = credentials.pipe(
    Effect.flatMap((given) => Effect.orDie(Effect.fromResult(makeIdentity(given)))),
    Effect.tap(({ partnerId }) => {
      partner ??= partnerId
      const reason = `it was ${JSON.stringify(partner)} before, and is ${JSON.stringify(partnerId)} now: a list would mix their transfers. Create a client for each partner`
      return partner === partnerId
        ? Effect.void
        : Effect.die(new InvalidConfiguration<IdentitySetting>({ setting: "partnerId", reason }))
    }),
    Effect.tap((identity) => Ref.set(accepted, identity)),
  )
  const timeToLive = (exit: Exit.Exit<Identity, TransferApiError>) => (Exit.isSuccess(exit) ? Duration.infinity : 0)
  // Not a Cache of one key: it would add 620 bytes to the Promise client.
  const [current, forget] = yield* Effect.cachedInvalidateWithTTL(ask, timeToLive)
  const identities: Identities = {
    isFixed: false,
    current,
    renew: (rejected) =>
      Ref.modify(accepted, (known) => (known === rejected ? [forget, undefined] : [Effect.void, known])).pipe(
        Effect.flatten,
        Effect.as(true),
      ),
  }
  return identities
})

export const makeIdentity = (
  credentials: Credentials,
): Result.Result<Identity, InvalidConfiguration<IdentitySetting>> => {
  const { partnerId, secretKey } = credentials
  if (typeof partnerId !== "string") return reject("partnerId", "it must be a text")
  if (!Redacted.isRedacted(secretKey)) return reject("secretKey", "it must be a text")
  const value = valueOf(secretKey)
  if (value === undefined) return reject("secretKey", "another copy of effect made it. Install effect only once")
  if (typeof value !== "string") return reject("secretKey", "it must be a text")
  const basic = { partner_id: partnerId, secret_key: secretKey }
  return Result.mapBoth(BasicCredentials.make(basic), {
    onSuccess: () => {
      const authorization = BasicCredentials.toHeader(basic)
      const pair = authorization.slice("Basic ".length)
      // Headers are read in Latin-1, and the key is sent in UTF-8.
      const read = atob(pair)
      // The last is what UTF-16 of either byte order has in common.
      const secrets = [pair, value, read.slice(read.indexOf(":") + 1), [...value].join("\0")]
      const scrub = SecretText.redacting(secrets)
      const scrubUrl = SecretText.redacting([...secrets, ...secrets.map((secret) => secret.toLowerCase())])
      return { partnerId, authorization: Redacted.make(authorization), scrub, scrubUrl }
    },
    onFailure: ({ field, reason }) =>
      new InvalidConfiguration<IdentitySetting>({
        setting: field === "partner_id" ? "partnerId" : "secretKey",
        reason: `it ${reason}`,
      }),
  })
}

/** A copy of Effect knows only the secrets that it redacted itself. */
const valueOf = (secret: Redacted.Redacted<unknown>): unknown => {
  try {
    return Redacted.value(secret) ?? null
  } catch {
    return undefined
  }
}

const reject = (
  setting: IdentitySetting,
  reason: string,
): Result.Result<never, InvalidConfiguration<IdentitySetting>> =>
  Result.fail(new InvalidConfiguration({ setting, reason }))
