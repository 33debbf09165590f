/** The handler as Lambda sees it, over a service at a URL. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Handler from "../src/Handler.ts"
import * as Settings from "../src/Settings.ts"

/** A handler under test. */
export interface Lambda {
  readonly invoke: (event: unknown, remainingMillis?: number) => Promise<unknown>
  readonly handler: Handler.Handler
  /** Moves its clock on, in milliseconds. Timers go on by the system's. */
  readonly advance: (millis: number) => void
  /** The entries of its log. */
  readonly log: ReadonlyArray<{ readonly [field: string]: unknown }>
}

/** A handler with these settings on top of those that it needs. */
export const makeLambda = (baseUrl: string, environment: Settings.Environment = {}): Lambda => {
  const settings = Result.getOrThrow(
    Settings.parse({
      TRANSFERS_BASE_URL: baseUrl,
      TRANSFERS_PARTNER_ID: "partner",
      TRANSFERS_SECRET_KEY: "key",
      ...environment,
    }),
  )
  const system = Effect.runSync(Effect.service(Clock.Clock))
  let shift = 0
  const now = () => system.currentTimeMillisUnsafe() + shift
  const log: Array<{ readonly [field: string]: unknown }> = []
  const handler = Handler.make({
    settings,
    patience: { retry: { retries: 0 } },
    clock: Object.create(system, {
      currentTimeMillisUnsafe: { value: now },
      currentTimeMillis: { value: Effect.sync(now) },
    }),
    write: (line) => log.push(JSON.parse(line)),
  })
  let count = 0
  return {
    invoke: (event, remainingMillis = 5000) =>
      handler(event, { awsRequestId: `invocation-${(count += 1)}`, getRemainingTimeInMillis: () => remainingMillis }),
    handler,
    advance: (millis) => {
      shift += millis
    },
    log,
  }
}
