/**
 * The pages for people: the console at `/`, the reference at `/docs`, and the contract at `/openapi.json`. Each is loaded
 * at its first request.
 */
import * as fs from "node:fs/promises"
import { methodNotAllowed, type Response, split } from "../http/exchange.ts"
import * as DocsPage from "./docsPage.ts"

interface Page {
  readonly contentType: string
  readonly body: () => Promise<Uint8Array>
}

/** The pages by path, and the bodies of those already loaded. */
export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly loaded: Map<string, Uint8Array>
}

/** The pages; the console is among them if its folder is given. */
export const make = (consoleFolder: URL | undefined): Site => ({
  pages: new Map([...reference, ...(consoleFolder === undefined ? [] : consolePages(consoleFolder))]),
  loaded: new Map(),
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

/** The response to a request for a page. */
export const respond = async (self: Site, method: string, target: string): Promise<Response> => {
  const { path } = split(target)
  const page = self.pages.get(path)
  if (page === undefined || (method !== "GET" && method !== "HEAD")) return methodNotAllowed(method, "GET, HEAD")
  const body = self.loaded.get(path) ?? (await page.body())
  self.loaded.set(path, body)
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
