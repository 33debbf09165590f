/** Objects of S3: read as they arrive, written whole. */
import type { IncomingMessage } from "node:http"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as AwsRequest from "../aws/AwsRequest.ts"
import { Settings } from "../Settings.ts"

/** Where an object is. */
export interface Place {
  readonly bucket: string
  readonly key: string
}

/** S3 failed, or does not let the function read or write the object. */
export class StoreFailed extends Data.TaggedError("StoreFailed")<{ readonly place: Place; readonly reason: string }> {
  override get message(): string {
    return `The object ${nameOf(this.place)} cannot be read or written: ${this.reason}. Check the function's role, and try again.`
  }
}

/** The object is not there, or not any more. */
export class FileMissing extends Data.TaggedError("FileMissing")<{
  readonly place: Place
  readonly isReplaced: boolean
}> {
  override get message(): string {
    const why = this.isReplaced ? "was replaced while it was validated" : "does not exist"
    return `The object ${nameOf(this.place)} ${why}. Send the event of the object that is there.`
  }
}

const nameOf = ({ bucket, key }: Place): string => JSON.stringify(`${bucket}/${key}`.slice(0, 200))

/** An object as it arrives. */
export interface OpenObject {
  readonly etag: string
  readonly body: IncomingMessage
}

/** Opens an object until the scope ends. With an `etag` only that version of it. */
export const open = Effect.fnUntraced(function* (place: Place, etag: string | undefined) {
  const headers: Readonly<Record<string, string>> = etag === undefined ? {} : { "if-match": `"${etag}"` }
  const body = yield* Effect.acquireRelease(request(place, { method: "GET", headers, body: "" }), (response) =>
    Effect.sync(() => void response.destroy()),
  )
  const status = body.statusCode ?? 0
  if (status === 404 || status === 412) return yield* new FileMissing({ place, isReplaced: status === 412 })
  if (status !== 200) return yield* rejected(place, body)
  const object: OpenObject = { etag: String(body.headers.etag ?? "").replaceAll('"', ""), body }
  return object
})

/** Writes an object, in place of an earlier one. A failure is retried: it writes the same. */
export const put = (
  place: Place,
  contentType: string,
  body: string,
  retries = 2,
): Effect.Effect<void, StoreFailed, Settings> =>
  Effect.matchEffect(putOnce(place, contentType, body), {
    onSuccess: () => Effect.void,
    onFailure: (error) => (retries === 0 ? Effect.fail(error) : put(place, contentType, body, retries - 1)),
  })

const putOnce = Effect.fnUntraced(function* (place: Place, contentType: string, body: string) {
  const response = yield* request(place, { method: "PUT", headers: { "content-type": contentType }, body })
  if (response.statusCode !== 200) return yield* rejected(place, response)
  response.resume()
})

const request = Effect.fnUntraced(function* (place: Place, more: Omit<AwsRequest.AwsRequest, "service" | "path">) {
  const { objects } = yield* Settings
  if (objects === undefined) {
    return yield* new StoreFailed({ place, reason: "the function has no AWS region or credentials" })
  }
  return yield* Effect.mapError(
    AwsRequest.open({ service: "s3", path: pathOf(place), ...more }, objects),
    ({ reason }) => new StoreFailed({ place, reason }),
  )
})

const rejected = (place: Place, response: IncomingMessage) =>
  Effect.tryPromise(() => AwsRequest.errorOf(response)).pipe(
    Effect.timeout("3 seconds"),
    Effect.ensuring(Effect.sync(() => void response.destroy())),
    Effect.orElseSucceed(() => `status ${response.statusCode}`),
    Effect.flatMap((reason) => new StoreFailed({ place, reason })),
  )

/** Each part of the key encoded as S3 signs it. */
const pathOf = ({ bucket, key }: Place): string => `/${[bucket, ...key.split("/")].map(encode).join("/")}`

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
