import { execFileSync } from "node:child_process"
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { type BuildOptions, build } from "esbuild"
import { describe, expect, test } from "vitest"
import * as Published from "../scripts/Bundle.ts"
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
  return { code: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs), external }
}

test("a bundle for Node holds the transport of Node", async () => {
  const { inputs } = await bundle({ platform: "node" })
  expect(inputs.some((file) => file.endsWith("src/NodeTransport.ts"))).toBe(true)
})

test("a cold import of the published bundle takes at most 60 ms of CPU", async () => {
  const folder = fileURLToPath(new URL(`../node_modules/.cache/imported-${process.pid}`, import.meta.url))
  await Published.bundle(folder)
  const cpuOf = (code: string) => {
    const program = `${code}; const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)`
    return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }))
  }
  const least = (code: string) => Math.min(...Array.from({ length: 7 }, () => cpuOf(code)))
  const milliseconds = least(`await import(${JSON.stringify(`${folder}/node.js`)})`) - least("")
  await rm(folder, { recursive: true })
  expect(milliseconds).toBeLessThanOrEqual(60)
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

  test("takes at most 90 kB when it is gzipped", () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(90_000)
  })

  test("works", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const { createTransferClient } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)
    const client = createTransferClient({ baseUrl: service.url, partnerId: "demo", secretKey: "demo-secret" })
    expect(await client.search()).toEqual({ results: [], page_info: { has_next_page: false } })
  })
})
