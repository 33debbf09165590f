/**
 * The pages for people: the console at `/`, the reference at `/docs`, and the contract at `/openapi.json`. What they are
 * made of is loaded when they are first asked for: most starts never are.
 */
import * as fs from "node:fs/promises"
import { methodNotAllowed, type Response, split } from "../http/exchange.ts"
import * as DocsPage from "./docsPage.ts"

interface Page {
  readonly contentType: string
  readonly body: () => Promise<Uint8Array>
}

/** The pages by their paths, and the bodies of those that were asked for. */
export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly made: Map<string, Uint8Array>
}

/** The pages, with the console's if there is a folder with it. */
export const make = (consoleFolder: URL | undefined): Site => ({
  pages: new Map([...reference, ...(consoleFolder === undefined ? [] : consolePages(consoleFolder))]),
  made: new Map(),
})

const consolePages = (folder: URL): ReadonlyArray<readonly [path: string, page: Page]> => {
  const file = (name: string, contentType: string): Page => ({
    contentType,
    body: () => fs.readFile(new URL(name, folder)),
  })
  return [
    ["/", file("console.html", "text/html; charset=utf-8")],
    ["/console.css", file("console.css", "text/css; charset=utf-8")],
    ["/favicon.ico", file("favicon.svg", "image/svg+xml")],
    ["/console.js", file("console.js", "text/javascript; charset=utf-8")],
  ]
}

const reference: ReadonlyArray<readonly [path: string, page: Page]> = [
  ["/docs", { contentType: "text/html; charset=utf-8", body: DocsPage.html }],
  [
    "/openapi.json",
    {
      contentType: "application/json",
      body: async () => {
        const { document } = await import("@transferkit/http-api/OpenApiDocument")
        return Buffer.from(JSON.stringify({ ...document, servers: [{ url: "/" }] }), "utf8")
      },
    },
  ],
]

/** Whether there is a page at a target. */
export const has = (self: Site, target: string): boolean => self.pages.has(split(target).path)

/** The answer to a request for a page. Pages are made once. */
export const respond = async (self: Site, method: string, target: string): Promise<Response> => {
  const { path } = split(target)
  const page = self.pages.get(path)
  if (page === undefined || (method !== "GET" && method !== "HEAD")) return methodNotAllowed(method, "GET, HEAD")
  const body = self.made.get(path) ?? (await page.body())
  self.made.set(path, body)
  // The reference has scripts and styles of its own in its page.
  const sources = path === "/docs" ? "" : "default-src 'self'; base-uri 'none'; form-action 'self'; "
  return {
    status: 200,
    headers: {
      "content-type": page.contentType,
      "cache-control": "no-cache",
      "content-security-policy": `${sources}frame-ancestors 'none'`,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    },
    body: [body],
  }
}
