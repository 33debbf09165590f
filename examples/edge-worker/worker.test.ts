import assert from "node:assert/strict"
import { test } from "node:test"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import worker from "./worker.js"

const transfer = (id: string, status: string, created_at: string) => ({
  id,
  status,
  created_at,
  source_total: { amount: "0.10", currency_code: "fiat/USD" },
})

test("adds the completed transfers of a day without rounding", async (context) => {
  const fake = await startFakeServer({ transfers: 0 })
  context.after(() => fake.close())
  fake.insert([
    ...Array.from({ length: 30 }, (_, index) => transfer(`tr_${index}`, "complete", "2024-09-05T12:00:00Z")),
    transfer("tr_declined", "declined", "2024-09-05T12:00:00Z"),
    transfer("tr_later", "complete", "2024-09-06T00:00:00Z"),
  ])
  const request = new Request("http://edge/?since=2024-09-05T00:00:00Z&until=2024-09-06T00:00:00Z")
  const response = await worker.fetch(request, {
    TRANSFERS_BASE_URL: fake.url,
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  })
  assert.deepEqual(await response.json(), { transfers: 31, totals: { "fiat/USD": "3" } })
})
