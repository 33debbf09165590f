/** No page without an example that runs: what a page says stays true, or a test fails. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Documents from "../Documents.ts"
import * as FirstSteps from "../packaging/FirstSteps.ts"
import * as Repository from "../Repository.ts"

/** Pages that are held to their source in another way, and the test that does it; records and policies have nothing to run. */
const heldBy: Readonly<Record<string, string>> = {
  "docs/architecture.md": "scripts/test/Architecture.test.ts",
  "docs/certificates.md": "packages/conformance/test/hostile.test.ts",
  "docs/consumers.md": "scripts/Generated.ts",
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
    /^docs\/(?!decisions\/|versioning\.md|release-notes\.md)/.test(path) ||
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

/** A shell block of a page, below a heading of the second level. */
interface ShellBlock {
  readonly path: string
  readonly heading: string
  readonly section: string
  readonly info: string
  readonly text: string
}

const shellBlocks = globSync(["*.md", "{docs,apps,packages,examples,deploy,site,bench}/**/*.md"], {
  cwd: Repository.root,
  exclude: (name) => name === "node_modules" || name === "dist" || name === "golden",
}).flatMap((path): ReadonlyArray<ShellBlock> => {
  // A heading begins a line outside of blocks; a line of a shell that looks like one has a single #.
  const sections = readFileSync(join(Repository.root, path), "utf8").split(/^## /m)
  const [head = ""] = sections
  // A page may say it once, for all of its blocks.
  const said = /no test runs the blocks of this page/i.exec(head)?.[0] ?? ""
  return sections.flatMap((section, index) => {
    const heading = index === 0 ? "" : (section.split("\n", 1)[0] ?? "")
    return [...section.matchAll(/^```((?:sh|bash|shell|console)\b.*)\n([^]*?)^```$/gm)].map(
      ([, info = "", text = ""]) => ({
        path,
        heading,
        section: `${said} ${section}`,
        info,
        text,
      }),
    )
  })
})

const ci = readFileSync(join(Repository.root, ".ci/run"), "utf8")

/** A line that CI runs as a step of its own, if only with more cases, without the words behind it. */
const isStepOfCi = (line: string): boolean => {
  const [, name] = /^npx -y pnpm@\S+ ([\w:-]+)(?: +#.*)?$/.exec(line) ?? []
  return name !== undefined && new RegExp(`\\$pnpm ${name}(?::thorough)?"`).test(ci)
}

/** A line that `pages.docs.test.ts` carries out before it runs the rest of the page. */
const isSetUp = (line: string): boolean =>
  /^npx -y pnpm@\S+ transfers-fake |^alias transfers="npx -y pnpm@|^export TRANSFERS_BASE_URL=http:\/\/127\.0\.0\.1/.test(
    line,
  )

/** Whether a test runs the block: of the documents, of the first steps, of a help page, of an example, or a step of CI. */
const isExecuted = ({ path, heading, info, text }: ShellBlock): boolean => {
  const lines = text.trim().split("\n")
  if (lines.every(isStepOfCi)) return true
  if (path === "apps/cli/README.md") return info === "sh"
  if (FirstSteps.all.some((steps) => steps.page === path && steps.heading === heading)) return true
  if (/^examples\/[^/]+\/README\.md$/.test(path)) return text === "npm install\nnpm test\n"
  if (!path.startsWith("docs/")) return false
  const [, file] = info.split(" ")
  return (
    info === "sh" ||
    lines.every(isSetUp) ||
    (file !== undefined && readFileSync(join(Repository.root, path), "utf8").includes(`\nsh ${file}`))
  )
}

it("runs every shell block, or says in its section that no test does", () => {
  expect(shellBlocks.length).toBeGreaterThan(120)
  const silent = shellBlocks
    .filter((block) => !isExecuted(block) && !/\bno test runs\b|\bCI runs this line\b/i.test(block.section))
    .map(({ path, heading, text }) => `${path}, ${heading}: ${text.split("\n", 1)[0]}`)
  expect(silent).toEqual([])
})

it("writes commands as a reader without pnpm can run them, or says what pnpm stands for", () => {
  const written = globSync(["*.md", "{docs,apps,packages,examples,deploy,bench}/**/*.md"], {
    cwd: Repository.root,
    exclude: (name) => ["node_modules", "dist", "golden", "decisions"].includes(name),
  }).filter((path) => !/(?:^|\/)(?:CHANGELOG|api)\.md$/.test(path))
  const bare = written.filter((path) => {
    const text = readFileSync(join(Repository.root, path), "utf8")
    return /(?<!-y )(?<![\w@/"])pnpm [a-z]/.test(text) && !/`pnpm`[^.]{0,20} (?:stands )?for `npx -y pnpm@/.test(text)
  })
  expect(bare).toEqual([])
  expect(written.length).toBeGreaterThan(50)
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
