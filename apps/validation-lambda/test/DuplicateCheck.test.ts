import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { giveCapabilities, startService } from "./service.ts"

const transfer = (id: string, external_id: string) => ({
  id,
  external_id,
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
})

const proposal = (external_id?: string) => ({
  ...(external_id === undefined ? {} : { external_id }),
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})

const startFake = () =>
  startFakeServer({ partners: ["partner:key"], data: [transfer("tr_1", "order-1"), transfer("tr_2", "order 2/ü+&")] })

const on = { TRANSFERS_DUPLICATE_CHECK: "required" }

describe("the duplicate check", () => {
  it("finds external_ids that transfers have, whatever characters they hold", async () => {
    await using fake = await startFake()
    const transfers = [proposal("order-1"), proposal("order-3"), proposal("order 2/ü+&"), proposal()]
    expect(await makeLambda(fake.url, on).invoke({ transfers })).toMatchObject({
      valid: false,
      results: [
        {
          valid: false,
          violations: [
            {
              code: "duplicate_external_id",
              path: "/external_id",
              message: "The transfer tr_1 has this external_id. Give each transfer one of its own.",
              actual: "order-1",
            },
          ],
        },
        { valid: true },
        { valid: false, violations: [{ actual: "order 2/ü+&" }] },
        { valid: true },
      ],
      duplicates: { checked: 3, unchecked: 0 },
    })
  })

  it("reports an external_id once, also where the request repeats it", async () => {
    await using fake = await startFake()
    const answer = await makeLambda(fake.url, on).invoke({ transfers: [proposal("order-1"), proposal("order-1")] })
    expect(answer).toMatchObject({ results: [{ violations: { length: 1 } }, { violations: { length: 1 } }] })
    expect(answer).toMatchObject({ duplicates: { checked: 1 } })
  })

  it("is off unless asked for", async () => {
    await using fake = await startFake()
    const answer = await makeLambda(fake.url).invoke(proposal("order-1"))
    expect(answer).toMatchObject({ valid: true })
    expect(answer).not.toHaveProperty("duplicates")
  })

  it("has at most eight look-ups under way", async () => {
    let underWay = 0
    let most = 0
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return giveCapabilities(request, response)
      most = Math.max(most, (underWay += 1))
      setTimeout(() => {
        underWay -= 1
        response.setHeader("content-type", "application/json")
        response.end('{"results":[],"page_info":{"has_next_page":false}}')
      }, 5)
    })
    const transfers = Array.from({ length: 100 }, (_, index) => proposal(`order-${index}`))
    const answer = await makeLambda(service.url, on).invoke({ transfers })
    expect(answer).toMatchObject({ valid: true, duplicates: { checked: 100 } })
    expect(most).toBe(8)
    expect(service.requests).toHaveLength(101)
  })

  describe.each([
    ["slow", () => undefined],
    ["failing", (response: { readonly destroy: () => unknown }) => void response.destroy()],
  ])("with a %s search", (_, misbehave) => {
    const start = () =>
      startService((request, response) =>
        request.url === "/v1/capabilities" ? giveCapabilities(request, response) : misbehave(response),
      )
    const limit = { TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "100 millis" }

    it("gives no verdict where it is required", async () => {
      await using service = await start()
      await expect(makeLambda(service.url, { ...on, ...limit }).invoke(proposal("order-1"))).rejects.toMatchObject({
        name: "DuplicatesUnchecked",
        message: expect.stringContaining("1 of 1 external_ids could not be looked up"),
      })
    })

    it("says what it left unchecked where it is best-effort", async () => {
      await using service = await start()
      const lambda = makeLambda(service.url, { TRANSFERS_DUPLICATE_CHECK: "best-effort", ...limit })
      expect(await lambda.invoke({ transfers: [proposal("order-1"), proposal("order-2")] })).toMatchObject({
        valid: true,
        duplicates: { checked: 0, unchecked: 2 },
      })
    })
  })
})
