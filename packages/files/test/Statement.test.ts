/** Amounts and rows that all formats of bank statements share. */
import { describe, expect, test } from "vitest"
import * as Statement from "../src/statements/Statement.ts"

describe("the units of an amount", () => {
  test.each<[string, boolean, bigint | undefined]>([
    ["28.49", false, 28_490_000_000_000_000_000n],
    ["28.49", true, -28_490_000_000_000_000_000n],
    ["0.000000000000000001", false, 1n],
    ["0.0000000000000000001", false, undefined],
    ["-28.49", false, undefined],
    ["28,49", false, undefined],
    ["", false, undefined],
  ])("%j (a debit: %s) are %s", (text, isDebit, units) => {
    expect(Statement.units(text, isDebit)).toBe(units)
  })

  test("are a text again, without zeros at its end", () => {
    expect([28_490_000_000_000_000_000n, -1n, 0n].map(Statement.toText)).toEqual([
      "28.49",
      "-0.000000000000000001",
      "0",
    ])
  })
})

test("a debit has a minus, unless it is zero", () => {
  const signed = (text: string) => [Statement.signed(text, true), Statement.signed(text, false)]
  expect(["28.49", "0.05", "0.00"].flatMap(signed)).toEqual(["-28.49", "28.49", "-0.05", "0.05", "0.00", "0.00"])
})

test("a row has its texts without blanks around them, and no text that stands for none", () => {
  const transaction = { Amt: "5", EndToEndId: " NOTPROVIDED ", NtryRef: "NONREF", TxId: " a b ", Ustrd: "NONREF b" }
  expect(Statement.toRow("entry 1", transaction)).toEqual({
    place: "entry 1",
    numbers: new Map([[1, "plain"]]),
    cells: [
      undefined,
      "5",
      undefined,
      undefined,
      undefined,
      undefined,
      "a b",
      undefined,
      undefined,
      undefined,
      "NONREF b",
    ],
  })
})

test("an imbalance is named with both sums", () => {
  expect(Statement.imbalance(1n, 2n, 3n)).toBeUndefined()
  expect(Statement.imbalance(10n ** 18n, 2n * 10n ** 18n, 5n * 10n ** 18n)).toBe(
    "its entries add up to 2, but its balances differ by 4. Is the statement complete?",
  )
})
