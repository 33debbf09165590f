/**
 * The service's capabilities, kept between invocations: asked for once while they are fresh, by one request however
 * many ask at a time, and used on past that only where the policy says so.
 */
import type * as Capabilities from "@transferkit/domain/Capabilities"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Capabilities as they were at a moment. */
export interface Snapshot {
  readonly capabilities: Capabilities.Capabilities
  /** `sha256:` and the digest of the capabilities as JSON with sorted keys. */
  readonly hash: string
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** A snapshot in use. */
export interface Current extends Snapshot {
  /** Whole seconds since the service gave them. */
  readonly age_seconds: number
  /** Past their time, and used because the service failed. */
  readonly stale: boolean
}

/** Which capabilities a verdict rests on: with a copy of them it can be given again. */
export interface CapabilitiesUsed {
  readonly hash: string
  readonly age_seconds: number
  /** There where the service failed and these are past their time. */
  readonly stale?: true
}

/** What to do when the capabilities are past their time and the service fails. */
export type Policy =
  /** No verdict without fresh capabilities. */
  | { readonly _tag: "fail-closed" }
  /** Verdicts by the old ones, until they are `maxAge` old. The service is asked again after `retryAfter`. */
  | { readonly _tag: "stale-if-error"; readonly maxAge: Duration.Duration; readonly retryAfter: Duration.Duration }

/** How long capabilities are fresh, and what happens then. */
export interface CapabilitiesCacheOptions {
  readonly timeToLive: Duration.Duration
  readonly policy: Policy
}

export class CapabilitiesCache extends Context.Service<
  CapabilitiesCache,
  {
    /** The capabilities to judge by now. */
    readonly current: Effect.Effect<Current, TransferApiError>
  }
>()("@transferkit/validation-lambda/CapabilitiesCache") {}

/** The hash of capabilities: the same for the same content, in whichever order the service lists its keys. */
export const hashOf = (capabilities: Capabilities.Capabilities): string =>
  // Loaded here rather than at the start: a client over TLS has loaded it by now, and no other needs it sooner.
  `sha256:${process.getBuiltinModule("node:crypto").hash("sha256", canonical(capabilities))}`

/** Which capabilities these are. */
export const used = (snapshot: Current): CapabilitiesUsed => ({
  hash: snapshot.hash,
  age_seconds: snapshot.age_seconds,
  ...(snapshot.stale ? { stale: true } : {}),
})

const canonical = (capabilities: Capabilities.Capabilities): string =>
  JSON.stringify(capabilities, (_key, value: unknown) => sorted(value))

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** A request under way, and how many wait for it. */
interface Flight {
  readonly fiber: Fiber.Fiber<Snapshot, TransferApiError>
  waiting: number
}

/** A cache that is empty at first. */
export const make = Effect.fnUntraced(function* (
  { timeToLive, policy }: CapabilitiesCacheOptions,
  api: TransferApi["Service"],
) {
  const runFork = Effect.runForkWith(yield* Effect.context())
  const freshFor = Duration.toMillis(timeToLive)
  let kept: Snapshot | undefined
  let flight: Flight | undefined
  let askAgainAt = 0

  const fetch = Effect.gen(function* () {
    const capabilities = yield* api.capabilities
    const fetchedAt = yield* Clock.currentTimeMillis
    kept = { capabilities, hash: hashOf(capabilities), fetchedAt }
    return kept
  })

  const join = Effect.sync(() => {
    flight ??= { fiber: runFork(fetch), waiting: 0 }
    flight.waiting += 1
    return flight
  })

  // The last one who stops waiting ends the request: nothing of an invocation runs on into the next one.
  const leave = (joined: Flight) =>
    Effect.suspend(() => {
      joined.waiting -= 1
      if (joined.waiting > 0) return Effect.void
      if (flight === joined) flight = undefined
      return Fiber.interrupt(joined.fiber)
    })

  const refresh = Effect.acquireUseRelease(join, ({ fiber }) => Fiber.join(fiber), leave)

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const known = kept
    if (known !== undefined && now - known.fetchedAt < freshFor) return use(known, now, false)
    if (
      known === undefined ||
      policy._tag === "fail-closed" ||
      now - known.fetchedAt >= Duration.toMillis(policy.maxAge)
    ) {
      return use(yield* refresh, yield* Clock.currentTimeMillis, false)
    }
    if (now < askAgainAt) return use(known, now, true)
    return yield* refresh.pipe(
      Effect.map((snapshot) => use(snapshot, snapshot.fetchedAt, false)),
      Effect.catch((error) =>
        Effect.gen(function* () {
          const later = yield* Clock.currentTimeMillis
          askAgainAt = later + Duration.toMillis(policy.retryAfter)
          yield* Effect.logWarning("capabilities not refreshed; judging by the old ones").pipe(
            Effect.annotateLogs({ error: error._tag, hash: known.hash }),
          )
          return use(known, later, true)
        }),
      ),
    )
  })

  return { current }
})

const use = (snapshot: Snapshot, now: number, stale: boolean): Current => ({
  ...snapshot,
  age_seconds: Math.max(0, Math.floor((now - snapshot.fetchedAt) / 1000)),
  stale,
})
