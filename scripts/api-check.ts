/** `pnpm api:check`: the API of a built library is the one in its report, and names nothing that a user cannot import. */
import * as ApiReport from "./ApiReport.ts"

const problems = ApiReport.libraries.flatMap((library) => [
  ...ApiReport.unresolvable(library).map((text) => `${text} Declare the type where they can, or write it out.`),
  ...(ApiReport.isCurrent(library)
    ? []
    : [`${library}/api.md is not the API any more: run pnpm generate, and add a changeset with pnpm changeset.`]),
])
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
