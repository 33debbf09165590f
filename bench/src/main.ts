/** `pnpm bench`: runs benchmarks and renders the report. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench } from "./Bench.ts"
import * as Benches from "./Benches.ts"
import * as Chart from "./Chart.ts"
import * as CommandLine from "./CommandLine.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"
import * as Run from "./Run.ts"

const { names, mode, rounds } = CommandLine.bench(process.argv.slice(2))
const folder = join(import.meta.dirname, "../results")

const run = async (name: string): Promise<void> => {
  const bench = await Benches.load(name)
  console.log(`${name}: ${Run.verify(bench)} contestants agree`)
  if (mode === "check") return
  const result = Run.measure({ ...bench, rounds: rounds ?? bench.rounds }, (progress) =>
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
    if (mode === "render") writeFileSync(join(folder, `${name}.svg`), await Chart.svg(result))
  }
  const counted = join(folder, "budgets.json")
  const ratios = existsSync(counted) ? JSON.parse(readFileSync(counted, "utf8")) : {}
  writeFileSync(join(folder, "../README.md"), Report.markdown(results, ratios))
}

mkdirSync(folder, { recursive: true })
if (mode !== "render") for (const name of names) await run(name)
if (mode !== "check") await render()
