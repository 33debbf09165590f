/** What is wrong between here and the service, step by step: each check says what was found and what to do. */
import * as Dns from "node:dns/promises"
import * as Net from "node:net"
import * as Tls from "node:tls"
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { duration } from "../../output/Quantity.ts"
import * as Credentials from "../../service/Credentials.ts"
import { RawService, type RawAnswer } from "../../service/RawService.ts"
import type { Settings } from "../../service/Settings.ts"

/** What a check came to. After a failure, the checks that build on it are not made. */
export interface Finding {
  readonly check: string
  readonly verdict: "ok" | "warning" | "failed"
  readonly found: string
  /** What to do; empty where there is nothing to do. */
  readonly advice: string
}

const ok = (check: string, found: string): Finding => ({ check, verdict: "ok", found, advice: "" })
const failed = (check: string, found: string, advice: string): Finding => ({ check, verdict: "failed", found, advice })
const warning = (check: string, found: string, advice: string): Finding => ({
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
  const findings: Array<Finding> = []
  const url = URL.canParse(credentials.baseUrl) ? new URL(credentials.baseUrl) : undefined
  const steps = [
    configuration(settings, credentials),
    ...(url === undefined ? [] : [name(url), connection(url), secure(url)]),
  ]
  for (const step of steps) {
    const finding = yield* step
    if (finding !== undefined) findings.push(finding)
    if (finding?.verdict === "failed") return findings
  }
  findings.push(...(yield* conversation))
  return findings
})

// ---------------------------------------------------------------------------------------------------- the way there

const configuration = (settings: Settings, credentials: Credentials.Credentials): Effect.Effect<Finding> => {
  const faults = Credentials.invalid(settings)
  return Effect.succeed(
    faults.length === 0
      ? ok("configuration", `${credentials.partnerId} at ${credentials.baseUrl}`)
      : failed("configuration", faults.join("\n"), "Fix it: transfers whoami shows where it comes from."),
  )
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1")
const portOf = (url: URL): number => Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port)

const name = (url: URL): Effect.Effect<Finding | undefined> => {
  const host = hostOf(url)
  if (Net.isIP(host) !== 0) return Effect.succeed(undefined)
  return step(
    "name",
    async () => `${host} is ${(await Dns.lookup(host, { all: true })).map(({ address }) => address).join(", ")}`,
    () => `Check the spelling of ${host}, and that this machine's DNS knows it.`,
  )
}

const connection = (url: URL): Effect.Effect<Finding> =>
  step(
    "connection",
    () => open(Net.connect({ host: hostOf(url), port: portOf(url) }), "connect", () => `to port ${portOf(url)}`),
    () => `Nothing answers at ${url.host}: check the port, firewalls and proxies, and that the service runs.`,
  )

const secure = (url: URL): Effect.Effect<Finding | undefined> => {
  if (url.protocol !== "https:") return Effect.succeed(undefined)
  const host = hostOf(url)
  const socket = () => Tls.connect({ host, port: portOf(url), ...(Net.isIP(host) === 0 ? { servername: host } : {}) })
  return step(
    "TLS",
    () => {
      const tls = socket()
      return open(
        tls,
        "secureConnect",
        () => `${tls.getProtocol() ?? "TLS"}, certificate valid until ${tls.getPeerCertificate().valid_to}`,
      )
    },
    (reason) =>
      reason === "wrong version number"
        ? "The port does not speak TLS: check it, or whether the base URL should begin with http:."
        : /self.signed|unable to (?:get|verify)/i.test(reason)
          ? "The certificate's issuer is not known here: point NODE_EXTRA_CA_CERTS at its certificate, or check for a proxy that replaces it."
          : "Check that the base URL's name and port are those of the service, and this machine's clock.",
  )
}

