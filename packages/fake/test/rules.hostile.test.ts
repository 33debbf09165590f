/** Rules that ask for a million transfers in a few kilobytes: the fake inserts as many as a request may, and goes on. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"

test("a thousand rules that insert 10,000 transfers each insert 10,000, in bounded time and memory", async () => {
  await using fake = await startFakeServer()
  const add = (body: unknown) => call(`${fake.url}/_fake/faults`, { method: "POST", body })
  const fault = { fault: "insert", count: 10_000 }
  expect((await add({ faults: Array.from({ length: 100 }, () => fault) })).status).toBe(400)
  expect((await add(Array.from({ length: 1000 }, () => ({ faults: [fault] })))).status).toBe(201)
  const before = process.memoryUsage().rss
  const begun = performance.now()
  expect((await call(`${fake.url}/v1/transfers/search?limit=1`)).status).toBe(200)
  expect((await call(`${fake.url}/_fake/count`)).json).toMatchObject({ count: 10_000 })
  expect(performance.now() - begun).toBeLessThan(20_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2)
  expect(fake.requests()[0]?.problems).toHaveLength(999)
})
