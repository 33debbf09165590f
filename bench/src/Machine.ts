/** The machine a benchmark runs on, and how steady it is. */
import { createHash } from "node:crypto"
import { cpus, loadavg, release, totalmem, type } from "node:os"
import { performance } from "node:perf_hooks"
import type { Conditions } from "./Result.ts"

/** Times a fixed piece of work, in milliseconds. Its spread over a run shows how steady the machine was. */
export const calibrate = (): number => {
  const start = performance.now()
  const block = Buffer.alloc(1 << 20, 7)
  for (let i = 0; i < 40; i++) createHash("sha256").update(block).digest()
  return performance.now() - start
}

/** The width of the middle half of some samples, as a share of their median. */
const middleHalf = (samples: ReadonlyArray<number>): number => {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
  return (at(0.75) - at(0.25)) / at(0.5)
}

/** The conditions of a run, from the calibrations taken during it. */
export const conditions = (calibrations: ReadonlyArray<number>): Conditions => {
  return {
    date: new Date().toISOString().slice(0, 16) + "Z",
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release().split(".", 2).join(".")}`,
    noise: middleHalf(calibrations),
    load_average: loadavg()[0] ?? 0,
  }
}
