/** `node scripts/run.ts NAME [ARGUMENT…]`: a script of package.json, after its arguments were found good. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import * as CommandLine from "./CommandLine.ts"
import { commands } from "./Commands.ts"

const [name = "", ...args] = process.argv.slice(2)
const command = commands[name]

/** Runs a step to its end. */
const run = async (step: string): Promise<number> => {
  const child = spawn(step, { shell: true, stdio: "inherit" })
  // A terminal interrupts the step by itself.
  const ignore = () => {}
  const pass = () => void child.kill("SIGTERM")
  process.on("SIGINT", ignore).on("SIGTERM", pass)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("close", (...ending) => resolve(ending)),
  )
  process.off("SIGINT", ignore).off("SIGTERM", pass)
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

const main = async (): Promise<number> => {
  if (command === undefined) {
    process.stderr.write(`There is no script ${name} in scripts/Commands.ts.\n`)
    return 2
  }
  const reading = CommandLine.read(name, command, args)
  if ("help" in reading) {
    process.stdout.write(reading.help)
    return 0
  }
  if ("fault" in reading) {
    process.stderr.write(`${reading.fault}\n`)
    return 2
  }
  const last = command.steps.length - 1
  for (const [index, step] of command.steps.entries()) {
    const status = await run(index === last ? [step, ...args.map(quote)].join(" ") : step)
    if (status !== 0) return status
  }
  return 0
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

process.exitCode = await main()
