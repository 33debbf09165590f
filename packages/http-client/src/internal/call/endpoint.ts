/** The address and the credentials of a service, from a configuration that has been checked. */
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"
import type { Scrub } from "./responseReader.ts"

export interface Endpoint {
  /** Scheme, host and path prefix, without a slash at the end. */
  readonly base: string
  readonly partnerId: string
  /** The value of the header. */
  readonly authorization: Redacted.Redacted
  readonly scrub: Scrub
}

/** A setting that can make it impossible to call the service. */
export type EndpointSetting = "baseUrl" | "partnerId" | "secretKey"

export interface Settings {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
  readonly allowInsecure: boolean
}

export const makeEndpoint = (settings: Settings): Result.Result<Endpoint, InvalidEndpoint> =>
  Result.gen(function* () {
    const { partnerId, secretKey } = settings
    if (typeof partnerId !== "string") return yield* reject("partnerId", "it must be a text")
    if (!Redacted.isRedacted(secretKey) || typeof Redacted.value(secretKey) !== "string") {
      return yield* reject("secretKey", "it must be a text")
    }
    const base = yield* readBase(settings.baseUrl, settings.allowInsecure)
    const credentials = { partner_id: partnerId, secret_key: secretKey }
    yield* Result.mapError(
      BasicCredentials.make(credentials),
      ({ field, reason }) =>
        new InvalidConfiguration<EndpointSetting>({
          setting: field === "partner_id" ? "partnerId" : "secretKey",
          reason: `it ${reason}`,
        }),
    )
    const authorization = BasicCredentials.toHeader(credentials)
    return {
      base,
      partnerId,
      authorization: Redacted.make(authorization),
      scrub: scrubbing([authorization.slice("Basic ".length), Redacted.value(secretKey)]),
    }
  })

type InvalidEndpoint = InvalidConfiguration<EndpointSetting>

const reject = (setting: EndpointSetting, reason: string): Result.Result<never, InvalidEndpoint> =>
  Result.fail(new InvalidConfiguration({ setting, reason }))

/** Also finds the secrets as JSON and URLs write them. */
const scrubbing = (secrets: ReadonlyArray<string>): Scrub => {
  const forms = new Set(
    secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  )
  return (text) => [...forms].reduce((scrubbed, form) => scrubbed.replaceAll(form, "<redacted>"), text)
}

const readBase = (text: string, allowInsecure: boolean): Result.Result<string, InvalidEndpoint> => {
  if (!URL.canParse(text)) return reject("baseUrl", "it is not a URL. Write one such as https://api.example.com")
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return reject("baseUrl", `it starts with ${url.protocol}, and only https: can be used`)
  }
  if (url.username !== "" || url.password !== "") return reject("baseUrl", "it holds credentials. Leave them out")
  if (url.search !== "" || url.hash !== "") return reject("baseUrl", "it has a query or a fragment. Leave them out")
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname)) {
    const reason = "http: would send the secret key in the clear. Use https:"
    return Result.fail(new InvalidConfiguration({ setting: "baseUrl", reason, option: "allowInsecure" }))
  }
  const base = `${url.origin}${url.pathname.replace(/^(.*[^/])?\/*$/, "$1")}`
  return base.endsWith("/v1")
    ? reject("baseUrl", "it ends with /v1, which is added to it. Leave it out")
    : Result.succeed(base)
}

/** Not names below `localhost`: some resolvers ask the DNS for them. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname)
