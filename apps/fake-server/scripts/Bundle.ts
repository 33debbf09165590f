/** Builds the program for publishing: a bundle without dependencies, and the console page. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as esbuild from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"
import manifest from "../package.json" with { type: "json" }
import * as ConsoleBundle from "./ConsoleBundle.ts"

const app = path.join(import.meta.dirname, "..")

/** Builds into a folder that can be packed, published or copied into an image. */
export const build = async (folder: string): Promise<void> => {
  await fs.rm(folder, { recursive: true, force: true })
  const { metafile } = await esbuild.build({
    absWorkingDir: app,
    entryPoints: [path.join(app, "src/bin.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    // A CommonJS module in a chunk of its own would export nothing but its default.
    mainFields: ["module", "main"],
    target: "node22",
    legalComments: "none",
    define: { BUILT: "true" },
    logLevel: "warning",
    metafile: true,
  })
  await fs.mkdir(path.join(folder, "console"))
  const page = await ConsoleBundle.make()
  for (const [name, content] of Object.entries(page.files)) {
    await fs.writeFile(path.join(folder, "console", name), content)
  }
  const outputs = { ...metafile.outputs, ...page.metafile.outputs }
  await fs.writeFile(path.join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make({ outputs }, app))
  const { name, version, description, keywords, homepage, bugs, license, repository, type, engines } = manifest
  const about = { name, version, description, keywords, homepage, bugs, license, repository, type, engines }
  const published = { ...about, bin: { "transfers-fake": "bin.js" }, publishConfig: { access: "public" } }
  await fs.writeFile(path.join(folder, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`)
  for (const name of ["README.md", "console.webp"]) await fs.copyFile(path.join(app, name), path.join(folder, name))
  await fs.copyFile(path.join(app, "../../LICENSE"), path.join(folder, "LICENSE"))
}
