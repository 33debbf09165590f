/** No page without an example that runs: what a page says stays true, or a test fails. */
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Documents from "../Documents.ts"
import * as Repository from "../Repository.ts"

/** Pages that are held to their source in another way, and the test that does it; records and policies have nothing to run. */
const heldBy: Readonly<Record<string, string>> = {
  "docs/architecture.md": "scripts/test/Architecture.test.ts",
  "docs/codes.md": "packages/domain/test/codes.test.ts",
  "docs/errors.md": "scripts/test/ErrorsPage.test.ts",
  "docs/partner-api.md": "packages/domain/test/Transfer.fields.test.ts",
  "docs/quality.md": "scripts/Generated.ts",
  "docs/sql.md": "packages/mirror/test/suites/recipes.ts",
  "apps/cli/README.md": "apps/cli/test/examples.test.ts",
  "apps/fake-server/README.md": "apps/fake-server/test/readme.test.ts",
  "apps/validation-lambda/README.md": "apps/validation-lambda/test/deploy.test.ts",
  "bench/README.md": "bench/src/RenderedFiles.ts",
  "deploy/README.md": "apps/cli/test/monitoring.test.ts",
  "examples/README.md": "scripts/test/Examples.test.ts",
  "packages/fake/README.md": "packages/fake/test/readme.test.ts",
}

const pages = Documents.read(Repository.root).filter(
  ({ path }) =>
    /^docs\/(?!decisions\/|versioning\.md)/.test(path) ||
    /^(?:(?:packages|apps)\/[^/]+|bench|deploy|examples)\/README\.md$/.test(path),
)

/** `sh` below docs/ is run by `pnpm docs:check`, `ts` anywhere by `pnpm packaging:check`. */
const isRun = ({ path, blocks }: Documents.Document): boolean =>
  blocks.some(({ info }) => info === "ts" || (info === "sh" && path.startsWith("docs/")))

describe("has an example that runs, or a test that compares it:", () => {
  it.each(pages)("$path", (page) => {
    const test = heldBy[page.path]
    if (test === undefined) expect(isRun(page)).toBe(true)
    else expect(readFileSync(join(Repository.root, test), "utf8")).toContain(basename(page.path))
  })
})

it("names no page that is gone", () => {
  expect(Object.keys(heldBy).filter((path) => !existsSync(join(Repository.root, path)))).toEqual([])
  expect(pages.length).toBeGreaterThan(25)
})

describe("the pictures", () => {
  const pictures = pages.flatMap(({ path, links }) =>
    links
      .filter((link) => link.endsWith(".svg") && !link.startsWith("https:"))
      .map((link) => join(dirname(path), link)),
  )

  it.each([...new Set(pictures)].filter((path) => path.startsWith("docs/")))(
    "%s is readable in light and in dark, and to a reader who cannot see it",
    (path) => {
      const svg = readFileSync(join(Repository.root, path), "utf8")
      expect(svg).toContain("@media (prefers-color-scheme:dark)")
      expect(svg).toMatch(/ role="img" aria-label="[^"]{10,}"/)
    },
  )
})
