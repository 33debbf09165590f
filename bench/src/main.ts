/**
 * `pnpm bench [NAME…]`: runs benchmarks and renders the report. `--check` only compares the contestants' answers,
 * `--render` only writes the report of the results that are there. `--rounds N` takes another number of rounds.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Bench } from "./Bench.ts"
import * as Benches from "./Benches.ts"
import * as Chart from "./Chart.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"
import * as Run from "./Run.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean", default: false },
    render: { type: "boolean", default: false },
    rounds: { type: "string" },
  },
})
const folder = join(import.meta.dirname, "../results")

const run = async (name: string): Promise<void> => {
  const bench = await Benches.load(name)
  console.log(`${name}: ${Run.verify(bench)} contestants agree`)
  if (values.check) return
  const result = Run.measure({ ...bench, rounds: Number(values.rounds ?? bench.rounds) }, (progress) =>
    process.stderr.write(`${progress}\n`),
  )
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(join(folder, `${name}.svg`), await Chart.svg(result))
}

const render = async (): Promise<void> => {
  const results: Array<readonly [Bench, Result]> = []
  for (const name of Benches.names) {
    const file = join(folder, `${name}.json`)
    if (!existsSync(file)) continue
    const result: Result = JSON.parse(readFileSync(file, "utf8"))
    results.push([await Benches.load(name), result])
    if (values.render) writeFileSync(join(folder, `${name}.svg`), await Chart.svg(result))
  }
  const counted = join(folder, "budgets.json")
  const ratios = existsSync(counted) ? JSON.parse(readFileSync(counted, "utf8")) : {}
  writeFileSync(join(folder, "../README.md"), Report.markdown(results, ratios))
}

mkdirSync(folder, { recursive: true })
if (!values.render) for (const name of positionals.length > 0 ? positionals : Benches.names) await run(name)
if (!values.check) await render()
