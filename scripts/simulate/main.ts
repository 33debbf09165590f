/**
 * `pnpm simulate [--seed N] [--histories N]`: runs histories of a client, a scan, a mirror and a service in one process under
 * virtual time, and prints those that break a promise, made small. Without a seed, draws one: each run tries others. As
 * many small histories are read from a hostile service that shares no code with ours.
 */
import { randomInt } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Arguments from "../Arguments.ts"
import * as History from "./History.ts"
import * as HostileHistory from "./hostile/HostileHistory.ts"
import * as HostileSimulation from "./hostile/HostileSimulation.ts"
import { shrink } from "./Shrink.ts"
import * as Simulation from "./Simulation.ts"

const usage = "pnpm simulate [--seed N] [--histories N]"
const { values: options } = Arguments.read(usage, {
  options: { seed: { type: "string" }, histories: { type: "string" } },
})

const whole = (name: string, text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise
  if (/^\d{1,10}$/.test(text)) return Number(text)
  return Arguments.reject(usage, `--${name} must be a whole number, not ${JSON.stringify(text)}.`)
}

const first = whole("seed", options.seed, randomInt(2 ** 32))
const histories = whole("histories", options.histories, options.seed === undefined ? 2000 : 1)
const file = join(import.meta.dirname, "regressions.json")
const regressions: ReadonlyArray<History.History> = JSON.parse(readFileSync(file, "utf8"))

/** Failures shown at most: the first few tell most. */
const mostShown = 3

const failed: Array<History.History> = []
const hold = async (history: History.History, name: string): Promise<void> => {
  const violation = await Simulation.run(history)
  if (violation === undefined) return
  const smallest = await shrink(history, async (candidate) => (await Simulation.run(candidate)) !== undefined)
  const smaller = await Simulation.run(smallest)
  console.error(`${name}: ${violation.reason}`)
  console.error(`  made smaller: ${smaller?.reason}\n  ${JSON.stringify(smallest)}`)
  failed.push(smallest)
}

const started = performance.now()
console.log(
  `${regressions.length} regressions, and ${histories} histories and ${histories} hostile ones from seed ${first}`,
)
for (const [index, history] of regressions.entries()) await hold(history, `regression ${index}`)
const broken = failed.length
for (let seed = first; seed < first + histories && failed.length < broken + mostShown; seed++) {
  await hold(History.draw(seed >>> 0), `pnpm simulate --seed ${seed >>> 0}`)
}
let hostile = 0
for (let seed = first; seed < first + histories && hostile < mostShown; seed++) {
  const reason = await HostileSimulation.run(HostileHistory.draw(seed >>> 0))
  if (reason === undefined) continue
  hostile++
  console.error(`pnpm simulate --seed ${seed >>> 0}, hostile: ${reason}`)
}
const seconds = ((performance.now() - started) / 1000).toFixed(0)
const isKept = failed.length > broken && process.env["CI"] === undefined
if (isKept) writeFileSync(file, `${JSON.stringify([...regressions, ...failed.slice(broken)], undefined, 2)}\n`)
console.log(
  failed.length + hostile === 0
    ? `All kept their promises, in ${seconds} s.`
    : `${failed.length + hostile} broke a promise, in ${seconds} s.${isKept ? " They are kept in scripts/simulate/regressions.json." : ""}`,
)
process.exitCode = failed.length + hostile === 0 ? 0 : 1
