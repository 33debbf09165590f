/** {@link HttpTransport} by `fetch`: for browsers, workers and every runtime that has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  BodyTooLarge,
  type HttpAnswer,
  type HttpRequest,
  HttpTransport,
  type TransportError,
  TransportFailed,
  TransportTimedOut,
} from "./HttpTransport.ts"
import { readBounded } from "./internal/transport/boundedBody.ts"
import { failureReason } from "./internal/transport/failureReason.ts"
import { startTimer } from "./internal/transport/timer.ts"

/** What is used of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A transport over the given function, or the runtime's own. */
export const layer = (fetch?: Fetch): Layer.Layer<HttpTransport> =>
  Layer.succeed(HttpTransport, fetch === undefined ? ofRuntime : make(fetch))

/** The transport itself, for those who do without layers. */
export const make = (fetch: Fetch): HttpTransport["Service"] => ({ get: (request) => get(fetch, request) })

/** Over the runtime's own `fetch`. */
export const ofRuntime: HttpTransport["Service"] = make((url, init) => globalThis.fetch(url, init))

const get = (fetch: Fetch, request: HttpRequest): Effect.Effect<HttpAnswer, TransportError> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const stopTimer = startTimer(request.timeout, () => {
      resume(Effect.fail(new TransportTimedOut({ timeout: request.timeout })))
      controller.abort()
    })
    const fail = (error: unknown) => {
      resume(Effect.fail(error instanceof BodyTooLarge ? error : new TransportFailed({ reason: failureReason(error) })))
      // What is left of the body is not wanted, and holds the connection.
      controller.abort()
    }
    exchange(fetch, request, controller.signal)
      .then((answer) => resume(Effect.succeed(answer)), fail)
      .finally(stopTimer)
    return Effect.sync(() => {
      stopTimer()
      controller.abort()
    })
  })

const exchange = async (fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
  const response = await fetch(request.url, { headers: request.headers, redirect: "manual", signal })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: await readBounded(response, request.maxBodyBytes),
  }
}
