/** What is rendered from the results: the document, and a chart of each benchmark. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench } from "./Bench.ts"
import * as Benches from "./Benches.ts"
import * as Chart from "./Chart.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"

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
  }
  return rendered.set(join(folder, "../README.md"), Report.markdown(results, readJson("budgets.json")))
}
