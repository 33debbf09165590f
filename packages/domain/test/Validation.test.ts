/** Validation reports each code at the right path, with the limit and the nearest valid value. */
import { describe, expect, test } from "vitest"
import * as Validation from "../src/Validation.ts"
import { invalidAmounts } from "./fixtures/invalidAmounts.ts"
import { capabilities, proposal } from "./fixtures/service.ts"

const validate = (changes: Record<string, unknown>) => Validation.validate({ ...proposal, ...changes }, capabilities)
const source = (amount: unknown, currency_code: unknown = "fiat/USD") => ({ source: { amount, currency_code } })
const brief = (changes: Record<string, unknown>) => validate(changes).map(({ message: _, ...rest }) => rest)

describe("accepts", () => {
  test.each([
    ["the proposal of the contract", {}],
    ["one without external_id", { external_id: undefined }],
    ["one whose external_id is null", { external_id: null }],
    ["the minimum", source("5.00")],
    ["the maximum", source("2500.00")],
    ["fewer digits than there may be", source("100")],
    ["crypto to fiat", { ...source("0.000000000000000001", "ethereum/ETH"), destination_currency_code: "fiat/EUR" }],
    ["fields it does not know", { note: "hello" }],
  ])("%s", (_, changes) => {
    expect(validate(changes)).toEqual([])
  })
})

