import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { type BuildOptions, build } from "esbuild"
import { describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { bundle as published } from "../scripts/Bundle.ts"
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

test("a program that imports one error holds no client, and the error keeps its name when it is minified", async () => {
  const folder = fileURLToPath(new URL("../node_modules/.cache/shaken", import.meta.url))
  const { sideEffects, type } = manifest
  await published(folder)
  await writeFile(join(folder, "package.json"), JSON.stringify({ sideEffects, type }))
  for (const file of ["errors.js", "node.js", "node.client.js", "web.js", "web.client.js", "web.verdicts.js"]) {
    expect(await readFile(join(folder, file), "utf8")).toContain(`sourceMappingURL=${file}.map`)
  }
  const contents = 'export { RateLimited } from "./node.js"'
  const options = { stdin: { contents, resolveDir: folder }, bundle: true, minify: true, write: false } as const
  const { outputFiles } = await build({ ...options, format: "esm" })
  const code = outputFiles[0]?.text ?? ""
  expect(code.length).toBeLessThan(4000)
  const { RateLimited } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)
  expect(RateLimited.name).toBe("RateLimited")
  await rm(folder, { recursive: true })
})

test("the bare name of the package names its two entries", async () => {
  await expect(import("../src/internal/Entries.ts")).rejects.toThrow(
    /@transferkit\/http-client\/promise.*@transferkit\/http-client\/HttpTransferApi/,
  )
  expect(Object.values(manifest.exports)[0]).toBe("./src/internal/Entries.ts")
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

  test("takes at most 64 kB when it is gzipped, and 77 kB with decimal.js", async () => {
    // Published as a file of its own, which a page loads when it validates first.
    const later = "*/Verdicts.ts"
    const without = await bundle({ ...options, external: ["decimal.js", later] })
    const withDecimals = await bundle({ ...options, external: [later] })
    const [own, all] = [without.code, withDecimals.code].map((text) => gzipSync(text, { level: 9 }).length)
    expect(own).toBeLessThanOrEqual(64_000)
    expect(all).toBeLessThanOrEqual(77_000)
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
