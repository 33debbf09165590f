/** What is rendered from the results: the document, a chart of each benchmark, and the figures of docs/scale.md. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench } from "./Bench.ts"
import * as Benches from "./Benches.ts"
import * as Chart from "./Chart.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"
import * as ScaleTables from "./ScaleTables.ts"

const scale = join(import.meta.dirname, "../../docs/scale.md")

/** The text of every rendered file, by its path. `folder` holds the results. */
export const render = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"))
  const rendered = new Map<string, string>()
  const results: Array<readonly [Bench, Result]> = []
  for (const name of Benches.names) {
    if (!existsSync(join(folder, `${name}.json`))) continue
    const result: Result = readJson(`${name}.json`)
    results.push([await Benches.load(name), result])
    rendered.set(join(folder, `${name}.svg`), await Chart.svg(result))
    if (name === "workers") rendered.set(scale, ScaleTables.inPage(readFileSync(scale, "utf8"), result))
  }
  return rendered.set(join(folder, "../README.md"), Report.markdown(results, readJson("budgets.json")))
}
