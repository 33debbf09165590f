/** `pnpm planted`: plants each bug of the list in its source, runs the test that must find it, and takes it out again. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Arguments from "../Arguments.ts"
import * as Repository from "../Repository.ts"
import * as Bugs from "./Bugs.ts"

const usage = "pnpm planted [NAME]"
const { positionals } = Arguments.read(usage, { allowPositionals: true })
const wanted = Bugs.all.filter(({ name }) => positionals.every((text) => name.includes(text)))
if (wanted.length === 0) Arguments.reject(usage, `No planted bug is called ${JSON.stringify(positionals.join(" "))}.`)

const vitest = join(Repository.root, "node_modules/vitest/vitest.mjs")
const passes = ({ test, only }: Bugs.Bug): boolean =>
  spawnSync(process.execPath, [vitest, "run", test, ...(only === undefined ? [] : ["-t", only])], {
    cwd: Repository.root,
    stdio: "ignore",
  }).status === 0

// An interruption must not leave a bug behind.
let restore = () => {}
process.on("exit", () => restore())
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

let missed = 0
for (const bug of wanted) {
  const path = Bugs.pathOf(bug)
  const before = readFileSync(path, "utf8")
  const planted = Bugs.plant(bug, before)
  if ("reason" in planted) {
    console.error(`not planted: ${planted.reason}`)
    missed++
    continue
  }
  restore = () => writeFileSync(path, before)
  writeFileSync(path, planted.source)
  const isMissed = passes(bug)
  restore()
  restore = () => {}
  if (isMissed) missed++
  console.log(`${isMissed ? "MISSED" : "found"}: ${bug.name} (${bug.test})`)
}
console.log(`${wanted.length - missed} of ${wanted.length} planted bugs were found.`)
process.exitCode = missed === 0 ? 0 : 1
