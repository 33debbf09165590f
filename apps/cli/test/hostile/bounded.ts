/** Runs the command and measures what it took, to hold it to a bound. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type Run, type RunOptions } from "../Cli.ts"

/** A run, how long it took, and the most memory it had. */
export interface MeasuredRun extends Run {
  readonly seconds: number
  readonly megabytes: number
}

const measure = `import { writeFileSync } from "node:fs"
process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)))`

/** Runs the command to its end. */
export const measured = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<MeasuredRun> => {
  const folder = await mkdtemp(join(tmpdir(), "transfers-peak-"))
  const peak = join(folder, "peak")
  const started = performance.now()
  try {
    const env = {
      ...options.env,
      PEAK_FILE: peak,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(measure)}`,
    }
    const ended = await run(args, { ...options, env })
    const kilobytes = Number(await readFile(peak, "utf8"))
    return { ...ended, seconds: (performance.now() - started) / 1000, megabytes: kilobytes / 1024 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
