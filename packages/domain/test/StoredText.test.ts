/** Escaping loses nothing, confuses no two texts, and leaves only what a store can hold: every text of up to four pieces. */
import { expect, test } from "vitest"
import * as StoredText from "../src/StoredText.ts"

/** What escapes are made of, and halves of pairs in any order. */
const pieces = ["\\", "\\u", "d800", "0000", "\ud800", "\udc00", "\0", "a", '"', "\u{1f600}"]

const texts = (most: number): ReadonlyArray<string> =>
  most === 0 ? [""] : ["", ...texts(most - 1).flatMap((text) => pieces.map((piece) => piece + text))]

test("every text is read back as it was, and can be held", () => {
  const stored = new Set<string>()
  const all = new Set(texts(4))
  for (const text of all) {
    const escaped = StoredText.escape(text)
    stored.add(escaped)
    if (StoredText.unescape(escaped) !== text || !escaped.isWellFormed() || escaped.includes("\0")) {
      expect.unreachable(`${JSON.stringify(text)} became ${JSON.stringify(escaped)}`)
    }
  }
  expect(stored.size).toBe(all.size)
  expect(all.size).toBeGreaterThan(5000)
})

test("so is JSON, names included, and what a store takes out of it is the escaped text", () => {
  for (const text of texts(3)) {
    const json = JSON.stringify({ [`n${text}`]: text, list: [text, 1.5] })
    const stored = StoredText.escapeJson(json)
    expect(StoredText.unescapeJson(stored)).toBe(json)
    const escaped = StoredText.escape(text)
    expect(JSON.parse(stored)).toEqual({ [StoredText.escape(`n${text}`)]: escaped, list: [escaped, 1.5] })
  }
})
