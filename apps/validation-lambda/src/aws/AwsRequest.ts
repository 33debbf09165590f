/** A signed call of an AWS service over JSON. The function needs no more of AWS, and so no SDK. */
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http"
import aws4 from "aws4"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** The caller's credentials and region. Lambda gives a function the credentials of its role. */
export interface AwsAccess {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Redacted.Redacted | undefined
  /** In place of the service's public endpoint. */
  readonly endpoint: string | undefined
}

/** A request to sign. */
export interface AwsRequest {
  readonly service: "events" | "s3" | "secretsmanager" | "sns" | "sqs" | "ssm"
  readonly method?: "GET" | "POST" | "PUT"
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An operation of a service that reads and writes JSON. */
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
  service: AwsRequest["service"],
  { endpoint, region }: Pick<AwsAccess, "endpoint" | "region">,
): URL => new URL(endpoint ?? `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`)

/** Milliseconds for a call. */
const timeout = 3000

/** Calls an operation and returns its output. */
export const call = ({ service, target, input }: AwsOperation, access: AwsAccess) => {
  const contentType = `application/x-amz-json-${service === "sqs" ? "1.0" : "1.1"}`
  const headers = { "content-type": contentType, "x-amz-target": target }
  return Effect.flatMap(send({ service, headers, body: JSON.stringify(input) }, access), ({ status, text }) => {
    const output = Result.try((): unknown => JSON.parse(text))
    return status === 200 && Result.isSuccess(output)
      ? Effect.succeed(output.success)
      : failed(nameIn(Result.getOrUndefined(output)) ?? `status ${status}`)
  })
}

/** Sends a signed request and returns the response, whatever its status. */
export const send = (request: AwsRequest, access: AwsAccess) =>
  exchanged(request, access, async (response) => ({ status: response.statusCode ?? 0, text: await textOf(response) }))

/** Sends a signed request and returns the response as it arrives: its body is the reader's to read, or to destroy. */
export const open = (request: AwsRequest, access: AwsAccess) => exchanged(request, access, async (response) => response)

/** The most characters of a body that is read whole: as of a response of the service. */
const mostText = 16 * 1024 * 1024

/** All of a response's body. */
const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const part of response.setEncoding("utf8")) {
    text += part
    if (text.length > mostText) throw new Error("its response is longer than 16 MiB")
  }
  return text
}

/** AWS's name of an error, from a response of a service that writes XML. It stands in the first part of the body. */
export const errorOf = async (response: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const part of response.setEncoding("utf8")) {
    text += part
    if (text.length > 65_536) break
  }
  return elementIn(text, "Code") ?? `status ${response.statusCode}`
}

const exchanged = <A>(
  { service, method = "POST", path = "/", headers, body }: AwsRequest,
  access: AwsAccess,
  read: (response: IncomingMessage) => Promise<A>,
) =>
  Effect.tryPromise({
    try: async (signal) => {
      const endpoint = endpointOf(service, access)
      const signed = aws4.sign(
        {
          service,
          region: access.region,
          method,
          host: endpoint.host,
          path,
          headers: { ...headers },
          body,
        },
        {
          accessKeyId: access.accessKeyId,
          secretAccessKey: Redacted.value(access.secretAccessKey),
          ...(access.sessionToken === undefined ? {} : { sessionToken: Redacted.value(access.sessionToken) }),
        },
      )
      return await read(
        await exchange(endpoint, { path, method, headers: { ...signed.headers }, body: signed.body, signal }),
      )
    },
    catch: (error) => new AwsRequestFailed({ reason: error instanceof Error ? error.message : String(error) }),
  }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => failed(`no response within ${timeout} ms`) }))

/** The content of the first element with a name, in a response of a service that writes XML. */
export const elementIn = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : xml.slice(start + name.length + 2, end)
}

const failed = (reason: string) => Effect.fail(new AwsRequestFailed({ reason }))

interface Exchange {
  /** As it was signed: a URL would resolve the dots of a key. */
  readonly path: string
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Buffer | undefined
  readonly signal: AbortSignal
}

const exchange = (endpoint: URL, { body, ...options }: Exchange) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    // Not an `import`: that of node:http reads all its exports, 1.7 times the instructions of loading node:https alone.
    const http = process.getBuiltinModule(endpoint.protocol === "http:" ? "node:http" : "node:https")
    http.request(endpoint, options, resolve).on("error", reject).end(body)
  })

/** `__type` is the error's name, with a namespace before it in some services. */
const nameIn = (output: unknown): string | undefined =>
  typeof output === "object" && output !== null && "__type" in output && typeof output.__type === "string"
    ? output.__type.replace(/^.*#/, "")
    : undefined
