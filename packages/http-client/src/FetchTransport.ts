/** {@link HttpTransport} by `fetch`, for browsers, workers and every runtime that has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import {
  type BodyTooLarge,
  type HttpResponse,
  type HttpRequest,
  HttpTransport,
  type TransportError,
  TransportTimedOut,
} from "./HttpTransport.ts"
import { readBounded } from "./internal/transport/BoundedBody.ts"
import type { ConnectionOptions } from "./internal/transport/ConnectionOptions.ts"
import { startTimer } from "./internal/transport/Timer.ts"
import { transportFailed } from "./internal/transport/TransportFailed.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A transport over the given function, or the runtime's own. */
export const layer = (fetch?: Fetch): Layer.Layer<HttpTransport> =>
  Layer.succeed(HttpTransport, fetch === undefined ? ofRuntime : make(fetch))

/** The transport itself, without a layer. */
export const make = (fetch: Fetch): HttpTransport["Service"] => ({ get: (request) => get(fetch, request) })

/** Over the runtime's own `fetch`. */
export const ofRuntime: HttpTransport["Service"] = make((url, init) => globalThis.fetch(url, init))

/** `fetch` has no such options: setting one fails. */
export const ofConnection = (
  options: ConnectionOptions,
): Result.Result<HttpTransport["Service"], InvalidConfiguration> => {
  const [setting] = Object.keys(options)
  const reason = "fetch has no such option; it works on Node, without an option fetch"
  return setting === undefined ? Result.succeed(ofRuntime) : Result.fail(new InvalidConfiguration({ setting, reason }))
}

const get = (fetch: Fetch, request: HttpRequest): Effect.Effect<HttpResponse, TransportError> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const stopTimer = startTimer(request.timeout, () => {
      resume(Effect.fail(new TransportTimedOut({ timeout: request.timeout })))
      controller.abort()
    })
    const fail = (error: unknown) => {
      resume(Effect.fail(isBodyTooLarge(error) ? error : transportFailed(error)))
      // The rest of the body would hold the connection.
      controller.abort()
    }
    exchange(fetch, request, controller.signal)
      .then((response) => resume(Effect.succeed(response)), fail)
      .finally(stopTimer)
    return Effect.sync(() => {
      stopTimer()
      controller.abort()
    })
  })

/**
 * A browser would give one partner what another was sent. Runtimes without the option keep nothing. Asked for with each
 * request: Node loads its `fetch` for whoever names `Request`.
 */
const uncached = (): RequestInit => ("cache" in Request.prototype ? { cache: "no-store" } : {})

const isBodyTooLarge = (error: unknown): error is BodyTooLarge => Predicate.isTagged(error, "BodyTooLarge")

const exchange = async (fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
  const response = await fetch(request.url, { headers: request.headers, redirect: "manual", signal, ...uncached() })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    headerNames: () => [...response.headers.keys()],
    body: await readBounded(response, request.maxBodyBytes),
  }
}
