/** An answer over HTTP, in the form that the front which sent the request reads. */
import { toHttp } from "../Failure.ts"
import { TooLarge } from "../Proposals.ts"
import type { HttpEvent } from "./InvocationEvent.ts"

/** A status, headers by lower-case name, and a value to send as JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What API Gateway, a Function URL or a load balancer turns into a response. */
export interface HttpResult {
  readonly statusCode: number
  /** A load balancer shows it; the others leave it alone and do not get it. */
  readonly statusDescription?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly body: string
  readonly isBase64Encoded: false
}

/** The most bytes a body may have to get through: a load balancer's limit, and Lambda's with room for the rest. */
const maxBytes = { "load-balancer": 1_000_000, "http-api": 5_500_000, "rest-api": 5_500_000 }

/** The reply to a request, or instead of one that is too long, what to do about that. */
export const render = (event: HttpEvent, reply: Reply): HttpResult => {
  const body = JSON.stringify(reply.body)
  const length = Buffer.byteLength(body)
  const allowed = maxBytes[event.front]
  if (length <= allowed) return resultOf(event, reply, body)
  const failure = toHttp(new TooLarge({ found: `an answer of ${length} bytes`, allowed: `${allowed} bytes` }))
  return resultOf(event, failure, JSON.stringify(failure.body))
}

const resultOf = (event: HttpEvent, { status, headers }: Omit<Reply, "body">, body: string): HttpResult => {
  const all = { "content-type": "application/json", "cache-control": "no-store", ...headers }
  return {
    statusCode: status,
    ...(event.front === "load-balancer" ? { statusDescription: `${status} ${descriptions[status] ?? ""}`.trim() } : {}),
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
