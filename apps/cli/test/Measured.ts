/** Runs the command and measures what it took, to hold it to a bound. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type Run, type RunOptions } from "./Cli.ts"

/** A run, how long it took, of that on a processor, and the most memory it had, in MiB. */
export interface MeasuredRun extends Run {
  readonly seconds: number
  readonly cpu: number
  readonly memory: number
}

// On Linux `resourceUsage` has at least the memory of the process which started this one.
const measure = `import { readFileSync, writeFileSync } from "node:fs"
process.on("exit", () => {
  let kilobytes = process.resourceUsage().maxRSS
  try { kilobytes = Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) } catch {}
  const { user, system } = process.cpuUsage()
  writeFileSync(process.env.TRANSFERS_TEST_COST, JSON.stringify({ memory: kilobytes / 1024, cpu: (user + system) / 1e6 }))
})`

/** Runs the command to its end. */
export const measured = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<MeasuredRun> => {
  const folder = await mkdtemp(join(tmpdir(), "transfers-cost-"))
  const cost = join(folder, "cost.json")
  const started = performance.now()
  try {
    const env = {
      ...options.env,
      TRANSFERS_TEST_COST: cost,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(measure)}`,
    }
    const ended = await run(args, { ...options, env })
    const used: { readonly memory: number; readonly cpu: number } = JSON.parse(await readFile(cost, "utf8"))
    if (used.memory < 20) throw new Error(`Node itself takes more than ${used.memory} MiB`)
    return { ...ended, ...used, seconds: (performance.now() - started) / 1000 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
