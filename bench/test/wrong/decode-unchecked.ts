/** Somebody who says that he checks, and does not. */
import { bench as right, contestant } from "../../src/benches/decode.ts"

export const bench = {
  ...right,
  name: import.meta.filename,
  contestants: [right.contestants[0], contestant("wrong", [], async () => (text) => JSON.parse(text))],
}
