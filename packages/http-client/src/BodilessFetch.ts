/**
 * `HttpClient` over `fetch` that reads no body and follows no redirect: for a peer whose answer is its status alone, such
 * as a collector of telemetry. What it sends beyond that costs neither memory nor time, and reaches no other host. One
 * that is silent holds no more than 16 requests, each for 10 s: those beyond get the status 413 at once, which is not
 * retried.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

const mostUnderWay = 16
/** The time limit of OpenTelemetry for an export. */
const timeLimit = 10_000

let underWay = 0

const withoutBody: typeof fetch = async (input, init) => {
  if (underWay >= mostUnderWay) return new Response(null, { status: 413 })
  underWay++
  try {
    const limit = AbortSignal.timeout(timeLimit)
    const signal = init?.signal == null ? limit : AbortSignal.any([init.signal, limit])
    const { status, statusText, headers, body } = await fetch(input, { ...init, redirect: "manual", signal })
    await body?.cancel()
    return new Response(null, { status, statusText, headers })
  } finally {
    underWay--
  }
}

/** Every response has its status and headers, and an empty body. */
export const layer: Layer.Layer<HttpClient> = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.Fetch, withoutBody),
)
