import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Proposals from "../src/Proposals.ts"
import * as Validation from "../src/Validation.ts"
import { capabilities } from "./fixtures/service.ts"

test.each([
  ["one proposal", '{"a":1}', [{ a: 1 }]],
  ["a list, whatever its items are", '[{"a":1},2,null]', [{ a: 1 }, 2, null]],
  ["the envelope", '{"transfers":[{"a":1}]}', [{ a: 1 }]],
  ["a byte order mark", '\ufeff{"a":1}', [{ a: 1 }]],
  ["32 levels", "[".repeat(33) + "]".repeat(33), JSON.parse("[".repeat(33) + "]".repeat(33))],
])("reads %s", (_, text, proposals) => {
  expect(Proposals.parse(text)).toEqual(Result.succeed(proposals))
})

test.each([
  ["no text", " \n", "there is no text"],
  ["a text that is not JSON", "{", "the text is not JSON"],
  ["a number", "7", "the value is neither an object nor a list"],
  ["null", "null", "the value is neither an object nor a list"],
  ["an empty list", "[]", "the list is empty"],
  ["an envelope with an empty list", '{"transfers":[]}', "the list is empty"],
  ["an envelope without a list", '{"transfers":7}', 'the value of "transfers" is not a list'],
  [
    "one proposal too many",
    `[${"{},".repeat(100_000)}{}]`,
    "there are 100001 of them, and at most 100000 are read at once",
  ],
  ["a million empty proposals", `[${"{},".repeat(999_999)}{}]`, "it has more than 250000 commas, lists or objects"],
  [
    "a name twice",
    '[{"a":1},\n {"a":{"b":1,"b":2}}]',
    "line 2, column 14: its object has a name twice: remove one of the two",
  ],
  ["33 levels", `[${"[".repeat(33)}${"]".repeat(33)}]`, `the value at ${"/0".repeat(33)} is more than 32 levels deep`],
])("rejects %s", (_, text, reason) => {
  expect(Proposals.parse(text)).toEqual(Result.fail(new Proposals.MalformedProposals({ reason })))
})

test.each(["12345678901234567890", "1.10", "1e999"])("the digits of %s stand in what is said of it", (digits) => {
  const text = `{"country_code":${digits},"source":{"amount":${digits},"currency_code":"fiat/USD"}}`
  const [read] = Result.getOrThrow(Proposals.parse(text))
  expect(JSON.stringify(read)).toBe(text)
  const violations = Validation.validate(read, capabilities)
  const at = (path: string) => violations.find((violation) => violation.path === path)
  expect(JSON.stringify(at("/country_code")?.actual)).toBe(digits)
  expect(at("/source/amount")?.message).toContain("This is a number.")
  expect(JSON.stringify(at("/source/amount")?.actual)).toBe(digits)
})

test("a number that keeps its digits is no proposal, and no money", () => {
  expect(Proposals.parse("1.10")).toMatchObject({ failure: { reason: "the value is neither an object nor a list" } })
  const [item] = Result.getOrThrow(Proposals.parse("[1.10]"))
  expect(Validation.validate(item, capabilities)).toMatchObject([{ code: "missing_field", path: "" }])
  const [proposal] = Result.getOrThrow(Proposals.parse('{"source":1.10}'))
  expect(Validation.validate(proposal, capabilities).map(({ path }) => path)).toContain("/source")
})

test("rejects a value that is nested too deep, and names the place", () => {
  const text = `{"transfers":[{"a/b":${"[".repeat(200_000)}${"]".repeat(200_000)}}]}`
  const reason = Result.match(Proposals.parse(text), { onFailure: (error) => error.reason, onSuccess: () => "" })
  expect(reason).toBe(`the value at /transfers/0/a~1b${"/0".repeat(30)} is more than 32 levels deep`)
})

test("repeats 200 characters of a place", () => {
  const name = `{"${"x".repeat(100)}":`
  const reason = Result.match(Proposals.parse(`${name.repeat(40)}0${"}".repeat(40)}`), {
    onFailure: (error) => error.reason,
    onSuccess: () => "",
  })
  const place = `/${"x".repeat(64)}`.repeat(4).slice(0, 200)
  expect(reason).toBe(`the value at ${place}… is more than 32 levels deep`)
})

test("skips a byte order mark at the start only", () => {
  expect(Proposals.parse('\ufeff[{"a":"x\ufeffy"}]')).toEqual(Result.succeed([{ a: "x\ufeffy" }]))
  expect(Proposals.parse('[{"a":"x\ufeffy"}]')).toEqual(Result.succeed([{ a: "x\ufeffy" }]))
})

test("an error says what was found, and what to send", () => {
  expect(Result.mapError(Proposals.parse("7"), (error) => error.message)).toEqual(
    Result.fail(
      'These are not proposals: the value is neither an object nor a list. Send one proposal, a list of them, or {"transfers":[…]}, as JSON.',
    ),
  )
})
