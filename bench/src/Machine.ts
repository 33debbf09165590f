/** The machine a benchmark runs on, and how steady it is. */
import { createHash } from "node:crypto"
import { cpus, loadavg, release, totalmem, type } from "node:os"
import { performance } from "node:perf_hooks"
import type { Conditions } from "./Result.ts"
import { spreadOf } from "./Result.ts"

/** Times a fixed piece of work, in milliseconds. Taken between rounds, its spread shows what the machine did meanwhile. */
export const beat = (): number => {
  const start = performance.now()
  const block = Buffer.alloc(1 << 20, 7)
  for (let i = 0; i < 40; i++) createHash("sha256").update(block).digest()
  return performance.now() - start
}

/** The conditions of a run, from the beats taken during it. */
export const conditions = (beats: ReadonlyArray<number>): Conditions => {
  const spread = spreadOf(beats)
  return {
    date: new Date().toISOString().slice(0, 16) + "Z",
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release().split(".", 2).join(".")}`,
    noise: spread === undefined ? 0 : (spread.highest - spread.lowest) / spread.median,
    load_average: loadavg()[0] ?? 0,
  }
}
