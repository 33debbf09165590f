/** Bundles the console page into one script and one style sheet, which work offline. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { ConsoleFiles } from "@transferkit/fake/FakeOptions"
import * as esbuild from "esbuild"

const folder = path.join(import.meta.dirname, "../src/console")

/** The files of the page, and what is in them. */
export interface Bundle {
  readonly files: ConsoleFiles
  readonly metafile: esbuild.Metafile
}

/** Bundles the page. */
export const make = async (): Promise<Bundle> => {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: path.join(import.meta.dirname, ".."),
    entryPoints: [path.join(folder, "console.tsx"), path.join(folder, "console.css")],
    outdir: folder,
    tsconfig: path.join(folder, "tsconfig.json"),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  })
  const built = (name: string): Uint8Array => {
    const file = outputFiles.find((each) => path.basename(each.path) === name)
    if (file === undefined) throw new Error(`esbuild made no ${name}.`)
    return file.contents
  }
  const files = {
    "console.html": await fs.readFile(path.join(folder, "console.html")),
    "console.css": built("console.css"),
    "console.js": built("console.js"),
    "favicon.svg": await fs.readFile(path.join(folder, "favicon.svg")),
  }
  return { files, metafile }
}
