import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import { expect, test } from "vitest"
import * as Money from "../src/Money.ts"

const money = (text: string, currency: "fiat/USD" | "fiat/EUR" = "fiat/USD") => Money.parseUnsafe(text, currency)

test("equal amounts of a currency have one hash, and others hashes of their own", () => {
  const hashes = [money("1.10"), money("1.1"), money("1.100"), money("1.1000")].map(Hash.hash)
  expect(new Set(hashes).size).toBe(1)
  const others = [money("1.10"), money("1.11"), money("-1.10"), money("1.10", "fiat/EUR"), money("0"), money("11")]
  expect(new Set(others.map(Hash.hash)).size).toBe(others.length)
  expect(Equal.equals(money("1.10"), money("1.1"))).toBe(true)
})
