/**
 * `pnpm simulate [--seed N] [--histories N]`: runs histories of a client, a scan, a mirror and a service in one process under
 * virtual time, and prints those that break a promise, made small. Without a seed, draws one: each run tries others. As
 * many small histories are read from a hostile service that shares no code with ours. What breaks a promise is kept in
 * `regressions.json`, and tried first from then on.
 */
import { randomInt } from "node:crypto"
import * as Arguments from "../Arguments.ts"
import * as History from "./History.ts"
import * as HostileHistory from "./hostile/HostileHistory.ts"
import * as HostileSimulation from "./hostile/HostileSimulation.ts"
import * as PlaygroundLink from "./PlaygroundLink.ts"
import * as Regressions from "./Regressions.ts"
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
const regressions = Regressions.read()

/** Failures of a kind that are shown at most: the first few tell most. */
const mostShown = 3

/** Histories of one kind: which were kept, and how to draw, run and shrink one. */
interface Kind<History> {
  readonly name: string
  readonly kept: ReadonlyArray<History>
  readonly draw: (seed: number) => History
  readonly faultOf: (history: History) => Promise<string | undefined>
  readonly smaller: (history: History) => Iterable<History>
  readonly print: (history: History) => string
}

/** Runs those that were kept, then new ones. Returns new ones that break a promise, made small, and how many broke one. */
const hold = async <History>({ name, kept, draw, faultOf, smaller, print }: Kind<History>) => {
  const failed: Array<History> = []
  let broken = 0
  const holds = async (history: History, repeat: string): Promise<boolean> => {
    const reason = await faultOf(history)
    if (reason === undefined) return true
    broken++
    const smallest = await shrink(history, smaller, async (candidate) => (await faultOf(candidate)) !== undefined)
    console.error(`${repeat}, ${name}: ${reason}`)
    console.error(`  made smaller: ${await faultOf(smallest)}\n  ${print(smallest)}`)
    failed.push(smallest)
    return false
  }
  for (const [index, history] of kept.entries()) await holds(history, `regression ${index}`)
  const isNew = failed.length
  for (let seed = first; seed < first + histories && failed.length < isNew + mostShown; seed++) {
    await holds(draw(seed >>> 0), `pnpm simulate --seed ${seed >>> 0}`)
  }
  return { broken, found: failed.slice(isNew) }
}

const started = performance.now()
console.log(
  `${regressions.histories.length + regressions.hostile.length} regressions, and ${histories} histories and ${histories} hostile ones from seed ${first}`,
)
const ours = await hold({
  name: "the fake service",
  kept: regressions.histories,
  draw: History.draw,
  faultOf: async (history) => (await Simulation.run(history))?.reason,
  smaller: History.smaller,
  print: (history) => `${JSON.stringify(history)}\n  drawn: ${PlaygroundLink.of(history)}`,
})
const hostile = await hold({
  name: "a hostile service",
  kept: regressions.hostile,
  draw: HostileHistory.draw,
  faultOf: (history) => HostileSimulation.run(history),
  smaller: HostileHistory.smaller,
  print: (history) => JSON.stringify(HostileHistory.write(history)),
})
const seconds = ((performance.now() - started) / 1000).toFixed(0)
const broken = ours.broken + hostile.broken
const isKept = ours.found.length + hostile.found.length > 0 && process.env["CI"] === undefined
if (isKept) {
  Regressions.write({
    histories: [...regressions.histories, ...ours.found],
    hostile: [...regressions.hostile, ...hostile.found],
  })
}
console.log(
  broken === 0
    ? `All kept their promises, in ${seconds} s.`
    : `${broken} broke a promise, in ${seconds} s.${isKept ? " They are kept in scripts/simulate/regressions.json." : ""}`,
)
process.exitCode = broken === 0 ? 0 : 1
