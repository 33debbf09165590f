/** One contestant in its own process: `node worker.ts BENCH CONTESTANT answer|measure`. */
import * as Benches from "./Benches.ts"
import type { WorkerReport } from "./Run.ts"

const [name = "", contestantName = "", mode] = process.argv.slice(2)
const contestant = (await Benches.load(name)).contestants.find((each) => each.name === contestantName)
if (contestant === undefined) throw new Error(`${name} has no contestant ${contestantName}`)

const ready = await contestant.load()
const report: WorkerReport = mode === "answer" ? { answer: await ready.answer() } : { measured: await ready.measure() }
process.stdout.write(JSON.stringify(report), () => process.exit(0))
