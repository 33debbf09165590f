/** The reference of the contract, as a page that works offline. Its 3 MB are loaded on demand. */
import * as Layer from "effect/Layer"
import type { FakeOptions } from "../../FakeOptions.ts"
import * as Partners from "../../Partners.ts"

/** Without links to the vendor of the page. */
const options = { withDefaultFonts: false, showDeveloperTools: "never", hideClientButton: true }

/** A bar above the reference that leads to the console. */
const bar = `<style>
:root { --scalar-custom-header-height: 41px }
:root, body { overflow-x: clip }
.bar { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 41px; padding: 0 20px; display: flex; align-items: center; gap: 12px; font: 14px/20px ui-sans-serif, system-ui, sans-serif; color: #1b2433; background: #fff; border-bottom: 1px solid #dde2ea }
.bar a { color: #2450c8 }
body.dark-mode .bar { color: #e6eaf1; background: #12161d; border-color: #2b323e }
body.dark-mode .bar a { color: #93b4ff }
</style>
<nav class="bar" aria-label="transfers-fake"><a href="/">← Console</a><span>transfers-fake, reference</span></nav>`

/**
 * The page's HTML, ready to send requests as the first partner. Only the default secret is on it: it is no secret.
 */
export const html = async ({ partners = [], consoleFiles }: FakeOptions): Promise<Uint8Array> => {
  const [partner = Partners.defaultPartner] = partners
  const [{ TransfersApi }, HttpApiScalar, HttpRouter, HttpServer] = await Promise.all([
    import("@transferkit/http-api/TransfersApi"),
    import("effect/http-api/HttpApiScalar"),
    import("effect/http/HttpRouter"),
    import("effect/http/HttpServer"),
  ])
  const [username = "", secret = ""] = /^([^:]*):(.*)$/s.exec(partner)?.slice(1) ?? []
  const basic = { username, password: partner === Partners.defaultPartner ? secret : "" }
  const authentication = { preferredSecurityScheme: "basic", securitySchemes: { basic } }
  const page = HttpApiScalar.layer(TransfersApi, { path: "/docs", scalar: { ...options, authentication } })
  const { handler, dispose } = HttpRouter.toWebHandler(Layer.provide(page, HttpServer.layerServices), {
    disableLogger: true,
  })
  const response = await handler(new Request("http://fake/docs"))
  const text = await response.text()
  await dispose()
  const start = consoleFiles === undefined ? "<body>" : `<body>${bar}`
  return Buffer.from(text.replace("<html>", '<html lang="en">').replace("<body>", start), "utf8")
}
