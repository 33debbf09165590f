/** The share of the mutants that the tests of a folder must notice. A folder within another has its own goal. */
export const goals: Readonly<Record<string, number>> = {
  "packages/domain": 0.92,
  "packages/domain/src/internal/scan": 0.95,
  "packages/http-api": 0.92,
  "packages/files": 0.92,
  "packages/http-client": 0.85,
  "packages/in-memory": 0.85,
  "packages/mirror": 0.85,
  "apps/validation-lambda": 0.85,
}

/** The innermost folder with a goal that a source is in. */
export const folderOf = (source: string): string | undefined =>
  Object.keys(goals)
    .filter((folder) => source.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]
