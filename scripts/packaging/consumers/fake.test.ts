/** A test of a user, with the fake of the service in its own process. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { createTransferClient } from "@transferkit/http-client/promise"
import { expect, test } from "vitest"

test("a page that fails once is retried", async () => {
  await using fake = await startFakeServer({ transfers: 45 })
  fake.addFaults({ when: { path: "/v1/transfers/search", request: 2 }, faults: [{ fault: "status", status: 503 }] })
  const client = createTransferClient({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret" })
  expect(await client.list().toArray({ limit: 100 })).toHaveLength(45)
  fake.expectRequests({ status: 503 }, 1)
})
