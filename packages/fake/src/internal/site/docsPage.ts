/** The reference of the contract as a page that works offline. Its 3 MB are loaded when it is first asked for. */
import * as Layer from "effect/Layer"

/** Without what would lead to the services of the page's maker. */
const options = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  authentication: { preferredSecurityScheme: "basic" },
}

/** The page's HTML. */
export const html = async (): Promise<Uint8Array> => {
  const [{ TransfersApi }, HttpApiScalar, HttpRouter, HttpServer] = await Promise.all([
    import("@transferkit/http-api/TransfersApi"),
    import("effect/http-api/HttpApiScalar"),
    import("effect/http/HttpRouter"),
    import("effect/http/HttpServer"),
  ])
  const page = HttpApiScalar.layer(TransfersApi, { path: "/docs", scalar: options })
  const { handler, dispose } = HttpRouter.toWebHandler(Layer.provide(page, HttpServer.layerServices), {
    disableLogger: true,
  })
  const response = await handler(new Request("http://fake/docs"))
  const bytes = new Uint8Array(await response.arrayBuffer())
  await dispose()
  return bytes
}
