/// <reference lib="dom" />
/** The playground in a real browser, from a static host that knows nothing but its files. */
import { mkdtempSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll } from "vitest"
import * as Chromium from "../../../apps/fake-server/scripts/Chromium.ts"
import * as Bundle from "../scripts/Bundle.ts"

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
}

export interface Opened extends AsyncDisposable {
  readonly page: Page
  /** Requests elsewhere, errors and failures. */
  readonly complaints: ReadonlyArray<string>
  /** Bytes of all files that were loaded, compressed. */
  readonly loaded: () => number
}

/** How a visitor looks at it. */
export interface Visitor {
  readonly width?: number
  readonly scheme?: "light" | "dark"
  readonly lessMotion?: boolean
}

/** Serves the page for the tests of a file, and opens it. */
export const usePlayground = () => {
  const folder = mkdtempSync(join(tmpdir(), "transfers-playground-"))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const path = join(folder, pathname.replace(/^\/below/, ""), pathname.endsWith("/") ? "index.html" : "")
    readFile(path).then(
      (bytes) => response.writeHead(200, { "content-type": contentTypes[extname(path)] ?? "text/plain" }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  let browser: Browser | undefined
  let url = ""
  beforeAll(async () => {
    await Bundle.write(folder)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    // Below a path, as a site of a project is.
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/below/`
    browser = await Chromium.start()
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
    await rm(folder, { recursive: true })
  })
  return async (
    address: string,
    { width = 1280, scheme = "light", lessMotion = false }: Visitor = {},
  ): Promise<Opened> => {
    if (browser === undefined) throw new Error("The browser has not started.")
    const page = await browser.newPage()
    page.setDefaultTimeout(240_000)
    const complaints: Array<string> = []
    const files = new Set<string>()
    page.on("request", (request) => {
      if (/^(?:data|blob|about):/.test(request.url())) return
      if (request.url().startsWith(url)) files.add(new URL(request.url()).pathname.replace(/^\/below/, ""))
      else complaints.push(request.url())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: lessMotion ? "reduce" : "no-preference" },
    ])
    await page.setViewport({ width, height: 900 })
    await page.goto(url + address)
    const contents = async () =>
      Promise.all([...files].map((file) => readFile(join(folder, file, file.endsWith("/") ? "index.html" : ""))))
    const bytes = await contents()
    return {
      page,
      complaints,
      loaded: () => bytes.reduce((sum, file) => sum + gzipSync(file).byteLength, 0),
      [Symbol.asyncDispose]: () => page.close(),
    }
  }
}

/** The text of axe-core, which `evaluate` runs in the page. */
export const axe = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Waits until the page shows a text. */
export const until = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body?.innerText.includes(wanted), { polling: 100, timeout: 240_000 }, text)
