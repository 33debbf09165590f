/**
 * The pages for people: the console at `/`, the reference at `/docs`, and the contract at `/openapi.json`. Each is loaded
 * at its first request.
 */
import type { ConsoleFiles, FakeOptions } from "../../FakeOptions.ts"
import { methodNotAllowed, type Response, split } from "../Exchange.ts"
import * as DocsPage from "./DocsPage.ts"

interface Page {
  readonly contentType: string
  readonly body: () => Promise<Uint8Array>
}

/** The pages by path, and the bodies of those already loaded. */
export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly loaded: Map<string, Uint8Array>
}

/** The pages of a fake; the console is among them if its files are given. */
export const make = (options: FakeOptions): Site => ({
  pages: new Map([
    ["/docs", { contentType: html, body: () => DocsPage.html(options) }],
    ["/openapi.json", { contentType: "application/json", body: openApi }],
    ...(options.consoleFiles === undefined ? [] : consolePages(options.consoleFiles)),
  ]),
  loaded: new Map(),
})

const html = "text/html; charset=utf-8"

const openApi = async (): Promise<Uint8Array> => {
  const { document } = await import("@transferkit/http-api/OpenApiDocument")
  return Buffer.from(JSON.stringify({ ...document, servers: [{ url: "/" }] }), "utf8")
}

const consolePages = (files: () => Promise<ConsoleFiles>): ReadonlyArray<readonly [path: string, page: Page]> => {
  const file = (name: keyof ConsoleFiles, contentType: string): Page => ({
    contentType,
    body: async () => (await files())[name],
  })
  return [
    ["/", file("console.html", html)],
    ["/console.css", file("console.css", "text/css; charset=utf-8")],
    ["/favicon.ico", file("favicon.svg", "image/svg+xml")],
    ["/favicon.svg", file("favicon.svg", "image/svg+xml")],
    ["/console.js", file("console.js", "text/javascript; charset=utf-8")],
  ]
}

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
