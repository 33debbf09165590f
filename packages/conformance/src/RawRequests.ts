/** Single requests to the service and their raw responses, for what examines the service itself. */
import { Buffer } from "node:buffer"
import * as SecretText from "@transferkit/domain/SecretText"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as HiddenSecret from "@transferkit/http-api/HiddenSecret"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** A request. */
export interface RawRequest {
  /** A path below the base URL. */
  readonly path: string
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  /** Those of the partner, none, or those of a partner that does not exist. @default "own" */
  readonly credentials?: "own" | "none" | "other"
  /** The value of Accept-Encoding. @default "identity" */
  readonly encoding?: string
}

/** A response of any status. */
export interface RawResponse {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** All headers by lower-case name, in the order of their names. */
  readonly headers: Readonly<Record<string, string>>
  /** The text. Bytes that are not UTF-8 become U+FFFD. */
  readonly body: string
  readonly isUtf8: boolean
}

/** No response, and why. */
export interface NoResponse {
  readonly _tag: "NoResponse"
  readonly reason: string
}

/** Sends each request once: no retries, no redirects. */
export class RawRequests extends Context.Service<
  RawRequests,
  {
    readonly get: (request: RawRequest) => Effect.Effect<RawResponse, NoResponse>
    /** Takes the credentials out of a text that was made of responses. @default leaves it as it is */
    readonly redact?: (text: string) => string
  }
>()("@transferkit/conformance/RawRequests") {}

/** What sends the requests: a transport of `@transferkit/http-client`, or any function that keeps its promises. */
export interface Transport {
  /** Follows no redirect. */
  readonly get: (request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly maxBodyBytes: number
    readonly timeout: number
  }) => Effect.Effect<
    {
      readonly status: number
      readonly header: (name: string) => string | undefined
      readonly headerNames: () => ReadonlyArray<string>
      readonly body: Uint8Array
    },
    | { readonly _tag: "TransportFailed"; readonly reason: string }
    | { readonly _tag: "TransportTimedOut" }
    | { readonly _tag: "BodyTooLarge" }
  >
}

/** Where the service is, and the credentials for it alone. */
export interface Options {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
  /** Milliseconds for one response. @default 10 000 */
  readonly timeout?: number
}

/** A page has 20 transfers of about 1 kB, and no law needs more: several responses are held and compared. */
const maxBodyBytes = 1024 * 1024

/** Requests over a transport. Neither responses nor reasons contain the secret key, even if the service sends it back. */
export const make = (transport: Transport, options: Options): RawRequests["Service"] => {
  const { baseUrl, partnerId: partner_id, secretKey: secret_key, timeout = 10_000 } = options
  const base = baseUrl.replace(/^(.*[^/])?\/*$/, "$1")
  const withoutSecret = hiding(Redacted.value(secret_key))
  const authorizations = {
    own: { authorization: BasicCredentials.toHeader({ partner_id, secret_key }) },
    none: {},
    other: {
      authorization: BasicCredentials.toHeader({
        partner_id: "no-such-partner",
        secret_key: Redacted.make("no-such-secret"),
      }),
    },
  }
  const noResponse = (reason: string): NoResponse => ({ _tag: "NoResponse", reason: withoutSecret(reason) })
  return {
    redact: withoutSecret,
    get: ({ path, query = [], credentials = "own", encoding = "identity" }) => {
      const encoded = SearchQuery.encodePairs(query)
      if (Result.isFailure(encoded)) return Effect.fail(noResponse(encoded.failure.message))
      const search = encoded.success === "" ? "" : `?${encoded.success}`
      const headers = { accept: "application/json", "accept-encoding": encoding, ...authorizations[credentials] }
      return transport.get({ url: `${base}${path}${search}`, headers, maxBodyBytes, timeout }).pipe(
        Effect.map((response): RawResponse => {
          const names = [...response.headerNames()].sort()
          const seen = Object.fromEntries(
            names.map((name) => [name, withoutSecret(response.header(name) ?? "").slice(0, maxHeader)]),
          )
          const { status, body } = response
          return { status, header: (name) => seen[name], headers: seen, ...textOf(body, withoutSecret) }
        }),
        Effect.mapError((error) => {
          if (error._tag === "TransportFailed") return noResponse(error.reason)
          return noResponse(
            error._tag === "BodyTooLarge"
              ? "the response is too large: it has more than 1 MiB"
              : `no response within ${timeout / 1000} seconds`,
          )
        }),
      )
    },
  }
}

/** A text that holds the secret in a form that cannot be cut out, such as compressed, goes as a whole. */
const hiding = (secret: string): ((text: string) => string) => {
  const { redact, isWithin } = HiddenSecret.redactor([secret])
  return (text) => (isWithin(Buffer.from(text, "latin1")) ? SecretText.replacement : redact(text))
}

/** A longer value says nothing more about a service. */
const maxHeader = 1024

const textOf = (
  body: Uint8Array,
  withoutSecret: (text: string) => string,
): { readonly body: string; readonly isUtf8: boolean } => {
  // A byte order mark stays: it is not JSON.
  const lossy = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)
  const isUtf8 = !lossy.includes("\ufffd") || isStrictUtf8(body)
  return { body: withoutSecret(lossy), isUtf8 }
}

const isStrictUtf8 = (body: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(body)))
