/** `pnpm lint:regex`: every regular expression of the packages and apps takes linear time, whatever the text. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "recheck"
import * as RegexCheck from "./RegexCheck.ts"
import * as Repository from "./Repository.ts"

const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: Repository.root }).sort()
const found = files.flatMap((file) => RegexCheck.find(file, readFileSync(join(Repository.root, file), "utf8")))

const rate: RegexCheck.Rate = async (pattern, flags) => {
  const diagnostics = await check(pattern, flags, { timeout: 60_000 })
  if (diagnostics.status === "unknown") return `unknown (${diagnostics.error.kind})`
  return diagnostics.status === "safe" ? "linear" : diagnostics.complexity.summary
}

const problems = await RegexCheck.problems(found, rate)
for (const problem of problems) console.error(problem)
console.log(`regular expressions: ${found.length} in ${files.length} files, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
