import { expect, test } from "vitest"
import * as Amounts from "../src/internal/pages/Amounts.ts"

test("amounts have their groups of digits apart, without changing the text that is copied", () => {
  expect(Amounts.digits("-1234567.1000").text).toBe('<span class="digits">-1<i>234</i><i>567</i>.1000</span>')
  expect(Amounts.digits("-900.5").text).toBe('<span class="digits">-900.5</span>')
})
