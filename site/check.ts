/** `pnpm site:check`: the built site as readers see it. Its structure, what its search finds, and its pages in a browser. */
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { extname, join } from "node:path"
import cli from "../apps/cli/package.json" with { type: "json" }
import * as Chromium from "../apps/fake-server/scripts/Chromium.ts"
import * as Search from "./Search.ts"

const folder = join(import.meta.dirname, "dist/www")
const problems: Array<string> = []
let checks = 0
const check = (holds: boolean, problem: string): void => {
  checks += 1
  if (!holds) problems.push(problem)
}

const textOf = (path: string): string => readFileSync(join(folder, path), "utf8")
const headingsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<h2 id="([^"]+)"/g)].flatMap(([, id = ""]) => id)

const structure = (): void => {
  const landing = textOf("index.html")
  const shown = ["booked but declined", 'id="two-commands"', "pnpm@", 'id="three-doors"', "/tutorial"]
  for (const part of shown) check(landing.includes(part), `the first page lacks ${part}`)
  check(
    (/id="three-doors".*?<ul>(.*)<\/ul>/s.exec(landing)?.[1]?.match(/<strong>/g) ?? []).length === 3,
    "not three doors",
  )
  check(
    textOf("apps/cli.html").includes(String.raw`&#39;{{id}}\t{{source_total}}&#39;`),
    "the page of the commands does not show the two braces of a template",
  )
  check(textOf("404.html").includes("There is no such page"), "404.html does not say that there is no such page")
  check(
    headingsOf(textOf("api/http-client/promise.html"))[0] === "createtransferclient",
    "createTransferClient is not first",
  )
  const listed = [...textOf("api/index.html").matchAll(/href="\/api\/http-client\/(\w+)"/g)].map(([, name]) => name)
  check(
    listed[0] === "promise",
    `the modules of http-client begin with ${String(listed[0])}, not with the Promise client`,
  )
  const index = textOf("api/index.html")
  const lists = index.match(/<details.*?<\/details>/gs) ?? []
  const closed = lists.filter((list) => !/^<details[^>]* open/.test(list))
  check(
    lists.length > 8 && closed.length === lists.length - 1,
    "all lists of modules but the first are closed, so that a phone can scroll over them",
  )
  const long = lists
    .flatMap((list) => list.match(/<li>.*?<\/li>/gs) ?? [])
    .map((item) => item.replaceAll(/<[^>]*>/g, ""))
    .filter((text) => /[^.]\.\s+[A-Z]/.test(text) || text.length > 300)
  check(long.length === 0, `modules are listed with more than a sentence: ${long.join(" | ")}`)
  const modules = globSync("api/**/*.html", { cwd: folder }).filter((path) => path !== "api/index.html")
  const unnamed = modules.filter((path) => textOf(path).includes("__namedParameters"))
  check(unnamed.length === 0, `parameters have no name on ${String(unnamed)}`)
  const flat = modules.filter((path) => /<td[^>]*>(?:(?!<\/td>)[^])*<code[^>]*>ts /.test(textOf(path)))
  check(flat.length === 0, `examples are in cells of tables on ${String(flat)}`)
  check(modules.length > 100, `only ${modules.length} modules have a page`)
  const pages = [...modules, "tutorial.html", "guides/stuck.html", "packages/domain.html"]
  for (const path of pages) {
    const html = textOf(path)
    check(html.includes(`>${cli.version}<`), `${path} does not show the version`)
    check(html.includes("/edit/main/"), `${path} has no link to edit it`)
    check(html.includes("pager-link"), `${path} leads to no previous or next page`)
  }
}

/** What a reader types, and the page to find first. */
const wanted: Readonly<Record<string, string>> = {
  "stuck transfers": "/guides/stuck",
  webhook: "/guides/stuck",
  "test my client": "/guides/tests",
  parquet: "/guides/warehouse",
  "reconcile in CI": "/guides/ci",
  curl: "/guides/curl",
  certificate: "/guides/certify",
}

