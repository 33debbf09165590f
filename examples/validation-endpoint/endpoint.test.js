import assert from "node:assert/strict"
import { once } from "node:events"
import { after, before, describe, test } from "node:test"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as withExpress from "./express.js"
import * as withHono from "./hono.js"

const proposal = {
  external_id: "order-1",
  country_code: "US",
  payment_method: "ach",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

let fake
before(async () => {
  fake = await startFakeServer()
})
after(() => fake.close())

const settings = () => ({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret", retries: 0 })

const request = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body })

const ways = {
  Hono: async (config, body) => withHono.createApp(config).request("/validations", request(body)),
  Express: async (config, body) => {
    const server = withExpress.createApp(config).listen(0, "127.0.0.1")
    await once(server, "listening")
    const response = await fetch(`http://127.0.0.1:${server.address().port}/validations`, request(body))
    server.close()
    return response
  },
}

for (const [name, post] of Object.entries(ways)) {
  describe(name, () => {
    test("accepts a valid proposal", async () => {
      const response = await post(settings(), JSON.stringify(proposal))
      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), {
        verdicts: [{ index: 0, external_id: "order-1", valid: true, violations: [] }],
      })
    })

    test("returns all violations of each proposal", async () => {
      const response = await post(settings(), JSON.stringify([proposal, { ...proposal, country_code: "AQ" }]))
      assert.equal(response.status, 422)
      const { verdicts } = await response.json()
      const codes = verdicts.map(({ violations }) => violations.map(({ code }) => code))
      assert.deepEqual(codes, [[], ["duplicate_external_id", "unsupported_country"]])
    })

    test("rejects what is no proposal, and names no secret if the service cannot be asked", async () => {
      assert.equal((await post(settings(), "{")).status, 400)
      assert.equal((await post(settings(), "[]")).status, 400)
      const refused = await post({ ...settings(), secretKey: "wrong-secret" }, JSON.stringify(proposal))
      assert.equal(refused.status, 502)
      assert.doesNotMatch(await refused.text(), /secret/)
    })
  })
}
