import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as ProposalTable from "../src/files/ProposalTable.ts"

const header = "external_id,country_code,payment_method,source_amount,source_currency_code,destination_currency_code"

describe("isTable", () => {
  test.each([
    [header, true],
    [`\ufeff"Country_Code";payment_method`, true],
    [`\ufeffsep=;\r\n${header.replaceAll(",", ";")}\r\n`, true],
    [`\r\n\n${header}\n`, true],
    ["sep=;\nUS;ach\n", false],
    ['sep=;\n[{"country_code":"US"}]', false],
    ['{"country_code":"US"}', false],
    ['\ufeff [{"country_code":"US"}]', false],
    ["US,ach", false],
    ["", false],
  ])("of %j is %s", (text, expected) => {
    expect(ProposalTable.isTable(text)).toBe(expected)
  })
})

describe("parse", () => {
  const proposal = {
    country_code: "US",
    payment_method: "ach",
    source: { amount: "100.00", currency_code: "fiat/USD" },
    destination_currency_code: "ethereum/USDC",
  }

  test.each([
    ["commas", `${header}\na,US,ach,100.00,fiat/USD,ethereum/USDC\n`],
    [
      "semicolons, CRLF and a byte order mark",
      `\ufeff${header.replaceAll(",", ";")}\r\na;US;ach;100.00;fiat/USD;ethereum/USDC\r\n`,
    ],
    ["upper case and quotes", `${header.toUpperCase()}\n"a","US","ach","100.00","fiat/USD","ethereum/USDC"\n`],
  ])("reads %s, with amounts as text", (_, text) => {
    expect(ProposalTable.parse(text)).toEqual(
      Result.succeed([{ line: 2, proposal: { external_id: "a", ...proposal } }]),
    )
  })

  test("reads a table below a line that names the separator, and below empty lines", () => {
    const rows = [header, "a,US,ach,100.00,fiat/USD,ethereum/USDC", ""].join("\r\n").replaceAll(",", ";")
    for (const before of ["sep=;\r\n", "\r\n"]) {
      expect(ProposalTable.parse(`${before}${rows}`)).toEqual(
        Result.succeed([{ line: 3, proposal: { external_id: "a", ...proposal } }]),
      )
    }
  })

  test("leaves empty cells out, and counts lines in quoted cells", () => {
    const rows = `"a\r\nb",US,ach,100.00,fiat/USD,ethereum/USDC\r\n\r\n,,ach,,,\r\n`
    expect(ProposalTable.parse(`${header}\r\n${rows}`)).toEqual(
      Result.succeed([
        { line: 2, proposal: { external_id: "a\r\nb", ...proposal } },
        { line: 5, proposal: { payment_method: "ach", source: {} } },
      ]),
    )
  })

  test.each([
    ["CRLF below a header with LF", "\n", "\r\n"],
    ["LF below a header with CRLF", "\r\n", "\n"],
    ["CR below a header with LF", "\n", "\r"],
  ])("reads %s", (_, first, then) => {
    const row = ",US,ach,100.00,fiat/USD,ethereum/USDC"
    expect(ProposalTable.parse([`${header}${first}a${row}`, `b${row}`, ""].join(then))).toEqual(
      Result.succeed([
        { line: 2, proposal: { external_id: "a", ...proposal } },
        { line: 3, proposal: { external_id: "b", ...proposal } },
      ]),
    )
  })

  test("needs no external_id", () => {
    const text = `${header}\na,US,ach,100.00,fiat/USD,ethereum/USDC\n`.replaceAll(/^\w+,/gm, "")
    expect(ProposalTable.parse(text)).toEqual(Result.succeed([{ line: 2, proposal }]))
  })

  test.each([
    [header, "it has a header, but no rows"],
    [
      `${header},amount\n`,
      'it has a column "amount", which proposals do not have; its columns should be external_id, ',
    ],
    [`${header},country_code\n`, 'it has several columns "country_code"'],
    ["country_code,payment_method\n", "it has no column source_amount"],
    [`${header}\na,US\n`, "line 2 has 2 cells, unlike the header"],
    [`${header}\n"a\r\nb",US,ach,100.00,fiat/USD,ethereum/USDC\na,US\n`, "line 4 has 2 cells, unlike the header"],
    [`${header}\n"a`, "a quote is never closed"],
    [
      `${header}\na,US,ach,1,fiat/USD,x\nB\ufffdro,US,ach,1,fiat/USD,x\n`,
      "line 3, column external_id: a character was lost. Save the file as UTF-8",
    ],
  ])("rejects %j", (text, reason) => {
    expect(ProposalTable.parse(text)).toMatchObject({ failure: expect.stringContaining(reason) })
  })
})