const search = async (): Promise<void> => {
  const vitepress = createRequire(createRequire(import.meta.url).resolve("vitepress"))
  const { default: MiniSearch } = await import(vitepress.resolve("minisearch"))
  const [file = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: folder })
  const { default: index } = await import(join(folder, file))
  // As the search box of VitePress asks.
  const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...Search }
  const engine = MiniSearch.loadJSON(index, { fields: ["title", "titles", "text"], storeFields: [], searchOptions })
  for (const [words, page] of Object.entries(wanted)) {
    const [first] = engine.search(words)
    check(String(first?.id).startsWith(page), `"${words}" finds ${first?.id} first, not ${page}`)
  }
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
}

/** Serves the site as a static host does, and calls `use` with its address. */
const served = async (use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const path = pathname.endsWith("/")
      ? `${pathname}index.html`
      : extname(pathname) === ""
        ? `${pathname}.html`
        : pathname
    try {
      const bytes = readFileSync(join(folder, decodeURIComponent(path)))
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(bytes)
    } catch {
      response.writeHead(404, { "content-type": "text/html" }).end(textOf("404.html"))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  try {
    await use(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const axe = createRequire(new URL("../apps/fake-server/package.json", import.meta.url)).resolve("axe-core/axe.min.js")

/** Nothing is wider than the screen, no flag is broken across lines, and axe finds nothing, in both themes. */
const look = async (browser: Awaited<ReturnType<typeof Chromium.start>>, address: string): Promise<void> => {
  const page = await browser.newPage()
  for (const width of [1280, 768, 390]) {
    await page.setViewport({ width, height: 900 })
    await page.goto(address, { waitUntil: "load" })
    const wide = await page.evaluate("document.documentElement.scrollWidth")
    check(Number(wide) <= width, `${address} is ${wide} wide on a screen of ${width}`)
    const small = await page.evaluate(
      '[...document.querySelectorAll(".vp-doc picture > img")].filter((image) => (image.naturalWidth < 500) !== (innerWidth <= 600)).map((image) => image.alt)',
    )
    check(
      Array.isArray(small) && small.length === 0,
      `${address} shows the picture for another width of ${String(small)} on a screen of ${width}`,
    )
    const cut = await page.evaluate(
      '[...document.querySelectorAll(".vp-doc .language-ts pre")].filter((code) => code.scrollWidth > code.clientWidth).length',
    )
    check(cut === 0, `${address} cuts ${String(cut)} blocks of code on a screen of ${width}`)
    const scrolling = await page.evaluate(
      '[...document.querySelectorAll(".api .vp-doc :is(table, td)")].filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.innerText.slice(0, 60))',
    )
    check(
      width > 640 || (Array.isArray(scrolling) && scrolling.length === 0),
      `${address} has fields wider than a screen of ${width}: ${String(scrolling)}`,
    )
    const broken = await page.evaluate(
      '[...document.querySelectorAll(".language-sh .line > span, .language-bash .line > span, code.word")].filter((word) => /^-[\\w-]+$/.test(word.textContent.trim()) && word.getClientRects().length + (word.offsetHeight > 30) > 1).map((word) => word.textContent)',
    )
    check(Array.isArray(broken) && broken.length === 0, `${address} breaks ${String(broken)} on a screen of ${width}`)
  }
  await page.setViewport({ width: 1280, height: 900 })
  await page.evaluate(readFileSync(axe, "utf8"))
  for (const theme of ["light", "dark"]) {
    // Colours that are changing have no contrast yet.
    await page.addStyleTag({ content: "* { transition: none !important; animation: none !important }" })
    await page.evaluate(`document.documentElement.classList.toggle("dark", ${theme === "dark"})`)
    const found = await page.evaluate(
      'axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0].html.slice(0, 160)}`))',
    )
    check(Array.isArray(found) && found.length === 0, `${address} in ${theme}: ${String(found)}`)
  }
  await page.close()
}

structure()
await search()
await served(async (url) => {
  const browser = await Chromium.start()
  try {
    for (const path of ["/", "/guides/stuck", "/api/domain/Money", "/api/http-client/promise", "/gone"]) {
      await look(browser, url + path)
    }
  } finally {
    await browser.close()
  }
})
for (const problem of problems) console.error(problem)
console.log(`site: ${checks - problems.length} passed, ${problems.length} failed`)
process.exitCode = problems.length === 0 ? 0 : 1
