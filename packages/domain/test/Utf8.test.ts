import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Utf8 from "../src/Utf8.ts"

test.each([
  ["Latin-1", Buffer.from("a\nM\u00fcller", "latin1"), 2],
  ["a character that is cut off", Buffer.from("a\n\nM\u00fc").subarray(0, -1), 3],
  ["an overlong form", Buffer.from([0xc0, 0xaf]), 1],
  ["half of a surrogate pair", Buffer.from([0x0a, 0xed, 0xa0, 0x80]), 2],
  ["UTF-16", Buffer.from("\ufeffa", "utf16le"), 1],
])("rejects %s, with its line", (_, bytes, line) => {
  expect(Utf8.decode(bytes)).toEqual(Result.fail(`line ${line}: a character was lost; save the file as UTF-8`))
})

test("keeps a replacement character that was written, and drops a byte order mark", () => {
  expect(Utf8.decode(Buffer.from("\ufeffa\ufffd"))).toEqual(Result.succeed("a\ufffd"))
})
