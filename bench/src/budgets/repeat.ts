/**
 * One operation of one contestant under callgrind: warmed up uncounted, then done some more times, counted.
 * `node repeat.ts BENCH CONTESTANT OPERATION WARM_UP TIMES`
 */
import { spawnSync } from "node:child_process"
import * as Benches from "../Benches.ts"

const [name = "", contestantName = "", operation = "", warmUp, times] = process.argv.slice(2)
const contestant = (await Benches.load(name)).contestants.find((each) => each.name === contestantName)
const ready = await contestant?.load()
const run = ready?.operations?.[operation]
if (run === undefined) throw new Error(`${name} has no operation ${operation} of ${contestantName}`)

const counting = (state: "on" | "off"): void => {
  const { status, stderr } = spawnSync("callgrind_control", ["-i", state, String(process.pid)], { encoding: "utf8" })
  if (status !== 0) throw new Error(`callgrind does not listen: ${stderr}`)
}

for (let time = 0; time < Number(warmUp); time++) await run()
counting("on")
for (let time = 0; time < Number(times); time++) await run()
counting("off")
process.exit(0)
