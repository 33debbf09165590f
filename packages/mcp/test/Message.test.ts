/** What either transport passes on: all that a tool can take, and nothing that costs more than its bytes. */
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Message from "../src/internal/Message.ts"

const callOf = (args: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "any", arguments: args } })

const faultOf = (text: string) => Result.match(Message.read(text), { onSuccess: () => undefined, onFailure: (x) => x })

const row = { key: "order-1", amount: "1.00", currency_code: "fiat/USD", status: "complete" }
const proposal = { external_id: "o", country_code: "US", payment_method: "ach", source: { amount: "1.00" } }

test.each([
  ["the largest ledger", { ledger: Array.from({ length: 2000 }, () => row) }],
  ["1,000 proposals", { proposal: Array.from({ length: 1000 }, () => proposal) }],
  ["1,000 proposals as text", { proposal: JSON.stringify(Array.from({ length: 1000 }, () => proposal)) }],
  ["SQL of 20,000 commas", { sql: ",".repeat(20_000) }],
])("takes %s", (_, args) => {
  expect(faultOf(callOf(args))).toBeUndefined()
})

test("takes 25,000 commas, and not one more", () => {
  const commas = (count: number) => `[${"0,".repeat(count)}0]`
  expect(faultOf(commas(25_000))).toBeUndefined()
  expect(faultOf(commas(25_001))).toMatchObject({ id: null, code: -32_600 })
})

test("rejects a deep message by its id, and by none if it has none that an answer can repeat", () => {
  const deep = JSON.parse("[".repeat(40) + "]".repeat(40))
  expect(faultOf(callOf({ deep }))).toMatchObject({ id: 7, message: "A message has at most 32 levels" })
  for (const id of [undefined, null, {}, 1e300])
    expect(faultOf(JSON.stringify({ id, deep }))).toMatchObject({ id: null })
})

test("tells what is no JSON from what is no request", () => {
  expect(faultOf("{")).toMatchObject({ id: null, code: -32_700 })
})
