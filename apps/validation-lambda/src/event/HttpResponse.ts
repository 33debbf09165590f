/** A response over HTTP, in the form that the integration which sent the request reads. */
import type { HttpEvent } from "./InvocationEvent.ts"

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

/** The result for a response. */
export const render = (event: HttpEvent, { status, headers, body }: HttpResponse): HttpResult => {
  const all = { "content-type": "application/json", "cache-control": "no-store", ...headers }
  const statusDescription = `${status} ${descriptions[status] ?? ""}`.trim()
  return {
    statusCode: status,
    ...(event.integration === "load-balancer" ? { statusDescription } : {}),
    ...(event.multiValueHeaders
      ? { multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])) }
      : { headers: all }),
    body: JSON.stringify(body),
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
  503: "Service Unavailable",
  504: "Gateway Timeout",
}
