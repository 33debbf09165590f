/** Draws the seed of this run for every test process, and prints it once, so that the run can be repeated. */
import { randomBytes } from "node:crypto"

export default (): void => {
  process.env["LAW_SEED"] ??= randomBytes(4).toString("hex")
  process.stderr.write(`LAW_SEED=${process.env["LAW_SEED"]}\n`)
}
