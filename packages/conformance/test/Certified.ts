/** Certificates of running services, as fast as they answer. */
import type { Certificate } from "@transferkit/conformance/certificate/Certificate"
import * as Certify from "@transferkit/conformance/certificate/Certify"
import * as RawRequests from "@transferkit/conformance/RawRequests"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export const origin = "https://service.example"

/** Credentials of the fake. The certificate gets an origin that does not depend on a port. */
export const ofUrl = (url: string, options: Partial<Certify.Options> & { readonly timeout?: number } = {}) => {
  const { timeout = 2000, ...limits } = options
  const raw = RawRequests.make(NodeTransport.ofRuntime, {
    baseUrl: url,
    partnerId: "demo",
    secretKey: Redacted.make("demo-secret"),
    timeout,
  })
  return Effect.runPromise(
    Certify.certify({ origin, version: "1.0.0", rate: 10_000, ...limits }).pipe(
      Effect.provideService(RawRequests.RawRequests, raw),
    ),
  )
}

export const ofFake = async (
  options: Parameters<typeof startFakeServer>[0],
  limits: Parameters<typeof ofUrl>[1] = {},
): Promise<Certificate> => {
  await using fake: RunningFakeServer = await startFakeServer({ transfers: 1000, ...options })
  return await ofUrl(fake.url, limits)
}

/** The ids of the laws that have a verdict. */
export const withVerdict = (certificate: Certificate, verdict: string): ReadonlyArray<string> =>
  certificate.laws.filter((law) => law.verdict === verdict).map(({ id }) => id)
