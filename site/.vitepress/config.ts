/** The site: its navigation, and how VitePress renders the pages that `build.ts` has laid out. */
import { existsSync, globSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { defineConfig } from "vitepress"
import cli from "../../apps/cli/package.json" with { type: "json" }
import { anchorOf } from "../../scripts/Documents.ts"
import * as Packages from "../Packages.ts"
import { narrowOf } from "../Pages.ts"
import { boostDocument } from "../Search.ts"

const folder = new URL("../dist/pages/api/", import.meta.url)
const laidOut = join(import.meta.dirname, "../dist/pages")
const repository = "https://github.com/transferkit/transferkit"

/** The pages of the modules, below the words for their package. */
const modules = [...Packages.purposes].map(([name, text]) => ({
  text,
  // With a link, the text is no button that holds another one.
  link: `/packages/${name}`,
  collapsed: true,
  items: Packages.inOrder(
    globSync("**/*.md", { cwd: new URL(name, folder) }).map((file) => file.replace(/\.md$/, "")),
  ).map((path) => ({ text: path.replace(/^.*\//, ""), link: `/api/${name}/${path}` })),
}))

const links = (...items: ReadonlyArray<readonly [text: string, link: string]>) =>
  items.map(([text, link]) => ({ text, link }))

/** Pictures of the concepts that readers can change below them: the tool of the playground, and its height in pixels. */
const live = new Map<string, readonly [tool: string, height: number]>([
  ["created-at.svg", ["filter", 700]],
  ["windows.svg", ["scan", 1260]],
  ["money.svg", ["ledger", 1400]],
])

export default defineConfig({
  title: "TransferKit",
  description:
    "Search, export, total and reconcile a partner's fiat ⇄ crypto transfers, and test against a faithful fake.",
  srcDir: "dist/pages",
  // The Markdown of each page for language models is copied as it is.
  srcExclude: ["public/**"],
  outDir: "dist/www",
  cacheDir: "dist/cache",
  cleanUrls: true,
  // Without an icon, a browser asks for one.
  head: [["link", { rel: "icon", href: "data:," }]],
  // As on the documents' own pages: the same fragments, and no HTML.
  markdown: {
    html: false,
    // The usual ones are too pale on the background of code.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: anchorOf },
    // Words of a command apart from the spaces between them, so that the style can keep each whole.
    codeTransformers: [
      {
        name: "words",
        preprocess: (_, options) => {
          options.mergeWhitespaces = "never"
        },
      },
    ],
    config: ({ renderer: { rules } }) => {
      const code = rules.code_inline
      rules.code_inline = (tokens, index, options, env, self) => {
        const token = tokens[index]
        if (token !== undefined && /^\S{1,32}$/.test(token.content)) token.attrJoin("class", "word")
        // Vue would put the value of an expression in place of two braces.
        token?.attrSet("v-pre", "")
        return code?.(tokens, index, options, env, self) ?? ""
      }
      const image = rules.image
      rules.image = (tokens, index, options, env, self) => {
        const source = tokens[index]?.attrGet("src") ?? ""
        const shown = image?.(tokens, index, options, env, self) ?? ""
        const narrow = narrowOf(source)
        const picture = existsSync(join(laidOut, dirname(env.relativePath), narrow))
          ? `<picture><source media="(max-width: 600px)" srcset="${narrow}">${shown}</picture>`
          : shown
        const [tool, height] = live.get(basename(source)) ?? []
        return tool === undefined || env.relativePath !== "concepts.md"
          ? picture
          : `${picture}<iframe class="live" title="Try it" loading="lazy" height="${height}" src="/playground/index.html?embedded#${tool}"></iframe>`
      }
    },
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    if (/^(?:errors|troubleshooting)\.md$/.test(relativePath)) frontmatter["pageClass"] = "messages"
  },
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: { searchOptions: { boostDocument } },
        // As the page, but without colours, which the index leaves out: they take most of the time.
        _render: (source, env, markdown) => {
          const { highlight } = markdown.options
          markdown.options.highlight = null
          try {
            return markdown.render(source, env)
          } finally {
            markdown.options.highlight = highlight
          }
        },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      { text: "Start", link: "/start" },
      { text: "Guides", link: "/guides/tests", activeMatch: "^/(?:guides|tutorial|tasks|concepts)" },
      { text: "Commands", link: "/reference/transfers", activeMatch: "^/reference/" },
      { text: "Modules", link: "/api/", activeMatch: "^/(?:api|packages)/" },
      {
        text: cli.version,
        items: [
          { text: "Notes of this release", link: "/release-notes" },
          { text: "What a version promises", link: "/versioning" },
        ],
      },
    ],
    editLink: {
      text: "Edit this page",
      pattern: ({ frontmatter }) => `https://github.com/transferkit/transferkit/edit/main/${frontmatter["source"]}`,
    },
    notFound: {
      title: "There is no such page",
      quote: "It may have moved. Search for its words, or begin at the first page.",
      linkText: "To the first page",
      linkLabel: "To the first page",
    },
    sidebar: {
      "/api/": modules,
      "/packages/": modules,
      "/": [
        {
          text: "Start",
          items: [
            ...links(
              ["By role", "/start"],
              ["Tutorial", "/tutorial"],
              ["Thirty tasks", "/tasks"],
              ["Concepts", "/concepts"],
            ),
            // Not a page of VitePress.
            { text: "Playground", link: "/playground/index.html", target: "_self" },
          ],
        },
        {
          text: "Guides",
          items: links(
            ["Reconcile every day in CI", "/guides/ci"],
            ["Test your client", "/guides/tests"],
            ["Write a program", "/guides/library"],
            ["Alert on stuck transfers", "/guides/stuck"],
            ["Certify a deployment", "/guides/certify"],
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
          items: links(["Modules", "/api/"], ["Examples", "/examples"], ["Who can use them", "/consumers"]),
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
        {
          text: "Why and how",
          items: links(
            ["Comparison", "/comparison"],
            ["Benchmarks", "/bench"],
            ["Architecture", "/architecture"],
            ["Decisions", "/decisions/"],
            ["Test quality", "/quality"],
            ["What certificates say", "/certificates"],
            ["Notes of the release", "/release-notes"],
            ["Versions", "/versioning"],
          ),
        },
      ],
    },
  },
})
