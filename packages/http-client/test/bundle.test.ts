import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { type BuildOptions, build } from "esbuild"
import { describe, expect, test } from "vitest"
import * as Service from "./Service.ts"

const bundle = async (options: BuildOptions) => {
  const { metafile, outputFiles } = await build({
    ...options,
    stdin: { contents: 'export * from "./src/promise.ts"', resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  })
  const external = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external))
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  return { code: outputFiles[0]?.text ?? "", inputs, external }
}

test("a bundle for Node holds the transport of Node", async () => {
  const { inputs } = await bundle({ platform: "node" })
  expect(inputs.some((file) => file.endsWith("src/NodeTransport.ts"))).toBe(true)
})

// Node's modules cannot be bundled for a browser: an import of one would fail the build or remain in it.
describe.each<readonly [what: string, BuildOptions]>([
  ["browsers", { platform: "browser" }],
  ["workers", { platform: "browser", conditions: ["workerd", "worker", "browser"] }],
  ["anything", { platform: "neutral", mainFields: ["module", "main"] }],
])("the Promise client, bundled for %s", async (_, options) => {
  const { code, inputs, external } = await bundle(options)

  test("needs no module of Node", () => {
    expect(external).toEqual([])
    expect(inputs.filter((file) => file.includes("NodeTransport"))).toEqual([])
    expect(/\b(?:from|import|require)\b[\s(]*["']node:/.test(code)).toBe(false)
    expect(inputs.length).toBeGreaterThan(20)
  })

  test("takes at most 56 kB when it is gzipped, and 70 kB with decimal.js", async () => {
    const without = await bundle({ ...options, external: ["decimal.js"] })
    const [own, all] = [without.code, code].map((text) => gzipSync(text, { level: 9 }).length)
    expect(own).toBeLessThanOrEqual(56_000)
    expect(all).toBeLessThanOrEqual(70_000)
  })

  test("holds no schema", () => {
    expect(inputs.filter((file) => /effect\/dist\/Schema|wire\/\w+Schema\.ts$/.test(file))).toEqual([])
  })

  test("searches, loaded by itself", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const { createTransferClient } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)
    const client = createTransferClient({ baseUrl: service.url, partnerId: "demo", secretKey: "demo-secret" })
    expect(await client.search()).toEqual({ results: [], page_info: { has_next_page: false } })
  })
})
