/** The references of field 86 of MT940, in the forms of German, Polish and Dutch banks. */
import { expect, test } from "vitest"
import * as Field86 from "../src/statements/Field86.ts"
import * as Statement from "../src/statements/Statement.ts"

test.each([
  ["166?20EREF+e?21-1?22KREF+k?23SVWZ+pur?60pose+1", "e-1", "purpose+1"],
  ["166?20EREF+CUBIC+1?21SVWZ+BIC+ 2", "CUBIC+1", "BIC+ 2"],
  ["020<00TRANSFER<20EREF+e<21SVWZ+x?20", "e", "x?20"],
  ["020~00TRANSFER~20order-1~212", undefined, "order-12"],
  ["/EREF/order-1//MARF/m//REMI/USTD//x/", "order-1", "USTD//x/"],
  [`${"x".repeat(59)} order\n-12`, undefined, `${"x".repeat(59)} order-12`],
  [`${"x".repeat(58)} order\n12`, undefined, `${"x".repeat(58)} order 12`],
  ["166?20SVWZ+purpose EREF+e", "e", "purpose"],
  ["166?20EREF+e", "e", "EREF+e"],
  ["166?20no code", undefined, "no code"],
  ["166?20a?2b?c", undefined, "a?2b?c"],
  ["/EREF/e/REMI/purpose/IBAN/NL00", "e", "purpose"],
  ["/TRTP/x/EREF/a/b", "a/b", "/TRTP/x/EREF/a/b"],
  ["/MARF/m/REMI/of/EUR/5", undefined, "of/EUR/5"],
  ["/EREF/shop/ABC/17/REMI/x/NAME/y", "shop/ABC/17", "x"],
  ["EREF/e", "e", "EREF/e"],
  ["/EREF/e/REMI/purpose/EREF/e/", "e", "purpose"],
  // One of both is what the payer wrote.
  ["/REMI/USTD//x/EREF/order-9//EREF/order-1/", undefined, "USTD//x"],
  ["166?20EREF+order-1?21SVWZ+pay?22EREF+order-9", undefined, "pay"],
  ["no /EREF", undefined, "no /EREF"],
])("%s", (field, key, text) => {
  const { cells } = Statement.toRow("", { Amt: "5", ...Field86.referencesOf(field) })
  expect((["EndToEndId", "Ustrd"] as const).map((name) => cells[Statement.columns.indexOf(name)])).toEqual([key, text])
})
