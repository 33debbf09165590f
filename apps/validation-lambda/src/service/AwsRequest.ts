/** A signed call of an AWS service over JSON. The function needs no more of AWS, and so no SDK. */
import type { OutgoingHttpHeaders } from "node:http"
import aws4 from "aws4"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** The caller's credentials and region. Lambda gives a function the credentials of its role. */
export interface AwsAccess {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Redacted.Redacted | undefined
  /** In place of the service's public endpoint. */
  readonly endpoint: string | undefined
}

/** The operation to call. */
export interface AwsOperation {
  readonly service: "events" | "secretsmanager" | "sqs" | "ssm"
  /** Such as `secretsmanager.GetSecretValue`. */
  readonly target: string
  readonly input: { readonly [field: string]: unknown }
}

/** The call failed. `reason` is AWS's name of the error, or the error of the connection. */
export class AwsRequestFailed extends Data.TaggedError("AwsRequestFailed")<{ readonly reason: string }> {}

/** The endpoint of a service. China's regions have a domain of their own. */
export const endpointOf = (
  service: AwsOperation["service"],
  { endpoint, region }: Pick<AwsAccess, "endpoint" | "region">,
): URL => new URL(endpoint ?? `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`)

const contentTypeOf = (service: AwsOperation["service"]): string =>
  `application/x-amz-json-${service === "sqs" ? "1.0" : "1.1"}`

/** Milliseconds for a call. */
const timeout = 3000

/** Calls an operation and returns its output. */
export const call = ({ service, target, input }: AwsOperation, access: AwsAccess) =>
  Effect.tryPromise({
    try: async (signal) => {
      const endpoint = endpointOf(service, access)
      const signed = aws4.sign(
        {
          service,
          region: access.region,
          method: "POST",
          host: endpoint.host,
          path: "/",
          headers: { "content-type": contentTypeOf(service), "x-amz-target": target },
          body: JSON.stringify(input),
        },
        {
          accessKeyId: access.accessKeyId,
          secretAccessKey: Redacted.value(access.secretAccessKey),
          ...(access.sessionToken === undefined ? {} : { sessionToken: Redacted.value(access.sessionToken) }),
        },
      )
      const { status, text } = await post(endpoint, { headers: { ...signed.headers }, body: signed.body, signal })
      const output: unknown = JSON.parse(text)
      if (status !== 200) throw new AwsRequestFailed({ reason: nameOf(output) ?? `status ${status}` })
      return output
    },
    catch: (error) =>
      error instanceof AwsRequestFailed
        ? error
        : new AwsRequestFailed({ reason: error instanceof Error ? error.message : String(error) }),
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(new AwsRequestFailed({ reason: `no response within ${timeout} ms` })),
    }),
  )

interface Post {
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Buffer | undefined
  readonly signal: AbortSignal
}

const post = (endpoint: URL, { headers, body, signal }: Post) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const http = process.getBuiltinModule(endpoint.protocol === "http:" ? "node:http" : "node:https")
    const request = http.request(endpoint, { method: "POST", headers, signal }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part: string) => (text += part))
      response.on("error", reject).on("end", () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on("error", reject).end(body)
  })

/** `__type` is the error's name, with a namespace before it in some services. */
const nameOf = (output: unknown): string | undefined =>
  typeof output === "object" && output !== null && "__type" in output && typeof output.__type === "string"
    ? output.__type.replace(/^.*#/, "")
    : undefined
