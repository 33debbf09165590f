import { expect, test } from "vitest"
import * as TerminalCapabilities from "../src/terminal/TerminalCapabilities.ts"

test.each([
  ["a terminal of its size", { isTTY: true, columns: 200 }, 200],
  ["80 columns for a terminal of size 0", { isTTY: true, columns: 0 }, 80],
  ["80 columns for a terminal without a size", { isTTY: true }, 80],
  ["unlimited columns without a terminal", {}, Number.POSITIVE_INFINITY],
])("has %s", (_, stream, columns) => {
  expect(TerminalCapabilities.of(stream, { env: {}, noColour: false }).columns).toBe(columns)
})
