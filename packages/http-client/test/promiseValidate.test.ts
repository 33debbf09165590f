/** `client.validate`: verdicts in one call, by capabilities that are read when they are needed. */
import { readFileSync } from "node:fs"
import * as Validation from "@transferkit/domain/Validation"
import { expect, expectTypeOf, test } from "vitest"
import { type Capabilities, createTransferClient, type Verdict, type Violation } from "../src/promise.ts"
import * as Service from "./Service.ts"

const capabilities = readFileSync(new URL("golden/capabilities.json", import.meta.url), "utf8")

const serve = () => Service.start(Service.respond(200, capabilities))

const clientOf = (baseUrl: string) => createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret" })

const proposal = {
  external_id: "order-1",
  country_code: "US",
  payment_method: "ach",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

test("a proposal, a list, the envelope and their JSON text have verdicts in order, for one request", async () => {
  await using service = await serve()
  const client = clientOf(service.url)
  const [verdict] = await client.validate(proposal)
  const expected = Validation.validateAll([proposal], JSON.parse(capabilities))
  expect([verdict]).toEqual(expected)
  const other = { ...proposal, country_code: "AQ" }
  const many = await client.validate([proposal, other, other])
  expect(many).toEqual(Validation.validateAll([proposal, other, other], JSON.parse(capabilities)))
  expect(many[1]?.violations.map(({ code }) => code)).toContain("unsupported_country")
  for (const given of [
    { transfers: [proposal] },
    JSON.stringify(proposal),
    JSON.stringify({ transfers: [proposal] }),
  ]) {
    expect(await client.validate(given)).toEqual(expected)
  }
  expect(service.requests.map(({ url }) => url)).toEqual(["/v1/capabilities"])
})

test("capabilities are read again once they are older than maxAge, and not kept after a failure", async () => {
  await using service = await Service.start(Service.respond(500, ""), Service.respond(200, capabilities))
  const client = clientOf(service.url)
  await expect(client.validate(proposal, { retries: 0 })).rejects.toMatchObject({ code: "service_unavailable" })
  await client.validate(proposal, { maxAge: 60_000 })
  await client.validate(proposal)
  expect(service.requests).toHaveLength(2)
  await client.validate(proposal, { maxAge: 0 })
  expect(service.requests).toHaveLength(3)
})

test.each([
  ["an empty list", []],
  ["a text that is not JSON", "{"],
  ["a text with a name twice", '{"source":{"amount":"9","amount":"1"}}'],
  ["a number", 7],
  ["nothing", undefined],
])("%s holds no proposal, and asks the service for nothing", async (_, given) => {
  await using service = await serve()
  await expect(clientOf(service.url).validate(given)).rejects.toMatchObject({
    name: "MalformedProposals",
    code: "malformed_proposals",
    isRetryable: false,
    reason: expect.any(String),
  })
  expect(service.requests).toEqual([])
})

test.each([[-1], [Number.NaN], ["soon"]])("a maxAge of %s is rejected by name", async (maxAge) => {
  const options = { maxAge: maxAge as number }
  await expect(clientOf("https://example.com").validate(proposal, options)).rejects.toMatchObject({ setting: "maxAge" })
})

test("its types are those of the domain, which accepts the client's capabilities", () => {
  expectTypeOf<Validation.Verdict>().toEqualTypeOf<Verdict>()
  expectTypeOf<Validation.Violation>().toEqualTypeOf<Violation>()
  expectTypeOf<Capabilities>().toExtend<Parameters<typeof Validation.validate>[1]>()
})
