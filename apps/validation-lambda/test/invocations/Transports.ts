/** The ways in that return verdicts: each wraps a body, and unwraps what the function returns. */
import { gzipSync } from "node:zlib"

/** A way to invoke the function. */
export interface Transport {
  readonly name: string
  readonly wrap: (body: unknown) => unknown
  /** The status, if it has one, and the verdicts. */
  readonly unwrap: (payload: unknown) => { readonly status?: unknown; readonly body: unknown }
}

const json = { "content-type": "application/json" }
const respond = (payload: unknown) => {
  const { statusCode, body, isBase64Encoded } = Object(payload)
  return { status: isBase64Encoded === false ? statusCode : undefined, body: JSON.parse(body) }
}

export const transports: ReadonlyArray<Transport> = [
  { name: "a direct invocation", wrap: (body) => body, unwrap: (body) => ({ body }) },
  {
    name: "an HTTP API",
    wrap: (body) => ({
      version: "2.0",
      requestContext: { http: { method: "POST" } },
      headers: json,
      body: JSON.stringify(body),
    }),
    unwrap: respond,
  },
  {
    name: "a REST API, with gzip",
    wrap: (body) => ({
      httpMethod: "POST",
      requestContext: { requestId: "r-1" },
      headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
      body: gzipSync(JSON.stringify(body)).toString("base64"),
      isBase64Encoded: true,
    }),
    unwrap: respond,
  },
  {
    name: "a load balancer",
    wrap: (body) => ({
      httpMethod: "POST",
      requestContext: { elb: { targetGroupArn: "arn" } },
      multiValueHeaders: { "content-type": ["application/json"] },
      body: JSON.stringify(body),
    }),
    unwrap: (payload) => {
      const { statusDescription, multiValueHeaders } = Object(payload)
      const isWhole = statusDescription === "200 OK" && multiValueHeaders["content-type"][0] === "application/json"
      return isWhole ? respond(payload) : { body: payload }
    },
  },
]
