/** `pnpm budgets`: counts the instructions behind the budgets, and fails if one is over its limit. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import * as Budget from "./budgets/Budget.ts"
import * as Callgrind from "./budgets/Callgrind.ts"
import * as Check from "./budgets/Check.ts"
import * as CommandLine from "./CommandLine.ts"

const { chosen, isRecorded } = CommandLine.budgets(process.argv.slice(2))

if (!Callgrind.isInstalled()) {
  console.error("budgets: valgrind is missing. Install it, on Debian by: apt-get install valgrind")
  process.exit(1)
}

const counts = new Map<string, number>()
const waiting = [...Check.programsOf(chosen)]
const work = async (): Promise<void> => {
  for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
    counts.set(Check.keyOf(program), await Check.count(program))
  }
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work))

const ratios = new Map<string, number>()
let over = 0
for (const { name, limit, guards } of chosen) {
  for (const guard of guards) {
    if (guard.kind !== "instructions") continue
    const { value = 0, isWithin } = Check.instructions(guard, counts)
    const title = Budget.titleOf({ name, limit })
    console.log(
      `${isWithin ? "ok    " : "OVER"} ${title} (${value.toFixed(3)} × the instructions, at most ${guard.atMost})`,
    )
    ratios.set(title, value)
    if (!isWithin) over++
  }
}
if (isRecorded) {
  const file = join(import.meta.dirname, "../results/budgets.json")
  const before: Check.Ratios = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  const recorded: Check.Ratios = { ...before, ...Object.fromEntries(ratios) }
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`)
}
if (over > 0) {
  console.error(`${over} budgets are over their limits`)
  process.exit(1)
}
