/** A large reconciliation makes no more than its answer shows, and keeps no other call waiting. */
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import * as Turns from "../src/internal/Turns.ts"
import * as Tools from "./Tools.ts"

const ledger = [{ key: "k", amount: "2.00", currency_code: "fiat/USD" }]

test.each([
  ["as many breaks", {}],
  ["a break of one key", { external_id: "k" }],
])("of 5,000 transfers in %s only those become JSON that the answer shows", async (_, more) => {
  const transfers = Array.from({ length: 5000 }, (_, minute) => Tools.transfer(minute, more))
  let made = 0
  const tools = Tools.over(transfers, (fields) => {
    if ("created_at" in fields) made++
    return fields
  })
  const answer = await Effect.runPromise(Effect.flatMap(tools, ({ reconcile }) => reconcile({ ledger })))
  const { breaks, totals } = Object(answer.data)
  const shown = breaks.flatMap((each: { readonly transfers: ReadonlyArray<unknown> }) => each.transfers).length
  expect(shown).toBeGreaterThan(50)
  expect(made).toBeLessThan(shown + 5)
  expect(totals[breaks.at(-1).outcome].transfers).toBe(5000)
  expect(answer).toMatchObject({ truncated: true, hint: expect.stringContaining("The totals count all breaks") })
  expect(JSON.stringify(answer.data).length).toBeLessThan(42_000)
})

test("a break has both of its sides, with all digits of their numbers", async () => {
  const transfers = [Tools.transfer(1, { external_id: "k", rate: JsonValue.parse("1.10") })]
  const { data } = await Effect.runPromise(
    Effect.flatMap(Tools.over(transfers), ({ reconcile }) => reconcile({ ledger })),
  )
  expect(Object(data).breaks).toMatchObject([
    {
      outcome: "Differs",
      ledger: [{ reference: "row 1", key: "k", amount: { amount: "2.00", currency_code: "fiat/USD" } }],
      transfers: [{ id: "tr_1" }],
      differences: [{ difference: { amount: "-1.00", currency_code: "fiat/USD" } }],
    },
  ])
  expect(JSON.stringify(data)).toContain('"rate":1.10')
})

test("waits for the turn of a large call, unlike what holds few transfers", async () => {
  const taken: Array<boolean> = []
  const ask = Effect.gen(function* () {
    const { reconcile, search_transfers, summarise } = yield* Tools.over([Tools.transfer(1)])
    yield* Effect.all([search_transfers({}), summarise({}), reconcile({ ledger })])
  })
  const take: Turns.Take = (call, { isLarge } = { isLarge: false }) => {
    taken.push(isLarge)
    return call
  }
  await Effect.runPromise(Effect.provideService(ask, Turns.Turn, take))
  expect(taken).toEqual([false, false, true])
})
