/** Bundles the program into a folder that needs nothing but Node: the executable, the rest of it, its help pages and its notices. */
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Plugin } from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"
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

/** Leaves a module to a bundle beside this one. */
const leave = (filter: RegExp, file: string): Plugin => ({
  name: file,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path: `./${file}`, external: true })),
})

/** What few runs need, relative to the files that load it. */
const seldom = /^\.\/Server\.ts$/

/** Writes the bundle, in the place of what is in the folder. */
export const bundle = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const [{ metafile }] = await Promise.all([
    build({ ...shared, outdir: folder, entryPoints: { complete: "src/Complete.ts" }, metafile: true }),
    build({
      ...shared,
      outdir: folder,
      entryPoints: { main: "src/Main.ts" },
      plugins: [leave(seldom, "complete.cjs")],
    }),
    build({
      ...shared,
      outdir: folder,
      // Older Nodes must be able to read it: it tells them that they are too old.
      target: "node14.18",
      entryPoints: { transfers: "src/bin.ts" },
      plugins: [leave(/^\.\/Main\.ts$/, "main.cjs"), leave(/^\.\/Complete\.ts$/, "complete.cjs")],
    }),
  ])
  const pages = await HelpPages.all({ width: 80, style: Style.make({ colour: true }) })
  await writeFile(join(folder, "help-pages.json"), JSON.stringify(pages))
  await writeFile(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make(metafile, app))
}
