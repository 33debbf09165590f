import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposalOf } from "./proposal.ts"
import { capabilitiesText, startService } from "./service.ts"

const proposal = proposalOf("order-1")

describe("a direct invocation", () => {
  it("accepts a valid proposal, and names the capabilities", async () => {
    await using service = await startService()
    expect(await makeLambda(service.url).invoke(proposal)).toEqual({
      valid: true,
      results: [{ index: 0, external_id: "order-1", valid: true, violations: [] }],
      capabilities: { hash: sha256OfSortedJson(capabilitiesText), age_seconds: 0 },
    })
    expect(service.requests).toEqual(["GET /v1/capabilities"])
  })

  it("lists every violation of every proposal, in the order of the request", async () => {
    await using service = await startService()
    const bad = {
      ...proposal,
      external_id: "order-2",
      country_code: "XX",
      source: { amount: "1.001", currency_code: "fiat/USD" },
    }
    const result = await makeLambda(service.url).invoke({ transfers: [bad, proposal, bad, 7] })
    expect(result).toMatchObject({
      valid: false,
      results: [
        {
          index: 0,
          valid: false,
          violations: [
            { code: "unsupported_country" },
            { code: "too_many_fraction_digits" },
            { code: "below_minimum" },
          ],
        },
        { index: 1, valid: true },
        { index: 2, violations: [{ code: "duplicate_external_id" }, {}, {}, {}] },
        { index: 3, violations: [{ code: "missing_field", path: "" }] },
      ],
    })
  })

  it("requests the capabilities once for several invocations", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal)
    await lambda.invoke(proposal)
    expect(service.requests).toHaveLength(1)
  })

  it("validates a thousand proposals in one call and rejects one more", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    const thousand = Array.from({ length: 1000 }, (_, index) => ({ ...proposal, external_id: `order-${index}` }))
    expect(await lambda.invoke({ transfers: thousand })).toMatchObject({ valid: true, results: { length: 1000 } })
    const rejection = lambda.invoke({ transfers: [...thousand, proposal] })
    await expect(rejection).rejects.toMatchObject({
      name: "TooLarge",
      message: expect.stringContaining("1001 proposals"),
    })
  })

  it("fails with Unauthorized if the service rejects the credentials, and does not quote them", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url, { TRANSFERS_SECRET_KEY: "a-wrong-secret" })
    const error = await lambda.invoke(proposal).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: "Unauthorized" })
    expect(`${JSON.stringify(lambda.log)}${error instanceof Error ? error.stack : ""}`).not.toContain("a-wrong-secret")
  })

  it("lists what it accepts if an event is of another kind", async () => {
    await using service = await startService()
    const others: ReadonlyArray<readonly [event: unknown, found: string]> = [
      [null, "null"],
      ["text", "a string"],
      [{}, "an object"],
      [{ hello: "world" }, 'an object with the fields "hello"'],
      [fields(8), 'an object with the fields "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"[.]'],
      [fields(9), 'an object with the fields "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", …[.]'],
      [{ Records: [{ eventSource: "aws:s3" }] }, 'records of "aws:s3"'],
    ]
    for (const [event, found] of others) {
      await expect(makeLambda(service.url).invoke(event)).rejects.toMatchObject({
        name: "UnknownEvent",
        message: expect.stringMatching(`does not accept this event: ${found}.*It accepts a proposal`),
      })
    }
    expect(service.requests).toEqual([])
  })
})

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))

const sha256OfSortedJson = (text: string): string => {
  const sort = (_key: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return `sha256:${createHash("sha256")
    .update(JSON.stringify(JSON.parse(text), sort))
    .digest("hex")}`
}
