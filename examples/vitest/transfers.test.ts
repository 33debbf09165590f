import { startFakeServer } from "@transferkit/fake/FakeServer"
import { test as base, expect } from "vitest"
import { openPayouts } from "./openPayouts.ts"

/** A fake for each test that asks for one. */
const test = base.extend("fake", async ({ task: _ }, { onCleanup }) => {
  const fake = await startFakeServer({ transfers: 0 })
  onCleanup(() => fake.close())
  fake.insert(
    Array.from({ length: 45 }, (_, index) => ({
      id: `tr_${index}`,
      status: index < 2 ? "executing" : "complete",
      created_at: "2024-09-05T00:00:00Z",
    })),
  )
  return fake
})

const configOf = ({ url }: { readonly url: string }) => ({ baseUrl: url, partnerId: "demo", secretKey: "demo-secret" })

test("finds what is open on every page", async ({ fake }) => {
  expect((await openPayouts(configOf(fake))).toSorted()).toEqual(["tr_0", "tr_1"])
  fake.expectRequests({ path: "/v1/transfers/search" }, 3)
})

test("survives a page that fails once", async ({ fake }) => {
  fake.addFaults({ when: { path: "/v1/transfers/search", request: 2 }, faults: [{ fault: "status", status: 503 }] })
  expect(await openPayouts(configOf(fake))).toHaveLength(2)
  fake.expectRequests({ status: 503 }, 1)
})
