/**
 * `pnpm budgets`: counts the instructions behind the budgets, and fails where one is broken or its test is gone. It takes
 * as long on a busy machine as its processors need, and finds the same.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
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
let broken = 0
for (const { name, limit, guards } of chosen) {
  for (const guard of guards) {
    if (guard.kind === "measured") continue
    const { value, isWithin } = guard.kind === "test" ? Check.test(guard) : Check.instructions(guard, counts)
    const what =
      guard.kind === "test"
        ? `test in ${guard.file}`
        : `${value?.toFixed(3)} × the instructions, at most ${guard.atMost}`
    console.log(`${isWithin ? "ok    " : "BROKEN"} ${name}: ${limit} (${what})`)
    if (value !== undefined) ratios.set(Check.titleOf({ name, limit }), value)
    if (!isWithin) broken++
  }
}
if (isRecorded) {
  const file = join(import.meta.dirname, "../results/budgets.json")
  const before: Check.Ratios = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  const recorded: Check.Ratios = { ...before, ...Object.fromEntries(ratios) }
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`)
}
if (broken > 0) {
  console.error(`${broken} of the budgets broken`)
  process.exit(1)
}
