/** Bundles the playground into a folder that any static host can serve. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as esbuild from "esbuild"
import * as ConsoleBundle from "../../../apps/fake-server/scripts/ConsoleBundle.ts"

const root = path.join(import.meta.dirname, "..")
const source = path.join(root, "src")

const replaced = (name: string): string => path.join(source, "browser", `${name}.ts`)

/** A text is parsed at once, so the parser of streams, and a stream, need not be there. */
const parserOfTexts: esbuild.Plugin = {
  name: "parser-of-texts",
  setup: (build) =>
    build.onResolve({ filter: /^csv-parse$/ }, ({ resolveDir, kind }) =>
      build.resolve("csv-parse/sync", { resolveDir, kind }),
    ),
}

/** Writes the files of the page into a folder, and tells what is in them. */
export const write = async (folder: string): Promise<esbuild.Metafile> => {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      playground: path.join(source, "main.tsx"),
      "fake/frame": path.join(source, "fake/FakeFrame.ts"),
    },
    outdir: folder,
    chunkNames: "parts/[name]-[hash]",
    tsconfig: path.join(root, "tsconfig.json"),
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    inject: [replaced("NodeBuffer")],
    alias: {
      "node:crypto": replaced("NodeCrypto"),
      "node:util": replaced("NodeInspect"),
    },
    plugins: [parserOfTexts],
    legalComments: "none",
    logLevel: "warning",
  })
  const { files } = await ConsoleBundle.make()
  await fs.mkdir(path.join(folder, "fake"), { recursive: true })
  for (const name of ["index.html", "playground.css", "fake/index.html", "fake/frame.css"]) {
    await fs.copyFile(path.join(source, name), path.join(folder, name))
  }
  for (const name of ["console.css", "console.js", "favicon.svg"] as const)
    await fs.writeFile(path.join(folder, "fake", name), files[name])
  return metafile
}
