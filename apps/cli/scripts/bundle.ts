/** Bundles the program into one file that runs with nothing beside it. */
import { createHash } from "node:crypto"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { constants, zstdCompressSync } from "node:zlib"
import { build, type BuildOptions } from "esbuild"
import * as HelpPages from "../src/help/HelpPages.ts"
import * as Style from "../src/terminal/Style.ts"

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

const shared = {
  bundle: true,
  platform: "node",
  target: "node22.19",
  format: "cjs",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions

/** Writes the bundle. */
export const bundle = async (outfile: string): Promise<void> => {
  const main = await build({ ...shared, entryPoints: [source("Main.ts")], write: false })
  const code = main.outputFiles[0]?.text ?? ""
  const pages = await HelpPages.all({ width: 80, style: Style.make({ colour: true }) })
  await build({
    ...shared,
    entryPoints: [source("bin.ts")],
    outfile,
    plugins: [
      {
        name: "program",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[\\/]Program\.ts$/ }, ({ path }) => ({
            contents: program(code, pages),
            loader: "js",
            resolveDir: dirname(path),
          })),
      },
    ],
  })
}

const strongest = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }

/** Code in a string is read over, not parsed, until it is compiled; packed, there is less than half as much to read over. */
const program = (code: string, pages: Readonly<Record<string, string>>): string => `
  export const helpPages = ${JSON.stringify(pages)}
  export const load = async () => {
    const { compile } = await import("./CodeCache.ts")
    const { zstdDecompressSync } = await import("node:zlib")
    const code = zstdDecompressSync(Buffer.from("${zstdCompressSync(code, strongest).toString("base64")}", "base64")).toString()
    const module = { exports: {} }
    const hash = ${JSON.stringify(createHash("sha256").update(code).digest("hex").slice(0, 16))}
    const run = compile({ code, hash, filename: __filename + ":main" })
    run(module.exports, require, module)
    return module.exports
  }`
