/** {@link HttpTransport} by `fetch`: for browsers, workers and every runtime that has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BodyTooLarge, type HttpAnswer, type HttpRequest, HttpTransport, TransportFailed } from "./HttpTransport.ts"
import { readBounded } from "./internal/boundedBody.ts"
import { failureReason } from "./internal/failureReason.ts"

/** What is used of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A transport over the given function, or the runtime's own. */
export const layer = (fetch: Fetch = (url, init) => globalThis.fetch(url, init)): Layer.Layer<HttpTransport> =>
  Layer.succeed(HttpTransport, {
    get: (request) =>
      Effect.tryPromise({
        try: (signal) => exchange(fetch, request, signal),
        catch: (error) =>
          error instanceof BodyTooLarge ? error : new TransportFailed({ reason: failureReason(error) }),
      }),
  })

const exchange = async (fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
  const response = await fetch(request.url, { headers: request.headers, redirect: "manual", signal })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: await readBounded(response, request.maxBodyBytes),
  }
}
