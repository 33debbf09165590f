import { expect, test } from "vitest"
import * as Quantity from "../src/Quantity.ts"

test.each([
  [0.4, "0s"],
  [59, "59s"],
  [60, "1m 0s"],
  [3599, "59m 59s"],
  [5400, "1h 30m"],
  [86_399, "23h 59m"],
  [86_400, "1d 0h"],
  [16_569 * 3600 + 31 * 60, "690d 9h"],
])("%d seconds are %s", (seconds, text) => {
  expect(Quantity.duration(seconds)).toBe(text)
})
