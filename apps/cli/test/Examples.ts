/** A place where the examples of the help pages and of the README can be run as they are written. */
import { spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { bin, cache } from "./Cli.ts"

/** A file that an example would find: commands that are not ours, in as few lines as the examples need of them. */
const commands = {
  transfers: `exec "${process.execPath}" "${bin}" "$@"`,
  pnpm: `[ "$1" = transfers ] && shift && exec transfers "$@"`,
  pass: `[ "$*" = "show partner/key" ] && echo demo-secret`,
  "generate-payouts": "cat proposals.json",
  curl: "cat >> posted.ndjson",
  jq: `exec "${process.execPath}" "$(dirname "$0")/jq.cjs" "$@"`,
}

/** `.a.b` of each value of standard input: all that the examples ask of it. */
const jq = `
const path = process.argv.at(-1).slice(1).split(".")
const text = require("node:fs").readFileSync(0, "utf8")
const values = text.startsWith("{\\n") ? [JSON.parse(text)] : text.split("\\n").filter(Boolean).map((line) => JSON.parse(line))
for (const value of values) console.log(path.reduce((inner, name) => inner[name], value))
`

/** What an example did. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The folder it ran in, its home as well. */
  readonly folder: string
}

/** Runs an example in a copy of a folder; one that does not end by itself is interrupted when it has shown enough. */
export type Perform = (
  example: string,
  options: {
    readonly props: string
    readonly env: Readonly<Record<string, string>>
    readonly until?: (outcome: Outcome) => Promise<boolean>
  },
) => Promise<Outcome>

/** A stage below a folder, on which examples run. */
export const stage = async (folder: string): Promise<Perform> => {
  const tools = join(folder, "bin")
  await mkdir(tools)
  for (const [name, body] of Object.entries(commands)) {
    await writeFile(join(tools, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
  await writeFile(join(tools, "jq.cjs"), jq)
  return async (example, { props, env, until }) => {
    const own = await mkdtemp(join(folder, "run-"))
    await cp(props, own, { recursive: true })
    // A group of its own, so that an interrupt reaches all of it, as one typed at a terminal does.
    const child = spawn("sh", ["-c", example], {
      cwd: own,
      env: { HOME: own, XDG_CACHE_HOME: cache, PATH: `${tools}:${process.env["PATH"]}`, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    const outcome = { code: null, stdout: "", stderr: "", folder: own }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (outcome.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (outcome.stderr += text))
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
    if (until !== undefined && child.pid !== undefined) {
      await Waiting.until(() => until(outcome))
      process.kill(-child.pid, "SIGINT")
    }
    const code = await closed
    return { ...outcome, code }
  }
}
