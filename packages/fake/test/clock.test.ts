/** The clock of a fake: where it starts, and the transfers that arrive while it runs. */
import { FakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

test("generates the transfers of a year before now, the same for the same now", async () => {
  await using fake = await startFakeServer({ transfers: 400, now: "2030-06-15T12:00:00+02:00" })
  await using again = await startFakeServer({ transfers: 400, now: "2030-06-15T10:00:00Z" })
  const { ids } = await pageThrough(fake.url)
  expect(ids).toHaveLength(400)
  expect((await pageThrough(again.url)).ids).toEqual(ids)
  expect((await call(`${fake.url}${search}?limit=1`)).json.results[0].created_at).toMatch(/^2030-06-1[2-5]T/)
  const count = async (range: string) => (await call(`${fake.url}${search}?${range}`)).json.results.length
  expect(await count("created_at=lt:2029-06-14T10:00:00Z")).toBe(0)
  expect(await count("created_at=gte:2030-06-15T10:00:00Z")).toBe(0)
  expect((await call(`${fake.url}/_fake/health`)).json.now).toBe("2030-06-15T10:00:00Z")
})

test("has the same transfers in every run unless an option says otherwise", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  await using fixed = await startFakeServer({ transfers: 3, now: "2025-01-01" })
  const { text } = await call(fake.url + search)
  expect(text).toContain('"created_at":"2024-')
  expect((await call(fixed.url + search)).text).toBe(text)
})

test("lets transfers arrive at their rate, and settles them as the clock runs", () =>
  Effect.gen(function* () {
    const fake = yield* FakeServer
    const partners = async () => (await call(`${fake.url}/_fake/health`)).json.partners
    const read = (credentials: string) =>
      Effect.promise(async () => (await call(`${fake.url}${search}?limit=20`, { credentials })).json.results)
    yield* TestClock.adjust("4 seconds")
    expect(yield* Effect.promise(partners)).toEqual([
      { partner: "a", transfers: 8 },
      { partner: "b", transfers: 8 },
    ])
    const [latest] = yield* read("a:1")
    expect(latest).toMatchObject({ status: "executing", created_at: "2026-03-01T00:00:04.000000Z" })
    expect((yield* read("b:2"))[0].id).not.toBe(latest.id)
    yield* TestClock.adjust("20 minutes")
    const settled = yield* Effect.promise(
      async () => (await call(`${fake.url}/_fake/transfers/${latest.id}`, { credentials: "a:1" })).json,
    )
    expect(["complete", "declined"]).toContain(settled.status)
    // A reset sets the clock back; it catches up.
    yield* Effect.promise(() => call(`${fake.url}/_fake/reset`, { method: "POST" }))
    yield* TestClock.adjust("500 millis")
    expect((yield* read("a:1")).map(({ created_at }: { readonly created_at: string }) => created_at)).toEqual([
      "2026-03-01T00:20:04.500000Z",
    ])
    // Advanced by an operation, it goes on from there.
    yield* Effect.promise(() => call(`${fake.url}/_fake/clock/advance`, { method: "POST", body: { by: "1h" } }))
    yield* TestClock.adjust("500 millis")
    expect((yield* read("a:1"))[0].created_at).toBe("2026-03-01T01:20:05.000000Z")
  }).pipe(
    Effect.provide(
      FakeServer.layer({ partners: ["a:1", "b:2"], now: "2026-03-01", arrivals: { requests: 2, perMs: 1000 } }),
    ),
    Effect.provide(TestClock.layer()),
    Effect.scoped,
    Effect.runPromise,
  ))
