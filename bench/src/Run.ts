/** Runs a benchmark: compares the contestants' answers, then measures them in turns, each time in a new process. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench, Contestant } from "./Bench.ts"
import * as Machine from "./Machine.ts"
import type { Result, Samples } from "./Result.ts"

/** The output of one worker process. */
export interface WorkerReport {
  readonly answer?: string
  readonly measured?: Readonly<Record<string, number>>
}

const work = (bench: Bench, contestant: Contestant, mode: "answer" | "measure"): WorkerReport => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--expose-gc", join(import.meta.dirname, "worker.ts"), bench.name, contestant.name, mode],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 28, timeout: 3_600_000 },
  )
  if (status !== 0) throw new Error(`${bench.name}: ${contestant.name} ended with ${status}`)
  return JSON.parse(stdout)
}

/** Throws unless all contestants give the same answer. Returns their number. */
export const verify = (bench: Bench): number => {
  const [first, ...others] = bench.contestants
    .filter(({ baselineOnly }) => baselineOnly === undefined)
    .map((contestant) => ({ name: contestant.name, answer: work(bench, contestant, "answer").answer ?? "" }))
  if (first === undefined || first.answer === "") throw new Error(`${bench.name} has no answer`)
  for (const other of others) {
    if (other.answer === first.answer) continue
    const answers = [first, other].map(({ name, answer }) => `${name}: ${answer.slice(0, 500)}`)
    throw new Error(`${bench.name}: two contestants disagree\n${answers.join("\n")}`)
  }
  return others.length + 1
}

/** Measures. Each round starts with another contestant, so that none always follows the same one. */
export const measure = (bench: Bench, report: (progress: string) => void): Result => {
  const samples = new Map(bench.contestants.map(({ name }) => [name, new Map<string, Array<number>>()]))
  const calibrations: Array<number> = []
  for (let round = 0; round < bench.rounds; round++) {
    const shift = round % bench.contestants.length
    for (const contestant of [...bench.contestants.slice(shift), ...bench.contestants.slice(0, shift)]) {
      if (round >= (contestant.rounds ?? bench.rounds)) continue
      report(`${bench.name}: round ${round + 1} of ${bench.rounds}, ${contestant.name}`)
      calibrations.push(Machine.calibrate())
      for (const [key, value] of Object.entries(work(bench, contestant, "measure").measured ?? {})) {
        const own = samples.get(contestant.name)
        own?.set(key, [...(own.get(key) ?? []), value])
      }
    }
  }
  return {
    bench: bench.name,
    rounds: bench.rounds,
    metrics: bench.metrics,
    conditions: Machine.conditions(calibrations),
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
