/** Diagnoses the connection to the service, step by step. Each check says what it found and what to do. */
import * as Dns from "node:dns/promises"
import * as Net from "node:net"
import * as Tls from "node:tls"
import { type Check, failed, ok } from "@transferkit/conformance/ServiceCheck"
import * as ServiceCheck from "@transferkit/conformance/ServiceCheck"
import * as Effect from "effect/Effect"
import * as Credentials from "../../service/Credentials.ts"
import type { Settings } from "../../service/Settings.ts"

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
  return [...checks, ...(yield* ServiceCheck.check)]
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
