// Jest loads ES modules with: NODE_OPTIONS=--experimental-vm-modules npx jest
import { startFakeServer } from "@transferkit/fake/FakeServer"

let fake
beforeEach(async () => {
  fake = await startFakeServer({ transfers: 45 })
})
afterEach(() => fake.close())

const search = () =>
  fetch(`${fake.url}/v1/transfers/search?limit=20`, { headers: { authorization: `Basic ${btoa("demo:demo-secret")}` } })

test("reads a page", async () => {
  const { results } = await (await search()).json()
  expect(results).toHaveLength(20)
  fake.expectRequests({ path: "/v1/transfers/search", limit: "20" }, 1)
})

test("meets a service that limits its rate", async () => {
  fake.addFaults({ times: 1, faults: [{ fault: "rate_limited", retry_after: "1" }] })
  expect((await search()).headers.get("retry-after")).toBe("1")
  expect((await search()).status).toBe(200)
})
