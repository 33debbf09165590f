/** Bundles the program into a folder that needs nothing but Node: the executable, the rest of it, its help and manual pages, and its notices. */
import { chmod, copyFile, mkdir, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Plugin, type RolldownOutput } from "rolldown"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"
import manifest from "../package.json" with { type: "json" }
import * as Style from "../src/terminal/Style.ts"
import * as HelpPages from "./HelpPages.ts"

const app = fileURLToPath(new URL("..", import.meta.url))

/** Node caches the compiled code of a module's top level only, so every part that is loaded on its own is a file. */
const options = {
  cwd: app,
  platform: "node",
  transform: {
    target: "node22.19",
    define: { "import.meta.dirname": "__dirname" },
  },
  checks: { emptyImportMeta: false },
} as const satisfies BuildOptions

const output = {
  // CommonJS starts in nine tenths of the time of ES modules.
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  minify: true,
  comments: false,
} as const satisfies BuildOptions["output"]

const wasm = createRequire(import.meta.url).resolve("jq-web/jq.wasm")

/** Writes the bundle, in the place of what is in the folder. */
export const bundle = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const program = await build({
    ...options,
    input: { main: "src/Main.ts", "user-program": "src/output/UserProgramMain.ts" },
    // A third fewer files: what main.cjs shares with the parts it loads can stay in it.
    preserveEntrySignatures: "allow-extension",
    output: { ...output, dir: join(folder, "program") },
  })
  const executable = await build({
    ...options,
    input: { transfers: "src/bin.ts" },
    // Older Nodes must be able to read it: it tells them that they are too old.
    transform: { ...options.transform, target: "node14.18" },
    plugins: [leaveProgram],
    output: { ...output, dir: folder, dynamicImportInCjs: false },
  })
  await chmod(join(folder, "transfers.cjs"), 0o755)
  await copyFile(wasm, join(folder, "program/jq.wasm"))
  await accompany(folder, [program, executable])
}

/** Leaves the program to its own files. */
const leaveProgram: Plugin = {
  name: "leave-program",
  resolveId: (source) => {
    const id = programs.get(basename(source))
    return id === undefined ? undefined : { id: `./program/${id}.cjs`, external: true }
  },
}

const programs: ReadonlyMap<string, string> = new Map([
  ["Main.ts", "main"],
  ["UserProgramMain.ts", "user-program"],
])

/** Writes the same with all code in one file, for an executable that has the other files as its assets. */
export const bundleWhole = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  const executable = await build({
    ...options,
    input: { transfers: "src/bin.ts" },
    plugins: [assets],
    output: { ...output, dir: folder, codeSplitting: false },
  })
  await copyFile(wasm, join(folder, "jq.wasm"))
  await accompany(folder, [executable])
}

/** Reads from the executable what the program and jq look for beside them. */
const assets: Plugin = {
  name: "assets",
  resolveId: (source, importer = "") =>
    /^(?:node:)?fs$/.test(source) && /\/src\/bin\.ts$|\/jq-web\//.test(importer)
      ? join(app, "sea/AssetFiles.ts")
      : undefined,
}

/** Writes what is beside the code. */
const accompany = async (folder: string, bundles: ReadonlyArray<RolldownOutput>): Promise<void> => {
  const pages = await HelpPages.all({ width: 80, style: Style.make({ colour: true }) })
  await writeFile(join(folder, "help-pages.json"), JSON.stringify(pages))
  await mkdir(join(folder, "man"))
  for (const [name, page] of Object.entries(await HelpPages.manual(manifest.version))) {
    await writeFile(join(folder, "man", name), page)
  }
  const chunks = bundles.flatMap(({ output }) => output).filter((file) => file.type === "chunk")
  const outputs = Object.fromEntries(chunks.map(({ fileName, modules }) => [fileName, { inputs: modules }]))
  await writeFile(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make({ outputs }, app))
}
