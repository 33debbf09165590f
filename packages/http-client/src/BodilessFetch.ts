/**
 * `HttpClient` over `fetch` that reads no body and follows no redirect: for a peer whose answer is its status alone, such
 * as a collector of telemetry. What it sends beyond that costs neither memory nor time, and reaches no other host.
 */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

const withoutBody: typeof fetch = async (input, init) => {
  const { status, statusText, headers, body } = await fetch(input, { ...init, redirect: "manual" })
  await body?.cancel()
  return new Response(null, { status, statusText, headers })
}

/** Every response has its status and headers, and an empty body. */
export const layer: Layer.Layer<HttpClient> = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.Fetch, withoutBody),
)
