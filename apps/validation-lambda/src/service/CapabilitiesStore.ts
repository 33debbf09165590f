/** Capabilities in an S3 bucket, by their hash, so that any verdict can be reproduced later. */
import * as crypto from "node:crypto"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as AwsRequest from "../aws/AwsRequest.ts"
import type { Bucket } from "../Settings.ts"

/** The bucket cannot be read or written. */
export class CapabilitiesStoreFailed extends Data.TaggedError("CapabilitiesStoreFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `The bucket of capabilities failed: ${this.reason}. Check its name and the function's role.`
  }
}

/** Keeps the canonical text of capabilities. */
export const put = Effect.fnUntraced(function* (bucket: Bucket, hash: string, text: string) {
  const headers = { "content-type": "application/json", "if-none-match": "*" }
  const response = yield* send(bucket, { method: "PUT", path: pathOf(bucket, hash), headers, body: text })
  // 412: it is there. 409: another invocation writes the same text.
  if (![200, 409, 412].includes(response.status)) return yield* failed(response)
})

/** The capabilities with a hash, or `undefined` if they are not in the bucket. */
export const get = Effect.fnUntraced(function* (bucket: Bucket, hash: string) {
  const response = yield* send(bucket, { method: "GET", path: pathOf(bucket, hash), headers: {}, body: "" })
  if (response.status === 404) return undefined
  if (response.status !== 200) return yield* failed(response)
  const actual = `sha256:${crypto.hash("sha256", response.text)}`
  if (actual !== hash) return yield* new CapabilitiesStoreFailed({ reason: `the object has the hash ${actual}` })
  const capabilities: unknown = JSON.parse(response.text)
  return capabilities
})

const pathOf = ({ name }: Bucket, hash: string): string => `/${name}/capabilities/${hash.replace("sha256:", "")}.json`

const send = ({ access }: Bucket, request: Omit<AwsRequest.AwsRequest, "service">) =>
  Effect.mapError(
    AwsRequest.send({ service: "s3", ...request }, access),
    ({ reason }) => new CapabilitiesStoreFailed({ reason }),
  )

const failed = ({ status, text }: { readonly status: number; readonly text: string }) =>
  new CapabilitiesStoreFailed({ reason: AwsRequest.elementIn(text, "Code") ?? `status ${status}` })
