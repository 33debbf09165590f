/** The tests of one mutation run. Stryker calls Vitest in a copy of the repository, so the list comes by the environment. */
import { statSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** A mutant's run ends with the first test that fails, and small files tend to be quick. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return files.toSorted((a, b) => statSync(a.moduleId).size - statSync(b.moduleId).size)
  }
}

export default defineConfig({
  test: {
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"),
    globalSetup: ["./scripts/test/runFolder.ts"],
    setupFiles: ["./scripts/test/no-console-output.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    deps: { interopDefault: false },
    // Loading takes longer than most tests.
    isolate: false,
    sequence: { sequencer: SmallestFirst },
  },
})
