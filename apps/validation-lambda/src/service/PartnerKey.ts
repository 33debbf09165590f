/** The partner's secret key: read once, and again when the service no longer accepts it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as Age from "../Age.ts"
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
    readonly after: (rejected: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, undefined>
  }
>()("@transferkit/validation-lambda/PartnerKey") {}

/** Between two reads of the key, in milliseconds: a wrong one must not cost a call of AWS for each invocation. */
const pause = 10_000

/** What is known of the key. */
interface Known {
  readonly key: Redacted.Redacted | undefined
  readonly readAt: number
}

const make = Effect.gen(function* () {
  const { key: source } = yield* Settings
  // Whoever changes it holds it, so that invocations side by side read the key once.
  const state = yield* SynchronizedRef.make<Known>({ key: undefined, readAt: -Infinity })

  const read = Effect.mapError(Secret.read(source, "secret_key"), ({ reason }) => new KeyUnavailable({ reason }))

  const current = SynchronizedRef.modifyEffect(state, (known) =>
    known.key === undefined
      ? Effect.zipWith(Clock.currentTimeMillis, read, (readAt, key) => [key, { key, readAt }] as const)
      : Effect.succeed([known.key, known] as const),
  )

  const after = (rejected: Redacted.Redacted) =>
    Effect.gen(function* () {
      const isOld = (key: Redacted.Redacted) => Redacted.value(key) === Redacted.value(rejected)
      const readAt = yield* Clock.currentTimeMillis
      const next = yield* SynchronizedRef.updateAndGetEffect(state, (known) => {
        const isReplaced = known.key !== undefined && !isOld(known.key)
        if (isReplaced || Age.of(known.readAt, readAt) < pause) return Effect.succeed(known)
        // A read that fails counts too.
        return Effect.map(Effect.result(read), (found) => ({ key: Result.getOrElse(found, () => known.key), readAt }))
      })
      return next.key === undefined || isOld(next.key) ? yield* Effect.fail(undefined) : next.key
    })

  return PartnerKey.of({ current, after })
})

/** The key from the source that the settings name. */
export const layer: Layer.Layer<PartnerKey, never, Settings> = Layer.effect(PartnerKey, make)
