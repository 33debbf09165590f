/** `pnpm docs:check`: every path, link, module, script, command and variable that a document names exists. */
import * as DocsCheck from "./DocsCheck.ts"
import * as Documents from "./Documents.ts"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"

const documents = Documents.read(Repository.root)
const problems = DocsCheck.problems(Repository.root, documents, Programs.helpOf)

for (const problem of problems) console.error(problem)
console.log(`docs: ${documents.length} documents, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
