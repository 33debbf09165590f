/**
 * The service's capabilities, kept between invocations: requested once while they are fresh, however many invocations
 * wait for them, and used beyond that only if the policy says so.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { timeLeft } from "../Deadline.ts"
import { Settings } from "../Settings.ts"

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
    return `The capabilities ${this.hash.slice(0, 80)} are not at hand. Those in force are ${this.current}.`
  }
}

export class CapabilitiesCache extends Context.Service<
  CapabilitiesCache,
  {
    /** The capabilities to validate by now. */
    readonly current: Effect.Effect<Current, TransferApiError>
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
  const { capabilitiesTimeToLive, capabilitiesPolicy: policy, duplicateCheck } = yield* Settings
  let last: Snapshot | undefined
  let retryAt = 0

  const fetch = Effect.gen(function* () {
    const capabilities = yield* api.capabilities
    const fetchedAt = yield* Clock.currentTimeMillis
    retryAt = 0
    return (last = { capabilities, hash: hashOf(capabilities), fetchedAt })
  })

  const fresh = yield* Cache.makeWith<"capabilities", Snapshot, TransferApiError>(() => fetch, {
    capacity: 1,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? capabilitiesTimeToLive : Duration.zero),
  })
  const current = Effect.flatMap(Cache.get(fresh, "capabilities"), (snapshot) => use(snapshot, false))
  if (policy._tag === "fail-closed") return { current }

  const maxAge = Duration.toMillis(policy.maxAge)
  const verdict = verdictMillis + (duplicateCheck.mode === "off" ? 0 : Duration.toMillis(duplicateCheck.timeout))
  const staleIfError = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const expired = last
    if (expired === undefined || now - expired.fetchedAt >= maxAge) return yield* current
    if (now < retryAt) return yield* use(expired, true)
    const useExpired = Effect.fnUntraced(function* (error: string) {
      retryAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.retryAfter)
      yield* Effect.logWarning("capabilities not refreshed, using expired ones").pipe(
        Effect.annotateLogs({ error, hash: expired.hash }),
      )
      return yield* use(expired, true)
    })
    const left = yield* timeLeft
    return yield* current.pipe(
      Effect.catch((error) => useExpired(error._tag)),
      Effect.timeoutOrElse({ duration: Math.max(left / 2, left - verdict), orElse: () => useExpired("OutOfTime") }),
    )
  })
  return { current: staleIfError }
})

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
  // Loaded on first use: a client over TLS has loaded it by then.
  `sha256:${process.getBuiltinModule("node:crypto").hash("sha256", Capabilities.canonical(capabilities))}`
