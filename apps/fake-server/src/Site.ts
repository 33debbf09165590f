/**
 * The pages for people: the console at `/`, the reference at `/docs`, and the contract at `/openapi.json`. What they are
 * made of is loaded when they are first asked for: most starts never are.
 */
import * as fs from "node:fs/promises"
import { methodNotAllowed } from "./Contract.ts"
import * as DocsPage from "./DocsPage.ts"
import { type Answer, split } from "./Exchange.ts"

interface Page {
  readonly contentType: string
  readonly body: () => Promise<Uint8Array>
}

const asset = (name: string, contentType: string): Page => ({
  contentType,
  body: () => fs.readFile(new URL(`console/${name}`, import.meta.url)),
})

const pages: ReadonlyMap<string, Page> = new Map([
  ["/", asset("console.html", "text/html; charset=utf-8")],
  ["/console.css", asset("console.css", "text/css; charset=utf-8")],
  ["/favicon.ico", asset("favicon.svg", "image/svg+xml")],
  ["/console.js", asset("console.js", "text/javascript; charset=utf-8")],
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
])

/** Whether there is a page at a target. */
export const has = (target: string): boolean => pages.has(split(target).path)

const made = new Map<string, Uint8Array>()

/** The answer to a request for a page. Pages are made once. */
export const answer = async (method: string, target: string): Promise<Answer> => {
  const { path } = split(target)
  const page = pages.get(path)
  if (page === undefined || (method !== "GET" && method !== "HEAD")) return methodNotAllowed(method, "GET, HEAD")
  const body = made.get(path) ?? (await page.body())
  made.set(path, body)
  const policy = path === "/docs" ? {} : { "content-security-policy": "default-src 'self'" }
  return {
    status: 200,
    headers: { "content-type": page.contentType, "cache-control": "no-cache", ...policy },
    body: [body],
  }
}
