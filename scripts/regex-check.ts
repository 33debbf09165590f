/** `pnpm lint:regex`: every regular expression of the packages and apps takes linear time, whatever the text. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "recheck"
import * as RegexCheck from "./RegexCheck.ts"
import * as Repository from "./Repository.ts"

const files = globSync("{packages,apps}/*/src/**/*.ts", { cwd: Repository.root }).sort()
const found = files.flatMap((file) => RegexCheck.find(file, readFileSync(join(Repository.root, file), "utf8")))

/** Its checker measures time where a pattern looks around, and on a busy machine takes a linear one for slow. */
const tries = 3

const rate = async (pattern: string, flags: string, left = tries): Promise<string> => {
  const diagnostics = await check(pattern, flags, { timeout: 60_000 })
  if (diagnostics.status === "safe") return "linear"
  if (left > 1) return rate(pattern, flags, left - 1)
  return diagnostics.status === "unknown" ? `unknown (${diagnostics.error.kind})` : diagnostics.complexity.summary
}

const problems = await RegexCheck.problems(found, (pattern, flags) => rate(pattern, flags))
for (const problem of problems) console.error(problem)
console.log(`regular expressions: ${found.length} in ${files.length} files, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
