import { expect, it } from "vitest"
import * as Landing from "../../site/Landing.ts"
import * as LanguageModels from "../../site/LanguageModels.ts"
import * as Pages from "../../site/Pages.ts"
import * as Documents from "../Documents.ts"
import * as Repository from "../Repository.ts"

const { pages, files } = Pages.from(Documents.read(Repository.root))
const page = (path: string): string => pages.find((each) => each.path === path)?.markdown ?? ""

it("makes the README the site's first page, and a package's README a page of its own", () => {
  expect(page("index.md")).toContain("# TransferKit")
  expect(page("start.md")).toContain("# Start here")
  expect(page("packages/domain.md")).toContain("# @transferkit/domain")
  expect(page("decisions/index.md")).toContain("# Decisions")
})

it("leads to a page of the site, and to the repository for what is none", () => {
  expect(page("start.md")).toContain("](/apps/cli.md#language-models)")
  expect(page("packages/domain.md")).toContain("](/codes.md)")
  expect(page("versioning.md")).toContain(`](${Repository.tree}SECURITY.md)`)
})

it("begins with what this is, its proof, two commands and three doors, and none of them is missing", () => {
  const { frontmatter, markdown } = Landing.of(page("index.md"))
  expect(frontmatter).toMatchObject({
    layout: "home",
    hero: { name: "TransferKit", tagline: expect.stringContaining("declined") },
  })
  expect(markdown).toMatch(/^\[!\[.+\]\(.*terminal\.svg\)\]\(\/tutorial\.md\)\n\n/)
  expect(markdown.match(/^npx -y pnpm@\S+ \w+/gm)).toHaveLength(2)
  expect(markdown.match(/^- \*\*You /gm)).toHaveLength(3)
  expect(markdown.match(/^ {2}- \[.+\]\(\/.+\.md\)$/gm)?.length).toBeGreaterThanOrEqual(6)
  expect(() => Landing.of("# A\n\nb\n")).toThrow('README.md has no section "Two commands"')
})

it("shows a picture beside its page", () => {
  expect(page("concepts.md")).toContain("](./docs/pictures/windows.svg)")
  expect(files.get("docs/pictures/windows.svg")).toBe("docs/pictures/windows.svg")
})

it("lists every page for language models, has all documents in one file, and each as Markdown", () => {
  const made = new Map(LanguageModels.files(pages).map(({ path, text }) => [path, text]))
  const list = made.get("llms.txt") ?? ""
  expect(list).toMatch(/^# TransferKit\n\n> .+\n/)
  expect(list).toContain("\n- [Start here](/start.md)")
  expect(list).toMatch(
    /\n## Libraries\n\n(?:- .*\n)*- \[@transferkit\/http-client\]\(\/packages\/http-client\.md\): \S/,
  )
  const listed = [...list.matchAll(/\]\(\/([^)]+\.md)\)/g)].map(([, path]) => path)
  expect(listed.toSorted()).toEqual(pages.map(({ path }) => path).toSorted())
  expect(listed.filter((path) => path === undefined || made.get(path) === undefined)).toEqual([])
  expect(made.get("llms-full.txt")).toContain("# @transferkit/http-client")
  expect(made.get("concepts.md")).toBe(page("concepts.md"))
})

it("leaves code as it is, and no link relative to the repository", () => {
  expect(page("tasks.md")).toContain("transfers search --stuck 24h")
  const links = pages.flatMap(({ path, markdown }) => Documents.parse(path, markdown).links)
  expect(links.length).toBeGreaterThan(150)
  expect(links.filter((link) => !/^(?:\/|#|\.\/|https?:|mailto:)/.test(link))).toEqual([])
})
