/** How long a refresh of expired capabilities may take, in virtual time. */
import { it } from "@effect/vitest"
import * as Capabilities from "@transferkit/domain/Capabilities"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Deadline } from "../src/Deadline.ts"
import * as CapabilitiesCache from "../src/service/CapabilitiesCache.ts"
import { Settings } from "../src/Settings.ts"
import { capabilitiesText } from "./service.ts"

const capabilities = Result.getOrThrow(Capabilities.fromJson(capabilitiesText))

/** Responds once, and then never again. */
const silentAfterOne = Layer.sync(TransferApi, () => {
  let requests = 0
  return {
    origin: Effect.succeed(undefined),
    capabilities: Effect.suspend(() => (++requests === 1 ? Effect.succeed(capabilities) : Effect.never)),
    search: () => Effect.never,
  }
})

const cache = (variables: Readonly<Record<string, string>>) =>
  CapabilitiesCache.layer.pipe(
    Layer.provide(silentAfterOne),
    Layer.provide(Settings.layer),
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromEnvRecord({
          TRANSFERS_BASE_URL: "https://example.com",
          TRANSFERS_PARTNER_ID: "partner",
          TRANSFERS_SECRET_KEY: "key",
          TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
          ...variables,
        }),
      ),
    ),
  )

it.effect.each([
  ["all but 100 ms, which the verdict takes", 5000, {}, 4900],
  ["half of a short time", 150, {}, 75],
  ["all but the time of the duplicate check, if there is one", 5000, { TRANSFERS_DUPLICATE_CHECK: "required" }, 2900],
  ["half if the duplicate check may take longer", 3000, { TRANSFERS_DUPLICATE_CHECK: "best-effort" }, 1500],
] as const)("a refresh takes %s of the time that is left", ([, left, variables, expected]) =>
  Effect.gen(function* () {
    const { current } = yield* CapabilitiesCache.CapabilitiesCache
    yield* current
    yield* TestClock.adjust("6 minutes")
    const began = yield* Clock.currentTimeMillis
    const refresh = Effect.andThen(current, Clock.currentTimeMillis)
    const fiber = yield* Effect.forkChild(Effect.provideService(refresh, Deadline, began + left))
    yield* TestClock.adjust(expected - 1)
    expect(fiber.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust("1 minute")
    expect((yield* Fiber.join(fiber)) - began).toBe(expected)
  }).pipe(Effect.provide(cache(variables))),
)
