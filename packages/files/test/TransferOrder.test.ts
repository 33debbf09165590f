import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as TransferOrder from "../src/formats/TransferOrder.ts"

const transfersOf = (...wires: ReadonlyArray<object>): ReadonlyArray<Transfer> => {
  const results = wires.map((wire, index) => ({
    id: `tr_${index}`,
    kind: "cash_in",
    status: "complete",
    created_at: "2024-09-01T00:00:00Z",
    ...wire,
  }))
  return Result.getOrThrow(TransferPage.fromJson(JSON.stringify({ results, page_info: { has_next_page: false } })))
    .results
}

const key = (text: string): TransferOrder.SortKey => {
  const isDescending = text.startsWith("-")
  const column = TransferColumns.flat.find(({ name }) => name === (isDescending ? text.slice(1) : text))
  if (column === undefined) throw new Error(text)
  return { column, isDescending }
}

const order = (transfers: ReadonlyArray<Transfer>, ...keys: ReadonlyArray<string>) =>
  TransferOrder.sorted(transfers, keys.map(key)).map(({ id }) => Number(id.slice(3)))

const amount = (text: string) => ({ source_total: { amount: text, currency_code: "fiat/USD" } })

test("amounts are sorted by their value, however many digits they have", () => {
  const transfers = transfersOf(
    amount("9007199254740993"),
    amount("9007199254740992"),
    amount("10"),
    amount("9.90"),
    amount("-1"),
    amount("9007199254740992.000000000000000001"),
  )
  expect(order(transfers, "source_total_amount")).toEqual([4, 3, 2, 1, 5, 0])
  expect(order(transfers, "-source_total_amount")).toEqual([0, 5, 1, 2, 3, 4])
})

test("times are sorted by their instant, to the nanosecond", () => {
  const transfers = transfersOf(
    { created_at: "2024-09-01T00:00:00.000000002Z" },
    { created_at: "2024-09-01T02:00:00.000000001+02:00" },
    { created_at: "2024-09-01T01:00:00+02:00" },
  )
  expect(order(transfers, "created_at")).toEqual([2, 1, 0])
})

test("transfers without a value come last in either direction, and equal ones are in the order of their ids", () => {
  const transfers = transfersOf({}, amount("2"), amount("2.0"), amount("1"))
  expect(order(transfers.toReversed(), "source_total_amount")).toEqual([3, 1, 2, 0])
  expect(order(transfers.toReversed(), "-source_total_amount")).toEqual([1, 2, 3, 0])
})

test("a further key decides between equal values of the first", () => {
  const transfers = transfersOf(
    { status: "declined", ...amount("1") },
    { status: "complete", ...amount("1") },
    { status: "complete", ...amount("2") },
  )
  expect(order(transfers, "status", "-source_total_amount")).toEqual([2, 1, 0])
})

test("the order does not depend on the one before, for any kind of column", () => {
  const wires = [
    { ...amount("-2"), updated_at: "2024-09-03T00:00:00Z", external_id: "a" },
    { ...amount("10"), updated_at: "2024-09-03T02:00:00+02:00", external_id: "b" },
    { external_id: "b" },
    {},
  ]
  const transfers = transfersOf(...wires)
  const expected = {
    source_total_amount: [0, 1, 2, 3],
    "-source_total_amount": [1, 0, 2, 3],
    updated_at: [0, 1, 2, 3],
    external_id: [0, 1, 2, 3],
    "-external_id": [1, 2, 0, 3],
  }
  let count = 0
  for (const permutation of permutations(transfers)) {
    for (const [name, ids] of Object.entries(expected)) {
      expect(order(permutation, name)).toEqual(ids)
      count++
    }
  }
  expect(count).toBe(24 * 5)
})

function* permutations<A>(all: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  if (all.length === 0) yield []
  for (const [index, first] of all.entries()) {
    for (const rest of permutations(all.toSpliced(index, 1))) yield [first, ...rest]
  }
}