describe("finds", () => {
  test.each([
    [
      "unsupported_country",
      { country_code: "XX" },
      [{ code: "unsupported_country", path: "/country_code", actual: "XX" }],
    ],
    [
      "unsupported_payment_method",
      { payment_method: "cash" },
      [{ code: "unsupported_payment_method", path: "/payment_method", actual: "cash" }],
    ],
    [
      "unsupported_currency of the destination",
      { destination_currency_code: "bitcoin/BTC" },
      [{ code: "unsupported_currency", path: "/destination_currency_code", actual: "bitcoin/BTC" }],
    ],
    [
      "unsupported_currency of the source",
      source("1", "fiat/CHF"),
      [{ code: "unsupported_currency", path: "/source/currency_code", actual: "fiat/CHF" }],
    ],
    [
      "a currency that is no code",
      source("1", "USD"),
      [{ code: "unsupported_currency", path: "/source/currency_code", actual: "USD" }],
    ],
    [
      "fiat on both sides",
      { destination_currency_code: "fiat/EUR" },
      [{ code: "unsupported_currency", path: "/destination_currency_code", actual: "fiat/EUR" }],
    ],
    [
      "not_fiat",
      source("1", "ethereum/ETH"),
      [{ code: "not_fiat", path: "/destination_currency_code", actual: "ethereum/USDC" }],
    ],
    [
      "no_limit_for_currency of the source",
      source("100.00", "fiat/GBP"),
      [{ code: "no_limit_for_currency", path: "/source/currency_code", actual: "fiat/GBP" }],
    ],
    [
      "no_limit_for_currency of the destination",
      { ...source("1", "ethereum/ETH"), destination_currency_code: "fiat/GBP" },
      [{ code: "no_limit_for_currency", path: "/destination_currency_code", actual: "fiat/GBP" }],
    ],
    [
      "below_minimum",
      source("4.99"),
      [{ code: "below_minimum", path: "/source/amount", actual: "4.99", limit: "5.00", nearest: "5.00" }],
    ],
    [
      "below_minimum at zero",
      source("0"),
      [{ code: "below_minimum", path: "/source/amount", actual: "0", limit: "5.00", nearest: "5.00" }],
    ],
    [
      "below_minimum below zero",
      source("-5.00"),
      [{ code: "below_minimum", path: "/source/amount", actual: "-5.00", limit: "5.00", nearest: "5.00" }],
    ],
    [
      "above_maximum",
      source("2500.01"),
      [{ code: "above_maximum", path: "/source/amount", actual: "2500.01", limit: "2500.00", nearest: "2500.00" }],
    ],
    [
      "too_many_fraction_digits",
      source("100.005"),
      [{ code: "too_many_fraction_digits", path: "/source/amount", actual: "100.005", limit: "2", nearest: "100.00" }],
    ],
    [
      "too many digits and too little, with one nearest",
      source("4.9999"),
      [
        { code: "too_many_fraction_digits", path: "/source/amount", actual: "4.9999", limit: "2", nearest: "5.00" },
        { code: "below_minimum", path: "/source/amount", actual: "4.9999", limit: "5.00", nearest: "5.00" },
      ],
    ],
    [
      "nothing of crypto",
      { ...source("0.00", "ethereum/ETH"), destination_currency_code: "fiat/EUR" },
      [{ code: "invalid_amount", path: "/source/amount", actual: "0.00" }],
    ],
    [
      "an amount of crypto below zero",
      { ...source("-0.5", "ethereum/ETH"), destination_currency_code: "fiat/EUR" },
      [{ code: "invalid_amount", path: "/source/amount", actual: "-0.5" }],
    ],
    ["null for an amount", source(null), [{ code: "missing_field", path: "/source/amount", actual: null }]],
    ["an empty external_id", { external_id: "" }, [{ code: "missing_field", path: "/external_id", actual: "" }]],
    ["a number for an amount", source(100), [{ code: "invalid_amount", path: "/source/amount", actual: 100 }]],
    [
      "missing fields, all of them",
      { country_code: undefined, payment_method: null, source: 5, destination_currency_code: undefined },
      [
        { code: "missing_field", path: "/country_code" },
        { code: "missing_field", path: "/payment_method", actual: null },
        { code: "missing_field", path: "/source", actual: 5 },
        { code: "missing_field", path: "/destination_currency_code" },
      ],
    ],
    [
      "missing parts of the source",
      { source: {} },
      [
        { code: "missing_field", path: "/source/amount" },
        { code: "missing_field", path: "/source/currency_code" },
      ],
    ],
    [
      "an external_id that is no text",
      { external_id: 7 },
      [{ code: "missing_field", path: "/external_id", actual: 7 }],
    ],
    [
      "everything at once, in the order of the fields",
      { country_code: "XX", payment_method: "cash", ...source("1"), destination_currency_code: "a/b" },
      [
        { code: "unsupported_country", path: "/country_code", actual: "XX" },
        { code: "unsupported_payment_method", path: "/payment_method", actual: "cash" },
        { code: "below_minimum", path: "/source/amount", actual: "1", limit: "5.00", nearest: "5.00" },
        { code: "unsupported_currency", path: "/destination_currency_code", actual: "a/b" },
      ],
    ],
  ])("%s", (_, changes, findings) => {
    expect(brief(changes)).toEqual(findings)
  })

  test.each(invalidAmounts)("an invalid amount in %j", (amount) => {
    expect(brief(source(amount))).toEqual([{ code: "invalid_amount", path: "/source/amount", actual: amount }])
  })

  test.each([undefined, null, 5, "text", []])("a missing proposal in %j", (value) => {
    expect(Validation.validate(value, capabilities).map(({ code, path }) => [code, path])).toEqual([
      ["missing_field", ""],
    ])
  })

  test("no limits for a currency named constructor", () => {
    const poisoned = {
      ...capabilities,
      supported_currencies: [
        ...capabilities.supported_currencies,
        { ...capabilities.supported_currencies[0], currency_code: "constructor" },
      ],
    }
    expect(
      Validation.validate({ ...proposal, ...source("1", "constructor") }, poisoned as never).length,
    ).toBeGreaterThan(0)
  })
})

test("accepts the nearest amount that it suggests", () => {
  for (const amount of ["0", "4.999", "2500.004", "2500.005", "-1", "9999.999"]) {
    for (const { nearest } of validate(source(amount))) {
      expect(nearest).toBeDefined()
      expect(validate(source(nearest))).toEqual([])
    }
  }
})

