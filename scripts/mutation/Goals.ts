/** The share of the mutants that the tests of a folder must notice. */
export const goals: Readonly<Record<string, number>> = {
  "packages/domain": 0.92,
  "packages/http-api": 0.92,
  "packages/files": 0.92,
  "packages/http-client": 0.85,
  "packages/in-memory": 0.85,
  "packages/mirror": 0.85,
  "apps/validation-lambda": 0.85,
}
