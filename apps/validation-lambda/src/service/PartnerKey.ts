/** The partner's secret key: read once, and again when the service no longer accepts it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
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
    readonly after: (rejected: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, KeyUnavailable | undefined>
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
  const state = yield* Ref.make<Known>({ key: undefined, readAt: -Infinity })
  // Held while the key is read, so that invocations side by side read it once.
  const single = yield* Semaphore.make(1)

  const read = Effect.gen(function* () {
    const { key } = yield* Ref.get(state)
    // A read that fails counts too.
    yield* Ref.set(state, { key, readAt: yield* Clock.currentTimeMillis })
    const found = yield* Effect.mapError(
      Secret.read(source, "secret_key"),
      ({ reason }) => new KeyUnavailable({ reason }),
    )
    yield* Ref.update(state, ({ readAt }) => ({ key: found, readAt }))
    return found
  })

  const known = Effect.flatMap(Ref.get(state), ({ key }) => (key === undefined ? read : Effect.succeed(key)))
  const current = Effect.flatMap(Ref.get(state), ({ key }) =>
    key === undefined ? single.withPermit(known) : Effect.succeed(key),
  )

  const after = (rejected: Redacted.Redacted) =>
    single.withPermit(
      Effect.gen(function* () {
        const isOld = (key: Redacted.Redacted) => Redacted.value(key) === Redacted.value(rejected)
        const { key, readAt } = yield* Ref.get(state)
        if (key !== undefined && !isOld(key)) return key
        if (yield* Age.isBelow(readAt, pause)) return yield* Effect.fail(undefined)
        const next = yield* read
        return isOld(next) ? yield* Effect.fail(undefined) : next
      }),
    )

  return PartnerKey.of({ current, after })
})

/** The key from the source that the settings name. */
export const layer: Layer.Layer<PartnerKey, never, Settings> = Layer.effect(PartnerKey, make)