test("truncates long values", () => {
  const long = "x".repeat(4000)
  const found = validate({
    external_id: [long],
    country_code: long,
    payment_method: `${long}\n`,
    source: { amount: long, currency_code: `fiat/${long}` },
    destination_currency_code: { long },
  })
  expect(found.map(({ code }) => code)).toHaveLength(6)
  expect(found[1]?.message).toMatch(/^The country "x{227}…x+" is not served\.$/)
  for (const violation of found) expect(JSON.stringify(violation).length).toBeLessThan(800)
})

describe("with a minimum of 0.00", () => {
  const free = {
    ...capabilities,
    transfer_limits: { "fiat/USD": { min_transfer: "0.00", max_transfer: "2500.00" } },
  }
  const found = (amount: string) =>
    Validation.validate({ ...proposal, ...source(amount) }, free).map(({ code, nearest }) => [code, nearest])

  test.each([
    ["0", [["invalid_amount", undefined]]],
    ["0.00", [["invalid_amount", undefined]]],
    ["0.01", []],
    ["-1", [["below_minimum", "0.01"]]],
    ["0.001", [["too_many_fraction_digits", "0.01"]]],
  ])("a fiat amount must still be positive: %s", (amount, violations) => {
    expect(found(amount)).toEqual(violations)
  })
})

describe("no_limit_for_currency is reported whatever is wrong with the other side", () => {
  const without = { code: "no_limit_for_currency", path: "/source/currency_code", actual: "fiat/GBP" }
  const path = "/destination_currency_code"

  test.each([
    ["a missing destination", undefined, [{ code: "missing_field", path }, without]],
    ["an unsupported destination", "a/b", [{ code: "unsupported_currency", path, actual: "a/b" }, without]],
    ["fiat on both sides", "fiat/EUR", [{ code: "unsupported_currency", path, actual: "fiat/EUR" }, without]],
  ])("source, with %s", (_, destination_currency_code, violations) => {
    expect(brief({ ...source("1", "fiat/GBP"), destination_currency_code })).toEqual(violations)
  })

  test.each([
    ["a missing source", { source: undefined }, { code: "missing_field", path: "/source" }],
    [
      "an unsupported source",
      source("1", "a/b"),
      { code: "unsupported_currency", path: "/source/currency_code", actual: "a/b" },
    ],
  ])("destination, with %s", (_, changes, fault) => {
    const violations = [fault, { code: "no_limit_for_currency", path, actual: "fiat/GBP" }]
    expect(brief({ ...changes, destination_currency_code: "fiat/GBP" })).toEqual(violations)
  })
})

test("messages name the given and the accepted value", () => {
  expect(
    validate({ country_code: "XX", payment_method: "cash", ...source("2500.005") }).map(({ message }) => message),
  ).toEqual([
    'The country "XX" is not served.',
    'The payment method "cash" is not one of card, sepa.',
    "fiat/USD has at most 2 fraction digits, and 2500.005 has 3.",
    "A transfer in fiat/USD is at most 2500.00, and this is 2500.005.",
  ])
})

test("reports the second use of an external_id in a batch", () => {
  const other = { ...proposal, external_id: "order-2" }
  const verdicts = Validation.validateAll(
    [proposal, other, proposal, { ...proposal, external_id: undefined }],
    capabilities,
  )
  expect(verdicts.map(({ index, external_id, valid }) => [index, external_id, valid])).toEqual([
    [0, "order-1", true],
    [1, "order-2", true],
    [2, "order-1", false],
    [3, undefined, true],
  ])
  expect(verdicts[2]?.violations).toEqual([
    {
      code: "duplicate_external_id",
      path: "/external_id",
      message: "The proposal at index 0 has this external_id too. Give each transfer one of its own.",
      actual: "order-1",
    },
  ])
})

