/** Diagnoses the connection to the service, step by step. Each check says what it found and what to do. */
import * as Dns from "node:dns/promises"
import * as Net from "node:net"
import * as Tls from "node:tls"
import { RawRequests, type RawResponse } from "@transferkit/conformance/RawRequests"
import * as Capabilities from "@transferkit/domain/Capabilities"
import { duration } from "@transferkit/domain/Quantity"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Credentials from "../../service/Credentials.ts"
import type { Settings } from "../../service/Settings.ts"

/** The outcome of a check. After a failure, the checks that depend on it are skipped. */
export interface Check {
  readonly check: string
  readonly verdict: "ok" | "warning" | "failed"
  readonly found: string
  /** What to do; empty if there is nothing to do. */
  readonly advice: string
}

const ok = (check: string, found: string): Check => ({ check, verdict: "ok", found, advice: "" })
const failed = (check: string, found: string, advice: string): Check => ({ check, verdict: "failed", found, advice })
const warning = (check: string, found: string, advice: string): Check => ({
  check,
  verdict: "warning",
  found,
  advice,
})

/** Makes all checks, up to the first that fails. */
export const examine = Effect.fn("Doctor.examine")(function* (
  settings: Settings,
  credentials: Credentials.Credentials,
) {
  const checks: Array<Check> = []
  const url = URL.canParse(credentials.baseUrl) ? new URL(credentials.baseUrl) : undefined
  const steps = [
    configuration(settings, credentials),
    ...(url === undefined ? [] : [name(url), connection(url), secure(url)]),
  ]
  for (const step of steps) {
    const made = yield* step
    if (made !== undefined) checks.push(made)
    if (made?.verdict === "failed") return checks
  }
  return [...checks, ...(yield* conversation)]
})

// ---------------------------------------------------------------------------------------------------- the way to the service

const configuration = (settings: Settings, credentials: Credentials.Credentials): Effect.Effect<Check> => {
  const faults = Credentials.invalid(settings)
  return Effect.succeed(
    faults.length === 0
      ? ok("configuration", `${credentials.partnerId} at ${credentials.baseUrl}`)
      : failed("configuration", faults.join("\n"), "Fix it: transfers whoami shows its source."),
  )
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1")
const portOf = (url: URL): number => Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port)

const name = (url: URL): Effect.Effect<Check | undefined> => {
  const host = hostOf(url)
  if (Net.isIP(host) !== 0) return Effect.succeed(undefined)
  return step(
    "name",
    async () => `${host} is ${(await Dns.lookup(host, { all: true })).map(({ address }) => address).join(", ")}`,
    () => `Check the spelling of ${host}, and that this machine's DNS knows it.`,
  )
}

const connection = (url: URL): Effect.Effect<Check> =>
  step(
    "connection",
    () => open(Net.connect({ host: hostOf(url), port: portOf(url) }), "connect", () => `to port ${portOf(url)}`),
    () => `Nothing listens at ${url.host}: check the port, firewalls and proxies, and that the service runs.`,
  )

const secure = (url: URL): Effect.Effect<Check | undefined> => {
  if (url.protocol !== "https:") return Effect.succeed(undefined)
  const host = hostOf(url)
  // Nothing is sent to it, so that even a certificate that is not trusted can be described.
  const options = { rejectUnauthorized: false, ...(Net.isIP(host) === 0 ? { servername: host } : {}) }
  return step(
    "TLS",
    () => {
      const tls = Tls.connect({ host, port: portOf(url), ...options })
      return open(tls, "secureConnect", () => {
        const { valid_from, valid_to } = tls.getPeerCertificate()
        if (tls.authorized) return `${tls.getProtocol() ?? "TLS"}, certificate valid until ${valid_to}`
        throw new Error(`${String(tls.authorizationError)}, certificate valid from ${valid_from} to ${valid_to}`)
      })
    },
    (reason) =>
      reason === "wrong version number"
        ? "The port does not speak TLS. Check the port, or whether the base URL should start with http:."
        : /EXPIRED|NOT_YET_VALID/.test(reason)
          ? "Ask the service's operator for a certificate that is valid today, or set this machine's clock."
          : /SELF_SIGNED|UNABLE_TO/.test(reason)
            ? "The certificate's issuer is unknown on this machine. Point NODE_EXTRA_CA_CERTS at its certificate, or check for a proxy that replaces it."
            : "Check the name and port of the base URL, and this machine's clock.",
  )
}

const open = <S extends Net.Socket>(socket: S, event: string, found: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.setTimeout(10_000, () => reject(new Error("no response within 10 seconds")))
    socket.once(event, () => {
      try {
        resolve(found())
      } catch (error) {
        reject(error)
      }
    })
    socket.once("error", reject)
  }).then(
    (text) => {
      socket.destroy()
      return String(text)
    },
    (error: unknown) => {
      socket.destroy()
      throw error
    },
  )

const step = (check: string, body: () => Promise<string>, advice: (reason: string) => string): Effect.Effect<Check> =>
  Effect.tryPromise({ try: body, catch: reasonOf }).pipe(
    Effect.match({
      onSuccess: (found) => ok(check, found),
      onFailure: (reason) => failed(check, reason, advice(reason)),
    }),
  )

/** OpenSSL's `reason` is clearer than its message; an error of several addresses has no message, only a code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if ("reason" in error && typeof error.reason === "string") return error.reason
  return error.message === "" && "code" in error ? String(error.code) : error.message
}

// ---------------------------------------------------------------------------------------------------- the conversation with it

const conversation = Effect.gen(function* () {
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
