import { expect, it } from "vitest"
import * as Pages from "../../site/Pages.ts"
import * as Documents from "../Documents.ts"
import * as Repository from "../Repository.ts"

const { pages, files } = Pages.from(Documents.read(Repository.root))
const page = (path: string): string => pages.find((each) => each.path === path)?.markdown ?? ""

it("makes the documents the site's first page, and a package's README a page of its own", () => {
  expect(page("index.md")).toContain("# Start here")
  expect(page("packages/domain.md")).toContain("# @transferkit/domain")
  expect(page("decisions/index.md")).toContain("# Decisions")
})

it("leads to a page of the site, and to the repository for what is none", () => {
  expect(page("index.md")).toContain("](/apps/cli.md#language-models)")
  expect(page("packages/domain.md")).toContain("](/codes.md)")
  expect(page("versioning.md")).toContain(`](${Repository.tree}SECURITY.md)`)
})

it("shows a picture beside its page", () => {
  expect(page("concepts.md")).toContain("](./docs/pictures/windows.svg)")
  expect(files.get("docs/pictures/windows.svg")).toBe("docs/pictures/windows.svg")
})

it("leaves code as it is, and no link relative to the repository", () => {
  expect(page("tasks.md")).toContain("transfers search --stuck 24h")
  const links = pages.flatMap(({ path, markdown }) => Documents.parse(path, markdown).links)
  expect(links.length).toBeGreaterThan(150)
  expect(links.filter((link) => !/^(?:\/|#|\.\/|https?:|mailto:)/.test(link))).toEqual([])
})
