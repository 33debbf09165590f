/** Runs a benchmark: every contestant first shows its answer, then all take turns, each turn in a process of its own. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench, Contestant } from "./Bench.ts"
import * as Machine from "./Machine.ts"
import type { Result, Samples } from "./Result.ts"

/** What one process of a contestant reports. */
export interface Turn {
  readonly answer?: string
  readonly measured?: Readonly<Record<string, number>>
}

const turn = (bench: Bench, contestant: Contestant, mode: "answer" | "measure"): Turn => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--expose-gc", join(import.meta.dirname, "turn.ts"), bench.name, contestant.name, mode],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 28 },
  )
  if (status !== 0) throw new Error(`${bench.name}: ${contestant.name} ended with ${status}`)
  return JSON.parse(stdout)
}

/** Throws unless all contestants computed the same. */
export const verify = (bench: Bench): void => {
  const answers = bench.contestants.map((contestant) => turn(bench, contestant, "answer").answer)
  const [first] = answers
  if (first === undefined || first === "") throw new Error(`${bench.name}: ${bench.contestants[0]?.name} has no answer`)
  for (const [index, answer] of answers.entries()) {
    if (answer === first) continue
    const [a, b] = [bench.contestants[0]?.name, bench.contestants[index]?.name]
    throw new Error(`${bench.name}: ${a} and ${b} disagree\n${first.slice(0, 500)}\n${answer?.slice(0, 500)}`)
  }
}

/** Measures. Every round starts with another contestant, so that none always follows the same one. */
export const measure = (bench: Bench, say: (progress: string) => void): Result => {
  const samples = new Map(bench.contestants.map(({ name }) => [name, new Map<string, Array<number>>()]))
  const beats: Array<number> = []
  for (let round = 0; round < bench.rounds; round++) {
    const shift = round % bench.contestants.length
    for (const contestant of [...bench.contestants.slice(shift), ...bench.contestants.slice(0, shift)]) {
      say(`${bench.name}: round ${round + 1} of ${bench.rounds}, ${contestant.name}`)
      beats.push(Machine.beat())
      for (const [key, value] of Object.entries(turn(bench, contestant, "measure").measured ?? {})) {
        const own = samples.get(contestant.name)
        own?.set(key, [...(own.get(key) ?? []), value])
      }
    }
  }
  return {
    bench: bench.name,
    rounds: bench.rounds,
    metrics: bench.metrics,
    conditions: Machine.conditions(beats),
    contestants: bench.contestants.map(({ name, isOurs, packages }): Samples => ({
      name,
      isOurs,
      versions: Object.fromEntries(packages.map((each) => [each, versionOf(each)])),
      samples: Object.fromEntries(samples.get(name) ?? []),
    })),
  }
}

const versionOf = (name: string): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../node_modules", name, "package.json"), "utf8"),
  )
  return manifest.version
}
