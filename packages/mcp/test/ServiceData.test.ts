/** What the data of an answer may hold. */
import { expect, test } from "vitest"
import * as ServiceData from "../src/internal/ServiceData.ts"

test("an infinity, which JSON has not, is shown as a text", () => {
  expect(ServiceData.bounded({ actual: JSON.parse("-1e999") }).data).toEqual({ actual: "-Infinity" })
})
