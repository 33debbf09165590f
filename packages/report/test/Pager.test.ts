import { expect, test } from "vitest"
import * as Pager from "../src/Pager.ts"

const terminal = { isTTY: true, rows: 24 }
const page = "line\n".repeat(24)
const there = { stdin: terminal, stdout: terminal, env: { TERM: "xterm" } }

test.each([
  ["a page that is longer than the terminal", page, there, "less"],
  ["a page that fits", page.slice(5), there, undefined],
  ["output that is not a terminal", page, { ...there, stdout: {} }, undefined],
  ["input that is not a terminal", page, { ...there, stdin: {} }, undefined],
  ["a terminal without a size", page, { ...there, stdout: { isTTY: true, rows: 0 } }, "less"],
  ["a dumb terminal", page, { ...there, env: { TERM: "dumb" } }, undefined],
  ["PAGER", page, { ...there, env: { PAGER: "more -s" } }, "more -s"],
  ["PAGER=cat", page, { ...there, env: { PAGER: "cat" } }, undefined],
  ["an empty PAGER", page, { ...there, env: { PAGER: "" } }, undefined],
])("%s decides about the pager", (_, text, options, pager) => {
  expect(Pager.of(text, options)).toBe(pager)
})
