/** A response over HTTP, in the form that the integration which sent the request reads. */
import { toHttp } from "../Failure.ts"
import type { HttpEvent } from "./InvocationEvent.ts"
import { TooLarge } from "./RequestBody.ts"

/** A status, headers by lower-case name, and a value to send as JSON. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What API Gateway, a Function URL or a load balancer turns into a response. */
export interface HttpResult {
  readonly statusCode: number
  /** For a load balancer only, which requires it. */
  readonly statusDescription?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly body: string
  readonly isBase64Encoded: false
}

/** The most bytes of a body: a load balancer's limit, and Lambda's with room for the rest of the result. */
const maxBytes = { "load-balancer": 1_000_000, "http-api": 5_500_000, "rest-api": 5_500_000 }

/** The result for a response. One that is too large becomes a 413 that says what to do about it. */
export const render = (event: HttpEvent, response: HttpResponse): HttpResult => {
  const body = JSON.stringify(response.body)
  const length = Buffer.byteLength(body)
  const allowed = maxBytes[event.integration]
  if (length <= allowed) return resultOf(event, response, body)
  const failure = toHttp(new TooLarge({ found: `a response of ${length} bytes`, allowed: `${allowed} bytes` }))
  return resultOf(event, failure, JSON.stringify(failure.body))
}

const resultOf = (event: HttpEvent, { status, headers }: Omit<HttpResponse, "body">, body: string): HttpResult => {
  const all = { "content-type": "application/json", "cache-control": "no-store", ...headers }
  const statusDescription = `${status} ${descriptions[status] ?? ""}`.trim()
  return {
    statusCode: status,
    ...(event.integration === "load-balancer" ? { statusDescription } : {}),
    ...(event.multiValueHeaders
      ? { multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])) }
      : { headers: all }),
    body,
    isBase64Encoded: false,
  }
}

const descriptions: { readonly [status: number]: string } = {
  200: "OK",
  400: "Bad Request",
  405: "Method Not Allowed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
  502: "Bad Gateway",
  504: "Gateway Timeout",
}
