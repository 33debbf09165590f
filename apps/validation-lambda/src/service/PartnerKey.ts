/** The partner's secret key: read once, and again when the service no longer accepts it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../Settings.ts"
import * as Secret from "./Secret.ts"

/** The key cannot be read. */
export class KeyUnavailable extends Data.TaggedError("KeyUnavailable")<{ readonly reason: string }> {
  override get message(): string {
    return `The partner's secret key cannot be read: ${this.reason}. Check the secret's name, its content and the function's role.`
  }
}

export class PartnerKey extends Context.Service<
  PartnerKey,
  {
    /** The key, read on first use. */
    readonly current: Effect.Effect<Redacted.Redacted, KeyUnavailable>
    /** The key that has replaced a rejected one. Fails with `undefined` if there is none. */
    readonly after: (rejected: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, KeyUnavailable | undefined>
  }
>()("@transferkit/validation-lambda/PartnerKey") {}

/** Between two reads of the key, in milliseconds: a wrong one must not cost a call of AWS for each invocation. */
const pause = 10_000

const make = Effect.gen(function* () {
  const { key: source } = yield* Settings
  const single = yield* Semaphore.make(1)
  let known: Redacted.Redacted | undefined
  let readAt = -Infinity

  const fetch = Effect.gen(function* () {
    readAt = yield* Clock.currentTimeMillis
    known = yield* Effect.mapError(Secret.read(source, "secret_key"), ({ reason }) => new KeyUnavailable({ reason }))
    return known
  })

  return PartnerKey.of({
    current: Effect.suspend(() =>
      known === undefined
        ? single.withPermit(Effect.suspend(() => (known === undefined ? fetch : Effect.succeed(known))))
        : Effect.succeed(known),
    ),
    after: (rejected) =>
      single.withPermit(
        Effect.gen(function* () {
          const isOld = (key: Redacted.Redacted) => Redacted.value(key) === Redacted.value(rejected)
          if (known !== undefined && !isOld(known)) return known
          if ((yield* Clock.currentTimeMillis) - readAt < pause) return yield* Effect.fail(undefined)
          const key = yield* fetch
          return isOld(key) ? yield* Effect.fail(undefined) : key
        }),
      ),
  })
})

/** The key from the source that the settings name. */
export const layer: Layer.Layer<PartnerKey, never, Settings> = Layer.effect(PartnerKey, make)
