/** The handler as Lambda sees it, over a service at a URL. */
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Handler from "../src/Handler.ts"
import * as Settings from "../src/Settings.ts"

/** A handler under test. */
export interface Lambda {
  readonly invoke: (event: unknown, remainingMillis?: number) => Promise<unknown>
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
  const log: Array<{ readonly [field: string]: unknown }> = []
  const handler = Handler.make({
    settings,
    transferApi: HttpTransferApi.layer({
      baseUrl,
      partnerId: settings.partnerId,
      secretKey: settings.secret._tag === "Value" ? settings.secret.secretKey : Redacted.make(""),
      retry: { retries: 0 },
    }).pipe(Layer.provide(NodeTransport.layer)),
    write: (line) => log.push(JSON.parse(line)),
  })
  let count = 0
  return {
    invoke: (event, remainingMillis = 5000) =>
      handler(event, { awsRequestId: `invocation-${(count += 1)}`, getRemainingTimeInMillis: () => remainingMillis }),
    log,
  }
}
