/** `pnpm bench`: runs benchmarks and renders the report. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Benches from "./Benches.ts"
import * as CommandLine from "./CommandLine.ts"
import * as RenderedFiles from "./RenderedFiles.ts"
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
}

mkdirSync(folder, { recursive: true })
if (mode !== "render") for (const name of names) await run(name)
if (mode !== "check") {
  for (const [file, text] of await RenderedFiles.render(folder)) writeFileSync(file, text)
}
