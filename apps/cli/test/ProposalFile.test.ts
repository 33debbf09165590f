import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as ProposalFile from "../src/files/ProposalFile.ts"

test.each([
  ["one proposal", '{"a":1}', [{ a: 1 }]],
  ["an array", '[{"a":1},2]', [{ a: 1 }, 2]],
  ["an object with transfers", '{"transfers":[{"a":1}]}', [{ a: 1 }]],
  ["a value a line, blank lines between", '{"a":1}\n\n{"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
  ["a byte order mark", '\ufeff{"a":1}', [{ a: 1 }]],
])("reads %s", (_, text, proposals) => {
  expect(ProposalFile.parse(text)).toEqual(Result.succeed(proposals))
})

test.each([
  ["", "it is not JSON"],
  ["{", "it is not JSON"],
  ["[]", "the list is empty"],
  ['{"a":1}\n{"a":', "it is not JSON: line 2, column 6: expected a value, found the end of the text"],
])("rejects %j with a reason", (text, reason) => {
  const result = ProposalFile.parse(text)
  expect(Result.isFailure(result) && result.failure).toContain(reason)
})
