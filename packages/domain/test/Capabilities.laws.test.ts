/** Capabilities are read without their schema, which accepts the same values and reports the same errors. */
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Capabilities from "../src/Capabilities.ts"
import { fromJsonText } from "../src/internal/wire/FromJsonText.ts"
import { alterations } from "./fixtures/alterations.ts"
import { cases, law } from "./fixtures/law.ts"
import { schemaIssue } from "./fixtures/schemaIssue.ts"
import { capabilities } from "./fixtures/service.ts"

const explain = schemaIssue(Capabilities.Wire)
const fromJson = fromJsonText(explain, (value) => (explain(value) === undefined ? value : undefined))
const altered = alterations(JSON.stringify(capabilities))
let accepted = 0

law("reads what the schema accepts, and rejects the rest with the same error", { altered }, ({ altered }) => {
  const text = JSON.stringify(altered)
  const read = Capabilities.fromJson(text)
  expect(read).toEqual(fromJson(text))
  if (Result.isSuccess(read)) accepted++
})

test("generates both valid and invalid capabilities", () => {
  expect(accepted).toBeGreaterThan(cases / 10)
  expect(accepted).toBeLessThan((cases * 9) / 10)
})

test.each(["null", "[]", "7", '"x"', "", "{"])("rejects %j with the error of the schema", (text) => {
  expect(Capabilities.fromJson(text)).toEqual(fromJson(text))
  expect(Result.isFailure(fromJson(text))).toBe(true)
})
