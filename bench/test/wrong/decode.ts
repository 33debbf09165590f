/** Somebody who reads amounts as numbers, which loses digits. */
import { bench as right, contestant } from "../../src/benches/decode.ts"
import * as PageChecks from "../../src/PageChecks.ts"
import type { Page } from "../../src/PageChecks.ts"

const numbers = (_: string, value: unknown): unknown =>
  typeof value === "string" && PageChecks.amount.test(value) && value.includes(".") ? String(Number(value)) : value

export const bench = {
  ...right,
  name: import.meta.filename,
  contestants: [
    ...right.contestants.slice(0, 2),
    contestant("wrong", [], async () => {
      const check = await PageChecks.ajv()
      return (text): Page => {
        check(text)
        return JSON.parse(text, numbers)
      }
    }),
  ],
}
