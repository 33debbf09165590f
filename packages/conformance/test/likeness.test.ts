/** A fake that imitates a certificate gets the same certificate, on the same data. */
import type { Certificate } from "@transferkit/conformance/certificate/Certificate"
import * as Certificates from "@transferkit/conformance/certificate/Certificate"
import * as Drift from "@transferkit/conformance/certificate/Drift"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, test } from "vitest"
import * as Certified from "./Certified.ts"
import { dialects } from "./Dialects.ts"
import * as OtherService from "./OtherService.ts"

/** Without what is of one moment only. */
const lasting = ({ made_at: _, ...rest }: Certificate) => rest

describe.each(dialects)("the fake %s", (_, options, found) => {
  test("is certified as it is, and imitated to the last point", async () => {
    const certificate = await Certified.ofFake(options)
    expect(certificate.behaviour).toMatchObject(found)
    const { like: _, order: __, lteToken: ___, defaultLimit: ____, lenient: _____, ...data } = options
    const again = await Certified.ofFake({ ...data, like: certificate.behaviour })
    expect(lasting(again)).toEqual(lasting(certificate))
    expect(Drift.changes(certificate, again)).toEqual([])
  })
})

test.each([
  ["as it is", {}],
  ["with bounds that count to the second", { isCoarse: true }],
])("a service of another maker, %s, is imitated on its data", async (_, options) => {
  await using other = await OtherService.start({ data: OtherService.data, ...options })
  const certificate = await Certified.ofUrl(other.url)
  const again = await Certified.ofFake({ transfers: 0, data: OtherService.data, like: certificate.behaviour })
  expect(certificate.behaviour).toMatchObject({ lte_token: "le", cursor_scope: "any", limit_above: "capped" })
  expect(Drift.changes(certificate, again)).toEqual([])
  const verdicts = ({ laws }: Certificate) => laws.map(({ id, verdict, found }) => [id, verdict, found])
  expect(verdicts(again)).toEqual(verdicts(certificate))
})

describe("drift", () => {
  const changesTo = async (options: Partial<OtherService.Options>) => {
    await using before = await OtherService.start({ data: OtherService.data })
    await using after = await OtherService.start({ data: OtherService.data, ...options })
    const certificate = await Certified.ofUrl(before.url)
    return Drift.changes(certificate, await Certified.ofUrl(after.url)).filter(({ drifted }) => drifted)
  }

  test("of nothing is none", async () => {
    expect(await changesTo({})).toEqual([])
  })

  test("of a single header is found", async () => {
    const changes = await changesTo({ server: "other/2" })
    expect(changes.length).toBeGreaterThan(0)
    for (const { place, before, after } of changes) {
      expect(place).toMatch(/^\/behaviour\/(?:responses\/\w+\/)?headers\/server$/)
      expect([before, after]).toEqual(['"other/1"', '"other/2"'])
    }
  })

  test.each([
    ["one second of the bounds", { offBy: 1 }, "bound-gte"],
    ["one second of precision", { isCoarse: true }, "bound-precision"],
    ["a lost transfer", { fault: "loses a transfer of each page" }, "window"],
  ] as const)("of %s is found", async (_, options, law) => {
    const changes = await changesTo(options)
    expect(changes).toContainEqual(expect.objectContaining({ place: law, after: expect.stringMatching(/^broken: /) }))
  })

  test("is not what can no longer be decided, or can be now", () => {
    const law = { id: "a", meaning: "A", found: "x" }
    const base = { certificate: 1, origin: "", made_at: "", version: "", requests: 0 } as const
    const known: Certificate = { ...base, laws: [{ ...law, verdict: "kept" }], behaviour: { order: "by-id" } }
    const unknown: Certificate = { ...base, laws: [{ ...law, verdict: "not decidable" }], behaviour: {} }
    for (const [before, after] of [
      [known, unknown],
      [unknown, known],
    ] as const) {
      const changes = Drift.changes(before, after)
      expect(changes.map(({ place }) => place)).toEqual(["a", "/behaviour/order"])
      expect(Drift.isDrift(changes)).toBe(false)
    }
    const broken: Certificate = { ...base, laws: [{ ...law, verdict: "broken" }], behaviour: {} }
    expect(Drift.isDrift(Drift.changes(unknown, broken))).toBe(true)
  })
})

test.each<[string, object]>([
  ["a header that ends its line", { headers: { "x-a": "1\r\nset-cookie: b=2" } }],
  ["a status that is none", { responses: { limit_zero: { status: 99, headers: {} } } }],
  ["a body of megabytes", { responses: { limit_zero: { status: 400, headers: {}, body: "x".repeat(1e6) } } }],
  ["20,000 unknown fields", { unknown_fields: Array.from({ length: 20_000 }, (_, at) => `/f${at}`) }],
])("a certificate with %s is rejected", async (_, behaviour) => {
  const head = { certificate: 1, origin: "https://a.example", made_at: "", version: "", requests: 1, laws: [] }
  expect(Certificates.fromJson(JSON.stringify({ ...head, behaviour }))).toMatchObject({ _tag: "Failure" })
})

test("a fake sends one length and one time, whatever its certificate has", async () => {
  const headers = { "content-length": "5", "transfer-encoding": "chunked", date: "x", connection: "upgrade" }
  await using fake = await startFakeServer({ transfers: 100, like: { headers } })
  const authorization = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`
  const response = await fetch(`${fake.url}/v1/transfers/search`, { headers: { authorization } })
  expect(JSON.parse(await response.text()).results).toHaveLength(20)
  expect(response.headers.get("transfer-encoding")).toBe(null)
  expect(response.headers.get("date")).toMatch(/GMT$/)
})
