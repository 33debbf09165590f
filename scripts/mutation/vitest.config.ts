/** The tests of one mutation run. Stryker calls Vitest in a copy of the repository, so the list comes by the environment. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"),
    setupFiles: ["./scripts/test/no-console-output.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    deps: { interopDefault: false },
  },
})
