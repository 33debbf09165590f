import { defineConfig } from "vitest/config"

/** Tests that run by themselves: they take minutes or much memory, or need what does not come with the repository. */
const separate = ["browser", "hostile", "large", "postgres", "sea", "shells"]
const filesOf = (mode: string): string => `**/*.${mode}.test.ts`

export default defineConfig(({ mode }) => ({
  test: {
    include: separate.includes(mode)
      ? [`{apps,packages}/${filesOf(mode)}`]
      : [
          "packages/*/test/**/*.test.ts",
          "apps/*/test/**/*.test.ts",
          "scripts/test/**/*.test.ts",
          "examples/vitest/*.test.ts",
        ],
    exclude: ["**/node_modules/**", ...separate.filter((other) => other !== mode).map(filesOf)],
    globalSetup: ["./scripts/test/drawSeed.ts"],
    setupFiles: ["./scripts/test/no-console-output.ts"],
    pool: "forks",
    // One core fewer is the default; on two cores that leaves one idle.
    maxWorkers: "100%",
    // Real processes and sockets are slow where others use the machine too; what must be fast says so itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What Node imports of a CommonJS package is what tests import of it.
    deps: { interopDefault: false },
  },
}))
