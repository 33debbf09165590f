import { expect, test } from "vitest"
import { startFakeServer } from "../src/FakeServer.ts"
import type * as Journal from "../src/Journal.ts"

const authorization = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`

test("counts requests, faults and transfers at /metrics, whatever is removed from the journal", async () => {
  const told: Array<Journal.Entry> = []
  const onRequest = (entry: Journal.Entry) => void told.push(entry)
  await using fake = await startFakeServer({ transfers: 7, journalSize: 0, onRequest })
  const get = (path: string, headers: Readonly<Record<string, string>> = { authorization }) =>
    fetch(`${fake.url}${path}`, { headers })
  fake.addFaults({ when: { request: 1 }, faults: [{ fault: "rate_limited" }] })
  await get("/v1/transfers/search")
  await get("/v1/transfers/search")
  await get("/v1/capabilities", {})
  await get("/v1/made/up?by=a%22caller")
  await fetch(`${fake.url}/_fake/requests`, { method: "DELETE" })
  const response = await get("/metrics")
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4")
  const text = await response.text()
  for (const line of [
    "# TYPE transfers_fake_requests_total counter",
    'transfers_fake_requests_total{path="/v1/transfers/search",status="429"} 1',
    'transfers_fake_requests_total{path="/v1/transfers/search",status="200"} 1',
    'transfers_fake_requests_total{path="/v1/capabilities",status="401"} 1',
    'transfers_fake_requests_total{path="other",status="404"} 1',
    'transfers_fake_faults_total{fault="rate_limited"} 1',
    'transfers_fake_transfers{partner="demo"} 7',
  ]) {
    expect(text.split("\n")).toContain(line)
  }
  expect(text).not.toContain("made")
  expect((await fetch(`${fake.url}/metrics`, { method: "POST" })).status).toBe(405)
  expect(told.map(({ status }) => status)).toEqual([429, 200, 401, 404])
})
