import * as Money from "@transferkit/domain/Money"
import { expect, test } from "vitest"
import * as LargestLines from "../src/LargestLines.ts"
import type { Line } from "../src/ReconciliationLines.ts"

const line = (key: string, amount: string, code: "fiat/USD" | "fiat/JPY", difference?: string): Line => ({
  outcome: "Differs",
  break: true,
  key,
  reference: undefined,
  date: undefined,
  transfer_id: undefined,
  ledger: Money.parseUnsafe(amount, code),
  service: undefined,
  difference: difference === undefined ? undefined : Money.parseUnsafe(difference, code),
  why: "",
})

test("keeps all lines if they are few enough", () => {
  const lines = [line("a", "1", "fiat/USD"), line("b", "3", "fiat/USD")]
  expect(LargestLines.of(lines, 2)).toEqual({ lines, omitted: 0 })
})

test("keeps the largest of each currency, in the order of the report", () => {
  const lines = [
    ...Array.from({ length: 1000 }, (_, index) => line(`yen ${index}`, `${(index * 7919) % 1000}`, "fiat/JPY")),
    line("small", "900000", "fiat/USD", "-0.01"),
    line("large", "1", "fiat/USD", "-5000000"),
    line("middle", "70", "fiat/USD"),
  ]
  const { lines: kept, omitted } = LargestLines.of(lines, 5)
  const keys = kept.map(({ key }) => key)
  expect(omitted).toBe(998)
  expect(keys.slice(3)).toEqual(["large", "middle"])
  expect(kept.slice(0, 3).map(({ ledger }) => Number(ledger?.text))).toEqual(
    lines.flatMap(({ ledger }) => (ledger !== undefined && /^99[789]$/.test(ledger.text) ? [Number(ledger.text)] : [])),
  )
})

test("keeps two lines with a value in dollars for one without, whatever currencies the others have", () => {
  const valued = Array.from({ length: 40 }, (_, index) => ({
    ...line(`valued ${index}`, "1", "fiat/JPY"),
    usd: Money.parseUnsafe(`${1000 + index}`, "fiat/USD"),
  }))
  const others = (["bitcoin/BTC", "ethereum/ETH", "fiat/EUR", "solana/SOL"] as const).flatMap((code) =>
    Array.from({ length: 10 }, (_, index) => ({
      ...line(`${code} ${index}`, "1", "fiat/JPY"),
      ledger: Money.parseUnsafe(`${index}`, code),
    })),
  )
  const keys = LargestLines.of([...others, ...valued], 15).lines.map(({ key }) => key)
  expect(keys.filter((key) => key.startsWith("valued"))).toEqual(
    Array.from({ length: 10 }, (_, index) => `valued ${30 + index}`),
  )
  expect(keys).toEqual(expect.arrayContaining(["bitcoin/BTC 9", "ethereum/ETH 9", "fiat/EUR 9", "solana/SOL 9"]))
  const few = LargestLines.of([...others.slice(0, 2), ...valued], 15).lines
  expect(few.filter(({ usd }) => usd !== undefined)).toHaveLength(13)
})

test("does not depend on how many lines come before it decides", () => {
  const lines = Array.from({ length: 997 }, (_, index) =>
    line(`${index}`, `${(index * 389) % 997}`, index % 3 === 0 ? "fiat/USD" : "fiat/JPY"),
  )
  const kept = LargestLines.of(lines, 100).lines
  const bySize = (code: string) =>
    lines
      .filter(({ ledger }) => ledger?.currency_code === code)
      .toSorted((a, b) => Number(b.ledger?.text) - Number(a.ledger?.text))
      .slice(0, 50)
  expect(new Set(kept)).toEqual(new Set([...bySize("fiat/USD"), ...bySize("fiat/JPY")]))
})
