/** The command lines of `pnpm bench` and `pnpm budgets`. A usage error ends the process with 2. */
import { existsSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Benches from "./Benches.ts"
import type { Budget } from "./budgets/Budget.ts"
import * as Budgets from "./budgets/Budgets.ts"

/** The arguments of `pnpm bench`. */
export interface BenchCommand {
  /** Names of benchmarks, or paths of their files. */
  readonly names: ReadonlyArray<string>
  readonly mode: "measure" | "check" | "render"
  /** Instead of each benchmark's own number. */
  readonly rounds: number | undefined
}

const benchHelp = `Runs benchmarks beside their peers, writes results/*.json and renders README.md.

  pnpm bench [NAME…] [--rounds N]
  pnpm bench [NAME…] --check    only compare the contestants' answers
  pnpm bench --render           only render the existing results

Benchmarks: ${Benches.names.join(", ")}
`

const budgetsHelp = `Counts the instructions behind the budgets under Valgrind, and fails if one is over its limit.

  pnpm budgets [WORD…]    only budgets whose name has one of the words
  pnpm budgets --record   keep the ratios for the report
`

const flag = { type: "boolean", default: false } as const

/** Reads the arguments of `pnpm bench`. Names are checked before anything starts. */
export const bench = (args: ReadonlyArray<string>): BenchCommand => {
  const options = { help: flag, check: flag, render: flag, rounds: { type: "string" } } as const
  const { values, positionals } = orReject(() => parseArgs({ args: [...args], allowPositionals: true, options }))
  if (values.help) explain(benchHelp)
  for (const name of positionals) {
    const isKnown = name.endsWith(".ts") ? existsSync(name) : Benches.names.includes(name)
    if (!isKnown) reject(`No benchmark is called ${name}. Choose from: ${Benches.names.join(", ")}.`)
  }
  const { check, render, rounds } = values
  if (rounds !== undefined && !/^[1-9]\d{0,3}$/.test(rounds)) {
    reject(`--rounds takes a whole number from 1 to 9999, not ${JSON.stringify(rounds)}.`)
  }
  return {
    names: positionals.length > 0 ? positionals : Benches.names,
    mode: render ? "render" : check ? "check" : "measure",
    rounds: rounds === undefined ? undefined : Number(rounds),
  }
}

/** The arguments of `pnpm budgets`. */
export interface BudgetsCommand {
  readonly chosen: ReadonlyArray<Budget>
  readonly isRecorded: boolean
}

/** Reads the arguments of `pnpm budgets`. */
export const budgets = (args: ReadonlyArray<string>): BudgetsCommand => {
  const options = { help: flag, record: flag } as const
  const { values, positionals } = orReject(() => parseArgs({ args: [...args], allowPositionals: true, options }))
  if (values.help) explain(budgetsHelp)
  const chosen = Budgets.budgets.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  )
  if (chosen.length === 0) reject(`No budget's name contains ${positionals.join(" or ")}. bench/README.md lists them.`)
  return { chosen, isRecorded: values.record }
}

const orReject = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    return reject(`${error instanceof Error ? error.message : String(error)}\nTry --help.`)
  }
}

const explain = (text: string): never => {
  process.stdout.write(text)
  return process.exit(0)
}

const reject = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  return process.exit(2)
}
