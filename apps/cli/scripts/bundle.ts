/** Bundles the program into a folder that needs nothing but Node: the executable, the rest of it, its help and manual pages, and its notices. */
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Plugin } from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"
import manifest from "../package.json" with { type: "json" }
import * as HelpPages from "../src/help/HelpPages.ts"
import * as Style from "../src/terminal/Style.ts"

const app = fileURLToPath(new URL("..", import.meta.url))

const shared = {
  absWorkingDir: app,
  bundle: true,
  platform: "node",
  target: "node22.19",
  // A CommonJS executable starts in four fifths of the time of an ES module.
  format: "cjs",
  supported: { "dynamic-import": false },
  define: { "import.meta.dirname": "__dirname" },
  outExtension: { ".js": ".cjs" },
  minify: true,
  legalComments: "none",
  logLevel: "warning",
} as const satisfies BuildOptions

const { resolve } = createRequire(import.meta.url)

/** What few commands need, each in a file of its own, so that no start reads it: how it is imported, and what it is. */
const apart: ReadonlyArray<{ readonly file: string; readonly imported: RegExp; readonly entry: string }> = [
  { file: "jq", imported: /\/JqRuntime\.ts$/, entry: "src/output/JqRuntime.ts" },
  { file: "mustache", imported: /^mustache$/, entry: resolve("mustache") },
  { file: "latest-version", imported: /\/LatestVersion\.ts$/, entry: "src/update/LatestVersion.ts" },
]

/** Leaves a module to a file beside this one. */
const leave = (imported: RegExp, file: string): Plugin => ({
  name: file,
  setup: ({ onResolve }) => onResolve({ filter: imported }, () => ({ path: `./${file}.cjs`, external: true })),
})

const elsewhere = apart.map(({ file, imported }) => leave(imported, file))

/** Writes the bundle, in the place of what is in the folder. */
export const bundle = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  // The program twice: all of it, and for most runs without what serves language models, which has too much in common.
  const { metafile } = await build({
    ...shared,
    outdir: folder,
    entryPoints: { complete: "src/Complete.ts" },
    metafile: true,
    plugins: elsewhere,
  })
  await build({
    ...shared,
    outdir: folder,
    entryPoints: { main: "src/Main.ts" },
    plugins: [...elsewhere, leave(/^\.\/Server\.ts$/, "complete")],
  })
  const rare = await build({
    ...shared,
    outdir: folder,
    entryPoints: Object.fromEntries(apart.map(({ file, entry }) => [file, entry])),
    metafile: true,
  })
  await build({
    ...shared,
    outdir: folder,
    // Older Nodes must be able to read it: it tells them that they are too old.
    target: "node14.18",
    entryPoints: { transfers: "src/bin.ts" },
    plugins: [...elsewhere, leave(/\/Main\.ts$/, "main"), leave(/\/Complete\.ts$/, "complete")],
  })
  await accompany(folder, { ...metafile.outputs, ...rare.metafile.outputs })
}

/** Writes the same with all code in one file, for an executable that has the other files as its assets. */
export const bundleWhole = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    ...shared,
    outdir: folder,
    entryPoints: { transfers: "src/bin.ts" },
    metafile: true,
    plugins: [assets],
  })
  await accompany(folder, metafile.outputs)
}

/** Reads from the executable what the program and jq look for beside them. */
const assets: Plugin = {
  name: "assets",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:node:)?fs$/ }, ({ importer }) =>
      /\/src\/bin\.ts$|\/jq-web\//.test(importer) ? { path: join(app, "sea/AssetFiles.ts") } : undefined,
    ),
}

/** Writes what is beside the code. */
const accompany = async (folder: string, outputs: ThirdPartyNotices.Metafile["outputs"]): Promise<void> => {
  await copyFile(resolve("jq-web/jq.wasm"), join(folder, "jq.wasm"))
  const pages = await HelpPages.all({ width: 80, style: Style.make({ colour: true }) })
  await writeFile(join(folder, "help-pages.json"), JSON.stringify(pages))
  await mkdir(join(folder, "man"))
  for (const [name, page] of Object.entries(await HelpPages.manual(manifest.version))) {
    await writeFile(join(folder, "man", name), page)
  }
  await writeFile(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make({ outputs }, app))
}
