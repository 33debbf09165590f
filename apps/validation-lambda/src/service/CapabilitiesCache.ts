/**
 * The service's capabilities, kept between invocations: requested once while they are fresh, however many invocations
 * wait for them, and used beyond that only if the policy says so.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Age from "../Age.ts"
import { Deadline, timeLeft } from "../Deadline.ts"
import { type Bucket, Settings } from "../Settings.ts"
import type { CapabilitiesStoreFailed } from "./CapabilitiesStore.ts"

/** Capabilities as they were at a moment. */
export interface Snapshot {
  readonly capabilities: Capabilities.Capabilities
  /** `sha256:` and the digest of the canonical capabilities. */
  readonly hash: string
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** A snapshot in use. */
export interface Current extends Snapshot {
  /** Whole seconds since the service sent them. */
  readonly age_seconds: number
  /** Expired, and used because the service failed. */
  readonly stale: boolean
}

/** The capabilities that a verdict rests on: with a copy of them it can be reproduced. */
export interface CapabilitiesUsed {
  readonly hash: string
  readonly age_seconds: number
  /** Present if the capabilities have expired and the service failed. */
  readonly stale?: true
}

/** The function does not have the capabilities with this hash, because it has not used them or has newer ones. */
export class UnknownCapabilities extends Data.TaggedError("UnknownCapabilities")<{
  readonly hash: string
  readonly current: string
}> {
  override get message(): string {
    // A hash as a whole, and of another text what is repeated of any value.
    const hash = this.hash.slice(0, isHash.test(this.hash) ? undefined : 64)
    return `The capabilities ${hash} are not at hand. Those in force are ${this.current}.`
  }
}

export class CapabilitiesCache extends Context.Service<
  CapabilitiesCache,
  {
    /** The capabilities to validate by now. */
    readonly current: Effect.Effect<Current, TransferApiError>
    /** The capabilities with a hash, if they are in force or in the bucket. */
    readonly withHash: (
      hash: string,
    ) => Effect.Effect<unknown, TransferApiError | UnknownCapabilities | CapabilitiesStoreFailed>
  }
>()("@transferkit/validation-lambda/CapabilitiesCache") {}

/** The capabilities in use, as a response and the log show them. */
export const used = (snapshot: Current): CapabilitiesUsed => ({
  hash: snapshot.hash,
  age_seconds: snapshot.age_seconds,
  ...(snapshot.stale ? { stale: true } : {}),
})

/** What a verdict takes besides look-ups, in milliseconds: a refresh leaves that much of the time. */
const verdictMillis = 100

const make = Effect.gen(function* () {
  const api = yield* TransferApi
  const settings = yield* Settings
  const { capabilitiesTimeToLive, capabilitiesPolicy: policy, capabilitiesBucket: bucket, duplicateCheck } = settings
  const last = yield* Ref.make<Snapshot | undefined>(undefined)

  const fetch = Effect.gen(function* () {
    const capabilities = yield* api.capabilities
    const fetchedAt = yield* Clock.currentTimeMillis
    const snapshot: Snapshot = { capabilities, hash: hashOf(capabilities), fetchedAt }
    yield* Ref.set(last, snapshot)
    return snapshot
  })

  // It only keeps invocations side by side from requesting them twice; whether they are fresh is judged here.
  const [requested, forget] = yield* Effect.cachedInvalidateWithTTL(fetch, (exit) =>
    Exit.isSuccess(exit) ? Duration.infinity : Duration.zero,
  )
  const timeToLive = Duration.toMillis(capabilitiesTimeToLive)
  const current = Effect.gen(function* () {
    const known = yield* Ref.get(last)
    if (known !== undefined && !(yield* Age.isBelow(known.fetchedAt, timeToLive))) yield* forget
    return yield* use(yield* requested, false)
  })
  if (policy._tag === "fail-closed") return yield* withBucket(current, bucket)

  const failedAt = yield* Ref.make(-Infinity)
  const maxAge = Duration.toMillis(policy.maxAge)
  const retryAfter = Duration.toMillis(policy.retryAfter)
  const verdict = verdictMillis + (duplicateCheck.mode === "off" ? 0 : Duration.toMillis(duplicateCheck.timeout))
  const staleIfError = Effect.gen(function* () {
    const expired = yield* Ref.get(last)
    if (expired === undefined || !(yield* Age.isBelow(expired.fetchedAt, maxAge))) return yield* current
    if (yield* Age.isBelow(yield* Ref.get(failedAt), retryAfter)) return yield* use(expired, true)
    const useExpired = Effect.fnUntraced(function* (error: string) {
      yield* Ref.set(failedAt, yield* Clock.currentTimeMillis)
      yield* Effect.logWarning("capabilities not refreshed, using expired ones").pipe(
        Effect.annotateLogs({ error, hash: expired.hash }),
      )
      return yield* use(expired, true)
    })
    const left = yield* timeLeft
    const duration = Math.max(left / 2, left - verdict)
    return yield* current.pipe(
      Effect.provideService(Deadline, (yield* Clock.currentTimeMillis) + duration),
      Effect.catch((error) => useExpired(error._tag)),
      Effect.timeoutOrElse({ duration, orElse: () => useExpired("OutOfTime") }),
    )
  })
  return yield* withBucket(staleIfError, bucket)
})

/** The longest that a verdict waits for the bucket, in milliseconds. */
const storeMillis = 1000

/** Copies the capabilities to the bucket, if there is one, when they change. A verdict does not depend on the bucket. */
const withBucket = Effect.fnUntraced(function* (
  current: CapabilitiesCache["Service"]["current"],
  bucket: Bucket | undefined,
) {
  const store = Effect.promise(() => import("./CapabilitiesStore.ts"))
  const stored = yield* Ref.make<string | undefined>(undefined)
  const triedAt = yield* Ref.make<number | undefined>(undefined)
  const copy = Effect.fnUntraced(function* (bucket: Bucket, { capabilities, hash, fetchedAt }: Current) {
    if ((yield* Ref.get(stored)) === hash || (yield* Ref.getAndSet(triedAt, fetchedAt)) === fetchedAt) return
    const { put } = yield* store
    const duration = Math.min(storeMillis, (yield* timeLeft) / 4)
    const reason = yield* put(bucket, hash, Capabilities.canonical(capabilities)).pipe(
      Effect.match({ onSuccess: () => undefined, onFailure: (error) => error.reason }),
      Effect.timeoutOrElse({ duration, orElse: () => Effect.succeed("it took too long") }),
    )
    if (reason === undefined) yield* Ref.set(stored, hash)
    else yield* Effect.logWarning("capabilities not stored").pipe(Effect.annotateLogs({ hash, reason }))
  })
  const cache: CapabilitiesCache["Service"] = {
    current: bucket === undefined ? current : Effect.tap(current, (snapshot) => copy(bucket, snapshot)),
    withHash: Effect.fnUntraced(function* (hash) {
      const snapshot = yield* Effect.result(current)
      if (Result.isSuccess(snapshot) && snapshot.success.hash === hash) return snapshot.success.capabilities
      const found = bucket === undefined || !isHash.test(hash) ? undefined : yield* (yield* store).get(bucket, hash)
      if (found !== undefined) return found
      return yield* new UnknownCapabilities({ hash, current: (yield* Effect.fromResult(snapshot)).hash })
    }),
  }
  return cache
})

/** Whether a text has the form of a hash. */
export const isHash = /^sha256:[0-9a-f]{64}$/

/** A cache that is empty at first. */
export const layer: Layer.Layer<CapabilitiesCache, never, TransferApi | Settings> = Layer.effect(
  CapabilitiesCache,
  make,
)

const use = (snapshot: Snapshot, stale: boolean): Effect.Effect<Current> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    ...snapshot,
    age_seconds: Math.max(0, Math.floor((now - snapshot.fetchedAt) / 1000)),
    stale,
  }))

const hashOf = (capabilities: Capabilities.Capabilities): string =>
  // Not an `import`, which adds 0.8 times the instructions of an empty handler to the function's start.
  `sha256:${process.getBuiltinModule("node:crypto").hash("sha256", Capabilities.canonical(capabilities))}`
