/** Somebody who adds amounts up in floats. */
import { bench as right, contestant } from "../../src/benches/money.ts"

export const bench = {
  ...right,
  name: import.meta.filename,
  contestants: [
    ...right.contestants.slice(0, 2),
    contestant("wrong", [], async () => ({
      parse: Number,
      add: (left, right) => left + right,
      compare: (left, right) => left - right,
      print: String,
      sum: (texts) => String(texts.map(Number).reduce((total, each) => total + each)),
    })),
  ],
}
