import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    setupFiles: ["./scripts/test/no-console-output.ts"],
    pool: "forks",
    // What Node imports of a CommonJS package is what tests import of it.
    deps: { interopDefault: false },
  },
})
