/** The address of a service, from a base URL that has been checked. */
import * as Origin from "@transferkit/domain/Origin"
import * as HostName from "@transferkit/http-api/HostName"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../InvalidConfiguration.ts"

/** What is wrong with a base URL. */
type InvalidBaseUrl = InvalidConfiguration<"baseUrl">

/** Scheme, host and path prefix, without a slash at the end. */
export const readBaseUrl = (text: string, allowInsecure: boolean): Result.Result<string, InvalidBaseUrl> => {
  if (!URL.canParse(text)) return reject("it is not a URL. Write one such as https://api.example.com")
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return reject(`it starts with ${url.protocol}, and only https: can be used`)
  }
  if (url.username !== "" || url.password !== "") return reject("it holds credentials. Leave them out")
  if (url.search !== "" || url.hash !== "") return reject("it has a query or a fragment. Leave them out")
  if (url.protocol === "http:" && !allowInsecure && !HostName.isLoopback(url.hostname)) {
    const reason = "http: would send the secret key in the clear. Use https:"
    return Result.fail(new InvalidConfiguration({ setting: "baseUrl", reason, option: "allowInsecure" }))
  }
  const base = Origin.baseUrl(url.href) ?? url.href
  return base.endsWith("/v1") ? reject("it ends with /v1, which is added to it. Leave it out") : Result.succeed(base)
}

const reject = (reason: string): Result.Result<never, InvalidBaseUrl> =>
  Result.fail(new InvalidConfiguration({ setting: "baseUrl", reason }))
