import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as ProposalRow from "../src/ProposalRow.ts"

describe("a header", () => {
  test("has its columns in any order and case, and may lack the external_id", () => {
    const reversed = ProposalRow.names.map((name) => ` ${name.toUpperCase()} `).toReversed()
    expect(ProposalRow.header(reversed)).toEqual(Result.succeed(ProposalRow.names.toReversed()))
    const others = ProposalRow.names.filter((name) => name !== "external_id")
    expect(ProposalRow.header(others)).toEqual(Result.succeed(others))
  })

  test.each(ProposalRow.names.filter((name) => name !== "external_id"))("must have %s", (name) => {
    const others = ProposalRow.names.filter((other) => other !== name)
    expect(ProposalRow.header(others)).toMatchObject({ failure: expect.stringContaining(`it has no column ${name};`) })
  })

  test("must not repeat a column", () => {
    expect(ProposalRow.header([...ProposalRow.names, "Country_Code"])).toEqual(
      Result.fail('it has several columns "country_code"'),
    )
  })
})

describe("a column that proposals do not have", () => {
  const faultOf = (...args: Parameters<typeof ProposalRow.header>) =>
    Result.match(ProposalRow.header(...args), { onFailure: (reason) => reason, onSuccess: () => "" })

  test("is quoted up to 64 characters, of any length", () => {
    const reason = faultOf(["external_id", `Wallet ${"0x7".repeat(20_000)}`])
    expect(reason).toContain(`it has a column "wallet ${"0x7".repeat(19)}…", which proposals do not have;`)
    expect(reason.length).toBeLessThan(300)
  })

  test("is named otherwise where nothing may be quoted, also if it is there twice", () => {
    const reason = faultOf(["country_code", "order-7788", "order-7788"], (_, index) => `at place ${index + 1}`)
    expect(reason).toContain("it has a column at place 2, which proposals do not have;")
    expect(reason).not.toContain("7788")
  })
})

describe("a row", () => {
  test("has the fields of its cells, as text, with blanks around them: in JSON they are part of a value, too", () => {
    expect(
      ProposalRow.proposal(ProposalRow.names, ["a", "US", " ach ", "100.00", "fiat/USD", "ethereum/USDC"]),
    ).toEqual(
      Result.succeed({
        external_id: "a",
        country_code: "US",
        payment_method: " ach ",
        source: { amount: "100.00", currency_code: "fiat/USD" },
        destination_currency_code: "ethereum/USDC",
      }),
    )
  })

  test("leaves out what is empty or missing", () => {
    expect(ProposalRow.proposal(ProposalRow.names, ["", "US", "  "])).toEqual(
      Result.succeed({ country_code: "US", source: {} }),
    )
  })

  test.each(["\ufffd", "\0"])("is rejected if it lost a character to %j", (lost) => {
    expect(ProposalRow.proposal(["external_id", "country_code"], ["a", `U${lost}`])).toEqual(
      Result.fail("column country_code: a character was lost. Save the file as UTF-8"),
    )
  })
})
