/** `pnpm docs:check`: every path, link, module, script, command and variable that a document names exists. */
import * as DocsCheck from "./DocsCheck.ts"
import * as Documents from "./Documents.ts"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"

const documents = Documents.read(Repository.root)
const pages = new Map<string, string | undefined>()

/** Each help page takes a process, so it is read once. */
const helpOf: DocsCheck.HelpOf = (program, command) => {
  const key = `${program} ${command}`
  if (!pages.has(key)) pages.set(key, Programs.helpOf(program, command))
  return pages.get(key)
}

const problems = DocsCheck.problems(Repository.root, documents, helpOf)

for (const problem of problems) console.error(problem)
console.log(`docs: ${documents.length} documents, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
