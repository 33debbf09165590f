/** Counts the requests of a command for the progress display. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import { isRejection } from "@transferkit/domain/TransferApiError"
import { HttpTransport } from "@transferkit/http-client/HttpTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Counts since the command started. */
export interface Counts {
  /** Calls of the service, each counted once however often it was retried. */
  calls: number
  /** Requests sent; `requests - calls` of them were retries. */
  requests: number
  inFlight: number
  /** Cursors that the service rejected. What they led to is read again. */
  rejectedCursors: number
}

/** The counts of this run. They stay zero if nothing counts. */
export const Traffic = Context.Reference<Counts>("@transferkit/cli/Traffic", {
  defaultValue: () => ({ calls: 0, requests: 0, inFlight: 0, rejectedCursors: 0 }),
})

/** Counts the requests of a transport. */
export const countRequests: Layer.Layer<HttpTransport, never, HttpTransport> = Layer.effect(
  HttpTransport,
  Effect.gen(function* () {
    const transport = yield* HttpTransport
    const counts = yield* Traffic
    return {
      get: (request) =>
        Effect.suspend(() => {
          counts.requests++
          counts.inFlight++
          return Effect.ensuring(
            transport.get(request),
            Effect.sync(() => counts.inFlight--),
          )
        }),
    }
  }),
)

/** Counts the calls of a service. */
export const countCalls: Layer.Layer<TransferApi, never, TransferApi> = Layer.effect(
  TransferApi,
  Effect.gen(function* () {
    const api = yield* TransferApi
    const counts = yield* Traffic
    return {
      origin: api.origin,
      capabilities: api.capabilities,
      search: (request) =>
        Effect.suspend(() => {
          counts.calls++
          return Effect.tapError(api.search(request), (error) =>
            Effect.sync(() => {
              if (request.after_cursor !== undefined && isRejection(error)) counts.rejectedCursors++
            }),
          )
        }),
    }
  }),
)
