import { defineConfig } from "vitest/config"

/** Tests in a real browser run by themselves: what `pnpm test` needs comes with the repository, and a browser does not. */
const inBrowser = "**/*.browser.test.ts"

export default defineConfig(({ mode }) => ({
  test: {
    include:
      mode === "browser"
        ? [`apps/${inBrowser}`]
        : ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    exclude: mode === "browser" ? ["**/node_modules/**"] : ["**/node_modules/**", inBrowser],
    setupFiles: ["./scripts/test/no-console-output.ts"],
    pool: "forks",
    // Real processes and sockets are slow where others use the machine too; what must be fast says so itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What Node imports of a CommonJS package is what tests import of it.
    deps: { interopDefault: false },
  },
}))
