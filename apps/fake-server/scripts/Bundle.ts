/** Builds the program for publishing: a bundle without dependencies, and the console page. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as esbuild from "esbuild"
import manifest from "../package.json" with { type: "json" }
import * as ConsoleBundle from "./ConsoleBundle.ts"

const app = path.join(import.meta.dirname, "..")

/** Builds into a folder that can be packed, published or copied into an image. */
export const build = async (folder: string): Promise<void> => {
  await fs.rm(folder, { recursive: true, force: true })
  await esbuild.build({
    entryPoints: [path.join(app, "src/bin.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    define: { BUILT: "true" },
    logLevel: "warning",
  })
  await fs.mkdir(path.join(folder, "console"))
  for (const [name, content] of Object.entries(await ConsoleBundle.make())) {
    await fs.writeFile(path.join(folder, "console", name), content)
  }
  const { name, version, description, license, type, engines } = manifest
  const published = { name, version, description, license, type, bin: { "transfers-fake": "bin.js" }, engines }
  await fs.writeFile(path.join(folder, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`)
  await fs.copyFile(path.join(app, "README.md"), path.join(folder, "README.md"))
}
