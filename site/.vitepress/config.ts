/** The site: its navigation, and how VitePress renders the pages that `build.ts` has laid out. */
import { globSync, readdirSync } from "node:fs"
import { defineConfig } from "vitepress"
import { anchorOf } from "../../scripts/Documents.ts"

const folder = new URL("../dist/pages/api/", import.meta.url)
const packages = readdirSync(folder)
const modules = packages.map((name) => ({
  text: name,
  collapsed: true,
  items: globSync("**/*.md", { cwd: new URL(name, folder) })
    .map((file) => file.replace(/\.md$/, ""))
    .toSorted()
    .map((path) => ({ text: path.replace(/^.*\//, ""), link: `/api/${name}/${path}` })),
}))

const links = (...items: ReadonlyArray<readonly [text: string, link: string]>) =>
  items.map(([text, link]) => ({ text, link }))

export default defineConfig({
  title: "TransferKit",
  description:
    "Search, export, total and reconcile a partner's fiat ⇄ crypto transfers, and test against a faithful fake.",
  srcDir: "dist/pages",
  outDir: "dist/www",
  cacheDir: "dist/cache",
  cleanUrls: true,
  // Without an icon, a browser asks for one.
  head: [["link", { rel: "icon", href: "data:," }]],
  // As on the documents' own pages: the same fragments, and no HTML.
  markdown: { html: false, anchor: { slugify: anchorOf } },
  transformPageData: ({ relativePath, frontmatter }) => {
    if (/^(?:errors|troubleshooting)\.md$/.test(relativePath)) frontmatter["pageClass"] = "messages"
  },
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: "https://github.com/transferkit/transferkit" }],
    sidebar: [
      {
        text: "Start",
        items: links(
          ["By role", "/"],
          ["Tutorial", "/tutorial"],
          ["Thirty tasks", "/tasks"],
          ["Concepts", "/concepts"],
        ),
      },
      {
        text: "Guides",
        items: links(
          ["Reconcile every day in CI", "/guides/ci"],
          ["Test your client", "/guides/tests"],
          ["Write a program", "/guides/library"],
          ["Alert on stuck transfers", "/guides/stuck"],
          ["Move from a curl loop", "/guides/curl"],
          ["Feed a warehouse", "/guides/warehouse"],
          ["Deploy", "/deploy"],
        ),
      },
      {
        text: "When something is wrong",
        items: links(
          ["Troubleshooting", "/troubleshooting"],
          ["Errors and exit codes", "/errors"],
          ["Findings", "/codes"],
        ),
      },
      {
        text: "Programs",
        items: links(
          ["transfers", "/apps/cli"],
          ["transfers --help", "/reference/transfers"],
          ["Settings", "/apps/cli#settings"],
          ["transfers-fake", "/apps/fake-server"],
          ["transfers-fake --help", "/reference/transfers-fake"],
          ["The AWS function", "/apps/validation-lambda"],
        ),
      },
      {
        text: "Libraries",
        items: links(["Examples", "/examples"], ...packages.map((name) => [name, `/packages/${name}`] as const)),
      },
      {
        text: "The service",
        items: links(
          ["The contract", "/partner-api"],
          ["OpenAPI", "/reference/openapi"],
          ["A mirror in SQL", "/sql"],
          ["Scale", "/scale"],
        ),
      },
      { text: "Modules", items: modules },
      {
        text: "Why and how",
        items: links(
          ["Comparison", "/comparison"],
          ["Benchmarks", "/bench"],
          ["Architecture", "/architecture"],
          ["Decisions", "/decisions/"],
          ["Test quality", "/quality"],
          ["Versions", "/versioning"],
        ),
      },
    ],
  },
})
