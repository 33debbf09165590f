import { startFakeServer } from "@transferkit/fake/FakeServer"
import { test as base, expect } from "vitest"

/** A fake for each test that asks for one. */
const test = base.extend("fake", async ({ task: _ }, { onCleanup }) => {
  const fake = await startFakeServer({ transfers: 45 })
  onCleanup(() => fake.close())
  return fake
})

const search = (url: string) =>
  fetch(`${url}/v1/transfers/search?limit=20`, { headers: { authorization: `Basic ${btoa("demo:demo-secret")}` } })

test("reads a page", async ({ fake }) => {
  const { results } = Object(await (await search(fake.url)).json())
  expect(results).toHaveLength(20)
  fake.expectRequests({ path: "/v1/transfers/search", limit: "20" }, 1)
})

test("meets a service that is down", async ({ fake }) => {
  fake.addFaults({ times: 1, faults: [{ fault: "status", status: 503 }] })
  expect((await search(fake.url)).status).toBe(503)
  expect((await search(fake.url)).status).toBe(200)
})
