/** Where requests go and what they carry, from a configuration that has been checked. */
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

export interface Settings {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
  readonly allowInsecure: boolean
}

export const makeEndpoint = (settings: Settings): Result.Result<Endpoint, InvalidConfiguration> =>
  Result.gen(function* () {
    const base = yield* readBase(settings.baseUrl, settings.allowInsecure)
    const { partnerId, secretKey } = settings
    const credentials = { partner_id: partnerId, secret_key: secretKey }
    yield* Result.mapError(
      BasicCredentials.make(credentials),
      ({ field, reason }) =>
        new InvalidConfiguration({
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

const refuse = (setting: InvalidConfiguration["setting"], reason: string) =>
  Result.fail(new InvalidConfiguration({ setting, reason }))

/** Also finds them as JSON and URLs write them. */
const scrubbing = (secrets: ReadonlyArray<string>): Scrub => {
  const forms = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]))
  return (text) => [...forms].reduce((scrubbed, form) => scrubbed.replaceAll(form, "<redacted>"), text)
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const readBase = (text: string, allowInsecure: boolean): Result.Result<string, InvalidConfiguration> => {
  if (!URL.canParse(text)) return refuse("baseUrl", "it is not a URL. Write one such as https://api.example.com")
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse("baseUrl", `it starts with ${url.protocol}, and only https: can be used`)
  }
  if (url.username !== "" || url.password !== "") return refuse("baseUrl", "it holds credentials. Leave them out")
  if (url.search !== "" || url.hash !== "") return refuse("baseUrl", "it has a query or a fragment. Leave them out")
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname)) {
    const reason = "http: would send the secret key in the clear. Use https:"
    return Result.fail(new InvalidConfiguration({ setting: "baseUrl", reason, option: "allowInsecure" }))
  }
  return Result.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(?:\.\d+){3}$/.test(hostname)