test("a proposal without an external_id has none in its verdict, and is no duplicate of another", () => {
  const without = { ...proposal, external_id: undefined }
  const empty = { ...proposal, external_id: "" }
  const verdicts = Validation.validateAll([without, without, empty, empty, null, 7, ["x"]], capabilities)
  expect(verdicts.map((verdict) => [verdict.index, "external_id" in verdict, verdict.valid])).toEqual([
    [0, false, true],
    [1, false, true],
    [2, false, false],
    [3, false, false],
    [4, false, false],
    [5, false, false],
    [6, false, false],
  ])
  expect(verdicts.flatMap(({ violations }) => violations.map(({ code }) => code))).not.toContain(
    "duplicate_external_id",
  )
})

test("every later use of an external_id names the first", () => {
  const other = { ...proposal, external_id: "order-2" }
  const verdicts = Validation.validateAll([other, proposal, proposal, proposal], capabilities)
  expect(
    verdicts.map(({ external_id, violations }) => [external_id, ...violations.map(({ message }) => message)]),
  ).toEqual([
    ["order-2"],
    ["order-1"],
    ["order-1", "The proposal at index 1 has this external_id too. Give each transfer one of its own."],
    ["order-1", "The proposal at index 1 has this external_id too. Give each transfer one of its own."],
  ])
})

test("an earlier proposal can be named by where the later one is", () => {
  const nameOf = (earlier: number, later: number) => `Number ${earlier} before ${later}`
  const verdicts = Validation.validateAll([proposal, proposal, proposal], capabilities, nameOf)
  expect(verdicts.flatMap(({ violations }) => violations.map(({ message }) => message))).toEqual([
    "Number 0 before 1 has this external_id too. Give each transfer one of its own.",
    "Number 0 before 2 has this external_id too. Give each transfer one of its own.",
  ])
})

test("a currency allows as many fraction digits as the finer of its limits", () => {
  for (const limits of [
    { min_transfer: "5", max_transfer: "2500.000" },
    { min_transfer: "5.000", max_transfer: "2500" },
  ]) {
    const fine = { ...capabilities, transfer_limits: { "fiat/USD": limits } }
    const codes = (amount: string) =>
      Validation.validate({ ...proposal, ...source(amount) }, fine).map(({ code, limit }) => [code, limit])
    expect(codes("100.005")).toEqual([])
    expect(codes("100.0005")).toEqual([["too_many_fraction_digits", "3"]])
  }
})

test("the nearest amount stays within the limits", () => {
  const nearest = (amount: string) => brief(source(amount)).map((violation) => violation.nearest)
  expect(nearest("5.001")).toEqual(["5.00"])
  expect(nearest("2499.996")).toEqual(["2500.00"])
  expect(nearest("2500.009")).toEqual(["2500.00", "2500.00"])
})

test("the finding of a text that is not a currency code shows one", () => {
  expect(validate(source("1", "USD")).map(({ message }) => message)).toEqual([
    'Not a currency code: "USD". Write <network>/<ticker>, such as ethereum/USDC, or fiat/<code>, such as fiat/USD.',
  ])
})

test("an external_id that is no text is not that of the verdict", () => {
  const [verdict] = Validation.validateAll([{ ...proposal, external_id: 7 }], capabilities)
  expect(verdict).not.toHaveProperty("external_id")
})

test("a field that is absent has no actual value", () => {
  const [violation] = validate({ country_code: undefined })
  expect(violation).not.toHaveProperty("actual")
})

test("the finding of a number says why an amount is text", () => {
  expect(validate(source(100)).map(({ message }) => message)).toEqual([
    'An amount is text, such as "100.00", so that no digit is lost. This is a number.',
  ])
})

test.each([
  [{ min_transfer: "5", max_transfer: "2500.00" }, "5.001", "5.00"],
  [{ min_transfer: "5.00", max_transfer: "2500" }, "2499.999", "2500.00"],
])("within %j, the amount nearest to %s is written as %s", (limits, amount, nearest) => {
  const limited = { ...capabilities, transfer_limits: { "fiat/USD": limits } }
  expect(Validation.validate({ ...proposal, ...source(amount) }, limited)[0]?.nearest).toBe(nearest)
})
