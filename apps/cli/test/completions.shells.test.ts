/** Completion in the real shells, by the real key, in a terminal. They have to be installed: CI has a step for this. */
import { spawn } from "node:child_process"
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { bin, run } from "./Cli.ts"

let folder: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-shells-"))
  const command = join(folder, "bin", "transfers")
  await mkdir(join(folder, "bin"))
  await mkdir(join(folder, "functions"))
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  await chmod(command, 0o755)
  await writeFile(join(folder, "september.csv"), "")
  env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, HOME: folder, TERM: "xterm" }
  const saved = await run(["profiles", "save", "sandbox-eu", "--partner-id", "a"], { env })
  expect(saved.code).toBe(0)
  const { stdout } = await run(["completions", "zsh"], { env })
  await writeFile(join(folder, "functions", "_transfers"), stdout)
})
afterAll(() => rm(folder, { recursive: true }))

/** Ways to load the completions, as the help says. */
const shells = {
  bash: ["bash --norc --noprofile -i", 'eval "$(transfers completions bash)"'],
  "zsh, evaluated": ["zsh -f -i", 'autoload -Uz compinit && compinit -D -u && eval "$(transfers completions zsh)"'],
  "zsh, from its path": ["zsh -f -i", "fpath=($HOME/functions $fpath); autoload -Uz compinit && compinit -D -u"],
  fish: ["fish --no-config -i", "transfers completions fish | source"],
} as const

const tab = "\t"
const toStart = "\u0001"
const clear = "\u0015"
const enter = "\r"

/** A shell in a terminal: what is typed, and what appears. */
const open = (command: string) => {
  const child = spawn("script", ["-qfec", command, "/dev/null"], { env: { ...env }, cwd: folder })
  let screen = ""
  let changed = performance.now()
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk
    changed = performance.now()
  })
  const closed = new Promise((resolve) => child.on("close", resolve))
  const seen = async (text: string): Promise<string> => {
    await Waiting.until(() => screen.includes(text)).catch(() => {
      throw new Error(`${text} does not appear, but: ${screen}`)
    })
    const found = screen
    screen = ""
    return found
  }
  /** Waits until the shell has shown nothing for so long. */
  const quiet = async (millis: number): Promise<void> => {
    changed = performance.now()
    while (performance.now() - changed < millis) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    type: (keys: string) => child.stdin.write(keys),
    seen,
    quiet,
    close: () => {
      child.stdin.end(`${enter}exit${enter}`)
      return closed
    },
  }
}

type Shell = ReturnType<typeof open>

/** What a line has become after the key, word by word. The shell is taken to be done if it shows nothing for so long. */
const completedAfter = async (shell: Shell, line: string, millis: number): Promise<string> => {
  shell.type(`${line}${tab}`)
  await shell.quiet(millis)
  shell.type(`${toStart}printf '<%s>' ${"\u0005"}; echo en''d${enter}`)
  const screen = await shell.seen("end\r\n")
  return [...screen.matchAll(/<([^%<>]*)>/g)].map(([, word]) => word).join(" ")
}

/** The same. A busy machine gets more time, unless the line is as expected. */
const completed = async (shell: Shell, line: string, expected: string): Promise<string> => {
  const first = await completedAfter(shell, line, 500)
  if (first === expected) return first
  const second = await completedAfter(shell, line, 5000)
  return second === expected ? second : completedAfter(shell, line, 20_000)
}

describe.each(Object.entries(shells))("%s", (_, [command, load]) => {
  let shell: Shell
  beforeAll(async () => {
    shell = open(command)
    shell.type(`${load}; echo read''y${enter}`)
    await shell.seen("ready\r\n")
  })
  afterAll(() => shell.close())

  test.each([
    ["transfers exp", "transfers export"],
    ["transfers export --form", "transfers export --format"],
    ["transfers export --format pa", "transfers export --format parquet"],
    ["transfers search --status dec", "transfers search --status declined"],
    ["transfers search --output nd", "transfers search --output ndjson"],
    ["transfers whoami --profile sand", "transfers whoami --profile sandbox-eu"],
    ["transfers summary --by mon", "transfers summary --by month"],
    ["transfers profiles rem", "transfers profiles remove"],
    ["transfers completions fi", "transfers completions fish"],
    ["transfers verify sept", "transfers verify september.csv"],
    ["transfers reconcile --from sept", "transfers reconcile --from september.csv"],
  ])("%s becomes %s", async (line, expected) => {
    expect(await completed(shell, line, expected)).toBe(expected)
  })

  test("shows all values of a flag", async () => {
    shell.type(`transfers export --format ${tab}${tab}`)
    const screen = await shell.seen("parquet")
    for (const format of ["ndjson", "csv", "json", "parquet"]) expect(screen).toContain(format)
    shell.type(clear)
  })
})
