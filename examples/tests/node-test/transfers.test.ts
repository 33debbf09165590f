import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { type FakeOptions } from "@transferkit/fake/FakeOptions"
import { startFakeServer } from "@transferkit/fake/FakeServer"

/** A fake that stops when the test ends. */
const startFake = async (context: TestContext, options: FakeOptions = { transfers: 45 }) => {
  const fake = await startFakeServer(options)
  context.after(() => fake.close())
  return fake
}

const search = (url: string) =>
  fetch(`${url}/v1/transfers/search?limit=20`, { headers: { authorization: `Basic ${btoa("demo:demo-secret")}` } })

test("reads a page", async (context) => {
  const fake = await startFake(context)
  const { results } = Object(await (await search(fake.url)).json())
  assert.equal(results.length, 20)
  fake.expectRequests({ path: "/v1/transfers/search", limit: "20" }, 1)
})

test("meets a connection that breaks", async (context) => {
  const fake = await startFake(context)
  fake.addFaults({ times: 1, faults: [{ fault: "reset", at: "before" }] })
  await assert.rejects(search(fake.url))
  assert.equal((await search(fake.url)).status, 200)
})
