/** What `pnpm bench` and `pnpm budgets` are told on their command lines. What cannot be done ends the process with 2. */
import { existsSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Benches from "./Benches.ts"
import type { Budget } from "./budgets/Budget.ts"
import * as Budgets from "./budgets/Budgets.ts"

/** What `pnpm bench` is to do. */
export interface BenchCommand {
  /** Names of benchmarks, or paths of their files. */
  readonly names: ReadonlyArray<string>
  readonly mode: "measure" | "check" | "render"
  /** Instead of each benchmark's own number. */
  readonly rounds: number | undefined
}

const benchHelp = `Runs benchmarks beside their peers, writes results/*.json and renders README.md.

  pnpm bench [NAME…] [--rounds N]
  pnpm bench [NAME…] --check    only compares the contestants' answers
  pnpm bench --render           only renders the results that are there

Benchmarks: ${Benches.names.join(", ")}
`

const budgetsHelp = `Counts the instructions behind the budgets, under Valgrind, and fails where one is broken.

  pnpm budgets [WORD…]    those whose name has one of the words; all, where there are none
  pnpm budgets --record   keeps the ratios for the report
`

const flag = { type: "boolean", default: false } as const

/** Reads the arguments of `pnpm bench`. Every name is looked up before anything is started, which may take long. */
export const bench = (args: ReadonlyArray<string>): BenchCommand => {
  const options = { help: flag, check: flag, render: flag, rounds: { type: "string" } } as const
  const { values, positionals } = orRefuse(() => parseArgs({ args: [...args], allowPositionals: true, options }))
  if (values.help) explain(benchHelp)
  for (const name of positionals) {
    const isKnown = name.endsWith(".ts") ? existsSync(name) : Benches.names.includes(name)
    if (!isKnown) refuse(`There is no benchmark ${name}. There are: ${Benches.names.join(", ")}.`)
  }
  const { check, render, rounds } = values
  if (rounds !== undefined && !/^[1-9]\d{0,3}$/.test(rounds)) {
    refuse(`--rounds is ${JSON.stringify(rounds)}, and has to be a whole number from 1 to 9999.`)
  }
  return {
    names: positionals.length > 0 ? positionals : Benches.names,
    mode: render ? "render" : check ? "check" : "measure",
    rounds: rounds === undefined ? undefined : Number(rounds),
  }
}

/** What `pnpm budgets` is to do. */
export interface BudgetsCommand {
  readonly chosen: ReadonlyArray<Budget>
  readonly isRecorded: boolean
}

/** Reads the arguments of `pnpm budgets`. */
export const budgets = (args: ReadonlyArray<string>): BudgetsCommand => {
  const options = { help: flag, record: flag } as const
  const { values, positionals } = orRefuse(() => parseArgs({ args: [...args], allowPositionals: true, options }))
  if (values.help) explain(budgetsHelp)
  const chosen = Budgets.budgets.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  )
  if (chosen.length === 0) refuse(`No budget's name has ${positionals.join(" or ")} in it. bench/README.md lists them.`)
  return { chosen, isRecorded: values.record }
}

const orRefuse = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n--help shows what there is.`)
  }
}

const explain = (text: string): never => {
  process.stdout.write(text)
  return process.exit(0)
}

const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  return process.exit(2)
}
