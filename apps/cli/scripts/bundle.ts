/** Bundles the program into one file that runs with nothing beside it. */
import { fileURLToPath } from "node:url"
import { build, type BuildOptions } from "esbuild"
import * as HelpPages from "../src/HelpPages.ts"
import * as Style from "../src/Style.ts"

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
          onLoad({ filter: /[\\/]Program\.ts$/ }, () => ({ contents: program(code, pages), loader: "js" })),
      },
    ],
  })
}

/** Code in a string is read over, not parsed, until it is compiled. */
const program = (code: string, pages: Readonly<Record<string, string>>): string => `
  import { compileFunction } from "node:vm"
  export const helpPages = ${JSON.stringify(pages)}
  export const load = async () => {
    const module = { exports: {} }
    const run = compileFunction(${JSON.stringify(code)}, ["exports", "require", "module"], { filename: __filename + ":main" })
    run(module.exports, require, module)
    return module.exports
  }`
