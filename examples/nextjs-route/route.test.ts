import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { GET } from "./app/api/transfers/[externalId]/route.ts"

let fake: RunningFakeServer

before(async () => {
  fake = await startFakeServer({ transfers: 0 })
  fake.insert([
    {
      id: "tr_1",
      external_id: "order-1",
      created_at: "2024-09-05T00:00:00Z",
      source_total: { amount: "10.00", currency_code: "fiat/USD" },
    },
  ])
  process.env["TRANSFERS_BASE_URL"] = fake.url
  process.env["TRANSFERS_PARTNER_ID"] = "demo"
  process.env["TRANSFERS_SECRET_KEY"] = "demo-secret"
})
after(() => fake.close())

const get = (externalId: string) =>
  GET(new Request(`http://localhost/api/transfers/${externalId}`), { params: Promise.resolve({ externalId }) })

test("returns the transfers of an order, with exact amounts", async () => {
  const response = await get("order-1")
  assert.equal(response.status, 200)
  const { transfers } = Object(await response.json())
  assert.equal(transfers.length, 1)
  assert.deepEqual(transfers[0].source_total, { amount: "10.00", currency_code: "fiat/USD" })
})

test("responds 404 for an order without transfers", async () => {
  assert.equal((await get("order-2")).status, 404)
})

test("responds 502 without a secret in the body if the service rejects the key", async () => {
  process.env["TRANSFERS_SECRET_KEY"] = "wrong-secret"
  const response = await get("order-1")
  assert.equal(response.status, 502)
  assert.doesNotMatch(await response.text(), /secret/)
})
