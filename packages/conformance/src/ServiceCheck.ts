/** Checks whether a deployment speaks the contract: clock, credentials, capabilities and a search, with what to do. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { duration } from "@transferkit/domain/Quantity"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { RawRequests, type RawResponse } from "./RawRequests.ts"

/** The outcome of a check. After a failure, the checks that depend on it are skipped. */
export interface Check {
  readonly check: string
  readonly verdict: "ok" | "warning" | "failed"
  readonly found: string
  /** What to do; empty if there is nothing to do. */
  readonly advice: string
}

/** A check that found nothing wrong. */
export const ok = (check: string, found: string): Check => ({ check, verdict: "ok", found, advice: "" })
/** A check after which no other makes sense. */
export const failed = (check: string, found: string, advice: string): Check => ({
  check,
  verdict: "failed",
  found,
  advice,
})
/** A check that found something to look at. */
export const warning = (check: string, found: string, advice: string): Check => ({
  check,
  verdict: "warning",
  found,
  advice,
})

/** The checks, up to the first that fails. */
export const check: Effect.Effect<ReadonlyArray<Check>, never, RawRequests> = Effect.gen(function* () {
  const raw = yield* RawRequests
  const before = yield* Clock.currentTimeMillis
  const first = yield* Effect.result(raw.get({ path: "/v1/capabilities" }))
  if (Result.isFailure(first)) {
    return [
      failed(
        "request",
        first.failure.reason,
        "The connection opens, but the request fails. Check proxies and the scheme (http or https).",
      ),
    ]
  }
  const after = yield* Clock.currentTimeMillis
  const response = first.success
  const checks = [...clock(response, (before + after) / 2), ...judge(response)]
  if (checks.some(({ verdict }) => verdict === "failed")) return checks
  const capabilities = Capabilities.fromJson(response.body)
  if (Result.isFailure(capabilities)) {
    const advice = "Check that the base URL is the service's, or report it to the service."
    return [...checks, failed("capabilities", capabilities.failure.message, advice)]
  }
  const { supported_currencies, supported_countries } = capabilities.success
  checks.push(ok("capabilities", `${supported_currencies.length} currencies, ${supported_countries.length} countries`))
  const search = yield* Effect.result(raw.get({ path: "/v1/transfers/search", query: [["limit", "1"]] }))
  checks.push(judgeSearch(search))
  return checks
})

const clock = (response: RawResponse, now: number): ReadonlyArray<Check> => {
  const date = Date.parse(response.header("date") ?? "")
  if (Number.isNaN(date)) return []
  const seconds = Math.round((now - date) / 1000)
  const text = `${duration(Math.abs(seconds))} ${seconds < 0 ? "behind" : "ahead of"} the service's`
  return Math.abs(seconds) <= 60
    ? [ok("clock", "in step with the service's")]
    : [warning("clock", text, "Set this machine's clock: relative times such as --since 24h count from it.")]
}

const judge = (response: RawResponse): ReadonlyArray<Check> => {
  const { status } = response
  const type = response.header("content-type") ?? "no content type"
  const id = response.header("x-request-id")
  const found = `status ${status}, ${type}${id === undefined ? "" : `, request id ${id}`}`
  if (status === 401 || status === 403) {
    return [
      failed(
        "credentials",
        found,
        "Check the partner id and the secret key, and that they belong to this base URL. transfers whoami shows them.",
      ),
    ]
  }
  if (status >= 300 && status < 400) {
    return [
      failed(
        "base path",
        `${found}, to ${response.header("location") ?? "nowhere"}`,
        "If you trust the address it points to, use it as the base URL, without /v1. Login pages and proxies redirect too.",
      ),
    ]
  }
  if (status === 404 || status === 405) {
    return [
      failed(
        "base path",
        found,
        "The host responds, but not as the service. Check the path of the base URL; /v1 is added to it.",
      ),
    ]
  }
  if (status === 429) return [failed("rate limit", found, "Wait, or send requests less often.")]
  if (status >= 500)
    return [failed("service", found, "The service failed. Try again later, and give its support the request id.")]
  if (status !== 200)
    return [failed("request", found, "The contract has no such status. Check that the base URL is the service's.")]
  if (!/^application\/json\b/i.test(type)) {
    return [
      failed(
        "content type",
        found,
        "The response is not the service's JSON. It may come from a login page or a proxy.",
      ),
    ]
  }
  return [ok("credentials", found)]
}

const judgeSearch = (search: Result.Result<RawResponse, { readonly reason: string }>): Check => {
  if (Result.isFailure(search))
    return failed("search", search.failure.reason, "Capabilities work, but the search fails. Try again.")
  const { status, body } = search.success
  const page = TransferPage.fromJson(body)
  if (status !== 200)
    return failed("search", `status ${status}`, "Capabilities work, but the search fails. Report it to the service.")
  return Result.isFailure(page)
    ? failed("search", page.failure.message, "Report it to the service.")
    : ok("search", page.success.results.length === 0 ? "works; there are no transfers yet" : "works")
}
