/** What one call learns about the load of the service holds for all calls of the client. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect, test } from "vitest"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const using = <A, E>(
  url: string,
  use: (api: TransferApi["Service"]) => Effect.Effect<A, E>,
  options: HttpTransferApi.HttpTransferApiOptions = {},
) =>
  TransferApi.use(use).pipe(
    Effect.provide(
      HttpTransferApi.layer({ baseUrl: url, partnerId: "p", secretKey: Redacted.make("s"), ...options }).pipe(
        Layer.provide(NodeTransport.layer),
      ),
    ),
  )

/** A call, and two more after it received a 429. */
const three = (url: string, retry: HttpTransferApi.HttpTransferApiOptions["retry"] = {}) => {
  const told = Promise.withResolvers<void>()
  return using(
    url,
    (api) => {
      const others = Effect.all([api.search({}), Effect.exit(api.capabilities)])
      return Effect.all(
        [
          api.search({}),
          Effect.andThen(
            Effect.promise(() => told.promise),
            others,
          ),
        ],
        {
          concurrency: "unbounded",
        },
      )
    },
    { retry, onRetry: () => Effect.sync(told.resolve) },
  )
}

/** A 429 first, then pages; `arrivals` are in milliseconds after the first request. */
const limiting = async (retryAfter: string) => {
  const arrivals: Array<number> = []
  const note: Service.Responder = (_, response, number) => {
    arrivals.push(performance.now())
    if (number === 1) response.writeHead(429, { "retry-after": retryAfter }).end()
    else response.writeHead(200, { "content-type": "application/json" }).end(Service.emptyPage)
  }
  const service = await Service.start(note)
  return { service, sinceFirst: () => arrivals.slice(1).map((at) => at - (arrivals[0] ?? 0)) }
}

test("pauses all calls for the Retry-After of a 429, not only the one that received it", async () => {
  const { service, sinceFirst } = await limiting("1")
  await using _ = service
  await Effect.runPromise(three(service.url))
  expect(sinceFirst()).toHaveLength(3)
  // Timers and the clocks of two processes may be a few milliseconds apart.
  for (const after of sinceFirst()) expect(after).toBeGreaterThan(950)
})

test("pauses no longer than maxRetryAfter", async () => {
  const { service, sinceFirst } = await limiting("3600")
  await using _ = service
  await Effect.runPromise(three(service.url, { baseDelay: 0, maxRetryAfter: 200 }))
  expect(sinceFirst()).toHaveLength(3)
  // An hour was asked for.
  for (const after of sinceFirst()) expect(after).toBeLessThan(120_000)
})

test("fails at once, and sends nothing, if the pause would outlast the deadline", async () => {
  const { service, sinceFirst } = await limiting("30")
  await using _ = service
  const errors = await Effect.runPromise(
    using(service.url, (api) => Effect.all([Effect.flip(api.search({})), Effect.flip(api.search({}))]), {
      deadline: 20_000,
    }),
  )
  expect(errors).toMatchObject([{ _tag: "RateLimited" }, { _tag: "RateLimited" }])
  expect(sinceFirst()).toEqual([])
})

test("a pause ends by the wall clock where the monotonic one stood still, as in a frozen process", async () => {
  const { service, sinceFirst } = await limiting("30")
  await using _ = service
  const real = Effect.runSync(Clock.Clock)
  let wall = Date.now()
  const frozen: Clock.Clock = Object.create(real, {
    currentTimeMillisUnsafe: { value: () => wall },
    currentTimeMillis: { value: Effect.sync(() => wall) },
  })
  const calls = using(
    service.url,
    (api) =>
      Effect.gen(function* () {
        const first = yield* Effect.flip(api.search({}))
        wall += 29_000
        const second = yield* Effect.flip(api.search({}))
        wall += 1000
        return [first, second, yield* api.search({})]
      }),
    // Less than what is left of the pause after 29 seconds.
    { deadline: 900 },
  )
  expect(await Effect.runPromise(Effect.provideService(calls, Clock.Clock, frozen))).toMatchObject([
    { _tag: "RateLimited" },
    { _tag: "RateLimited", retryAfter: Duration.seconds(1) },
    { results: [] },
  ])
  expect(sinceFirst()).toHaveLength(1)
})

test("does not pause a client without retries: its program decides", async () => {
  const { service } = await limiting("30")
  await using _ = service
  const outcome = using(service.url, (api) => Effect.andThen(Effect.flip(api.search({})), api.search({})), {
    retry: { retries: 0 },
  })
  expect((await Effect.runPromise(outcome)).results).toEqual([])
})

test("the deadline does not move with the wall clock", async () => {
  await using service = await Service.start(Service.respond(503, ""), Service.respond(200, Service.emptyPage))
  const real = Effect.runSync(Clock.Clock)
  let jumps = 0
  // Each look at this clock finds it an hour later.
  const wall = () => Date.now() + 3_600_000 * jumps++
  const jumping: Clock.Clock = {
    currentTimeMillisUnsafe: wall,
    currentTimeMillis: Effect.sync(wall),
    currentTimeNanosUnsafe: () => BigInt(wall()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(wall()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration),
  }
  const call = using(service.url, (api) => api.search({}), { retry: { baseDelay: 1 } })
  const page = await Effect.runPromise(Effect.provideService(call, Clock.Clock, jumping))
  expect(page.results).toEqual([])
  expect(jumps).toBeGreaterThan(1)
})

test("asks a shared rate before each attempt, and tells it the Retry-After of a 429", async () => {
  const { service, sinceFirst } = await limiting("1")
  await using _ = service
  const told: Array<number> = []
  let permits = 0
  const rate: HttpTransferApi.SharedRate = {
    permit: Effect.sync(() => void permits++),
    pause: (milliseconds) => Effect.sync(() => void told.push(milliseconds)),
  }
  const shared = HttpTransferApi.withCallSettings({ rate })
  await Effect.runPromise(using(service.url, (api) => shared(Effect.andThen(api.search({}), api.search({})))))
  expect(sinceFirst()).toHaveLength(2)
  expect([permits, told]).toEqual([3, [1000]])
})