const open = <S extends Net.Socket>(socket: S, event: string, found: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.setTimeout(10_000, () => reject(new Error("no answer within 10 seconds")))
    socket.once(event, () => resolve(found()))
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

const step = (check: string, body: () => Promise<string>, advice: (reason: string) => string): Effect.Effect<Finding> =>
  Effect.tryPromise({ try: body, catch: reasonOf }).pipe(
    Effect.match({
      onSuccess: (found) => ok(check, found),
      onFailure: (reason) => failed(check, reason, advice(reason)),
    }),
  )

/** OpenSSL says in `reason` what its message buries in file names; a connection tried at several addresses has no message. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if ("reason" in error && typeof error.reason === "string") return error.reason
  return error.message === "" && "code" in error ? String(error.code) : error.message
}

// ---------------------------------------------------------------------------------------------------- the talk there

const conversation = Effect.gen(function* () {
  const raw = yield* RawService
  const before = yield* Clock.currentTimeMillis
  const first = yield* Effect.result(raw.get({ path: "/v1/capabilities" }))
  if (Result.isFailure(first)) {
    return [
      failed(
        "request",
        first.failure.reason,
        "The connection opens but the request does not get through: check proxies and the scheme (http or https).",
      ),
    ]
  }
  const after = yield* Clock.currentTimeMillis
  const answer = first.success
  const findings = [...clock(answer, (before + after) / 2), ...judge(answer)]
  if (findings.some(({ verdict }) => verdict === "failed")) return findings
  const capabilities = Capabilities.fromJson(answer.body)
  if (Result.isFailure(capabilities)) {
    const advice = "Report it to the service, or check that the base URL is its own."
    return [...findings, failed("capabilities", capabilities.failure.message, advice)]
  }
  const { supported_currencies, supported_countries } = capabilities.success
  findings.push(
    ok("capabilities", `${supported_currencies.length} currencies, ${supported_countries.length} countries`),
  )
  const search = yield* Effect.result(raw.get({ path: "/v1/transfers/search", query: [["limit", "1"]] }))
  findings.push(judgeSearch(search))
  return findings
})

const clock = (answer: RawAnswer, now: number): ReadonlyArray<Finding> => {
  const date = Date.parse(answer.header("date") ?? "")
  if (Number.isNaN(date)) return []
  const seconds = Math.round((now - date) / 1000)
  const text = `${duration(Math.abs(seconds))} ${seconds < 0 ? "behind" : "ahead of"} the service's`
  return Math.abs(seconds) <= 60
    ? [ok("clock", "agrees with the service's")]
    : [warning("clock", text, "Set this machine's clock: --since 24h and the like count from it.")]
}

const judge = (answer: RawAnswer): ReadonlyArray<Finding> => {
  const { status } = answer
  const type = answer.header("content-type") ?? "no content type"
  const id = answer.header("x-request-id")
  const found = `status ${status}, ${type}${id === undefined ? "" : `, request id ${id}`}`
  if (status === 401 || status === 403) {
    return [
      failed(
        "credentials",
        found,
        "Check the partner id and the secret key, and that they belong to this base URL: transfers whoami.",
      ),
    ]
  }
  if (status >= 300 && status < 400) {
    return [
      failed(
        "base path",
        `${found}, to ${answer.header("location") ?? "nowhere"}`,
        "If you trust the address it points to, make it the base URL, without /v1. Login pages and proxies redirect too.",
      ),
    ]
  }
  if (status === 404 || status === 405) {
    return [
      failed(
        "base path",
        found,
        "The host answers, but not as the service: check the path of the base URL. /v1 is added to it here.",
      ),
    ]
  }
  if (status === 429) return [failed("rate limit", found, "Wait, or ask less often.")]
  if (status >= 500)
    return [
      failed("service", found, "The service itself fails: try again later, and quote the request id to its support."),
    ]
  if (status !== 200)
    return [failed("request", found, "The contract knows no such status: check that the base URL is the service's.")]
  if (!/^application\/json\b/i.test(type)) {
    return [
      failed(
        "content type",
        found,
        "That is not the service's JSON but something in its place, such as a login page or a proxy.",
      ),
    ]
  }
  return [ok("credentials", found)]
}

const judgeSearch = (search: Result.Result<RawAnswer, { readonly reason: string }>): Finding => {
  if (Result.isFailure(search))
    return failed("search", search.failure.reason, "Capabilities work and the search does not: try again.")
  const { status, body } = search.success
  const page = TransferPage.fromJson(body)
  if (status !== 200)
    return failed("search", `status ${status}`, "Capabilities work and the search does not: report it to the service.")
  return Result.isFailure(page)
    ? failed("search", page.failure.message, "Report it to the service.")
    : ok("search", page.success.results.length === 0 ? "answers; there is no transfer yet" : "answers with a transfer")
}
