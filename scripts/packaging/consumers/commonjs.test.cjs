// Jest without a flag: the client and the fake by require.
const { startFakeServer } = require("@transferkit/fake/FakeServer")
const { createTransferClient, RateLimited } = require("@transferkit/http-client/promise")

let fake
beforeEach(async () => {
  fake = await startFakeServer({ transfers: 45 })
})
afterEach(() => fake.close())

const clientOf = () =>
  createTransferClient({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret", retries: 0 })

test("reads every transfer", async () => {
  expect(await clientOf().list().toArray({ limit: 100 })).toHaveLength(45)
})

test("meets a service that limits its rate", async () => {
  fake.addFaults({ times: 1, faults: [{ fault: "rate_limited", retry_after: "1" }] })
  await expect(clientOf().search()).rejects.toBeInstanceOf(RateLimited)
})
