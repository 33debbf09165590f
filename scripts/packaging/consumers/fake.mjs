/** The same with the test runner of Node. */
import { equal } from "node:assert/strict"
import { test } from "node:test"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { createTransferClient } from "@transferkit/http-client/promise"

test("every transfer is listed", async () => {
  const fake = await startFakeServer({ transfers: 45 })
  const client = createTransferClient({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret" })
  equal((await client.list().toArray({ limit: 100 })).length, 45)
  await fake[Symbol.asyncDispose]()
})
