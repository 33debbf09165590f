/** The handler as Lambda calls it, over a service at a URL. */
import type { HttpTransferApiOptions } from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handler from "../src/Handler.ts"
import * as Log from "../src/Log.ts"
import { Patience } from "../src/service/RotatingTransferApi.ts"
import * as Wiring from "../src/Wiring.ts"

/** A handler under test. */
export interface Lambda {
  readonly invoke: (event: unknown, remainingMillis?: number) => Promise<unknown>
  readonly handler: Handler.Handler
  /**
   * Advances its clock, in milliseconds. It stands still otherwise, however long a busy machine takes, except during an
   * invocation that is given its time. Timers run by the system's.
   */
  readonly advance: (millis: number) => void
  /** The entries of its log. */
  readonly log: ReadonlyArray<{ readonly [field: string]: unknown }>
}

/** A handler with these variables besides those that it needs. It retries no call, unless it is given patience. */
export const makeLambda = (
  baseUrl: string,
  variables: Readonly<Record<string, string>> = {},
  patience: HttpTransferApiOptions = { retry: { retries: 0 } },
): Lambda => {
  const environment = { TRANSFERS_BASE_URL: baseUrl, TRANSFERS_PARTNER_ID: "partner", TRANSFERS_SECRET_KEY: "key" }
  const system = Effect.runSync(Effect.service(Clock.Clock))
  let time = system.currentTimeMillisUnsafe()
  let limitedSince: number | undefined
  let limited = 0
  const now = () => time + (limitedSince === undefined ? 0 : system.currentTimeMillisUnsafe() - limitedSince)
  const log: Array<{ readonly [field: string]: unknown }> = []
  const platform = Layer.mergeAll(
    NodeTransport.layer,
    ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...environment, ...variables })),
    Log.layer((line) => log.push(JSON.parse(line))),
    Layer.succeed(Patience, patience),
    Layer.succeed(
      Clock.Clock,
      Object.create(system, {
        currentTimeMillisUnsafe: { value: now },
        currentTimeMillis: { value: Effect.sync(now) },
      }),
    ),
  )
  const handler = Handler.make(Layer.provideMerge(Wiring.services, platform))
  let count = 0
  return {
    invoke: async (event, remainingMillis) => {
      const context = {
        awsRequestId: `invocation-${(count += 1)}`,
        getRemainingTimeInMillis: () => remainingMillis ?? 60_000,
      }
      if (remainingMillis === undefined) return handler(event, context)
      limited += 1
      limitedSince ??= system.currentTimeMillisUnsafe()
      try {
        return await handler(event, context)
      } finally {
        limited -= 1
        if (limited === 0) {
          time = now()
          limitedSince = undefined
        }
      }
    },
    handler,
    advance: (millis) => {
      time += millis
    },
    log,
  }
}
