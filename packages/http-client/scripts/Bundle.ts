/**
 * The Promise client as files that need no Effect: for Node, for all other runtimes, and for programs in CommonJS. Its
 * errors are a module of their own, so that a bundler which is asked for one of them leaves the client out.
 */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"

const library = fileURLToPath(new URL("..", import.meta.url))

const errorsFile = "src/internal/promise/TransferKitError.ts"
const clientFile = "src/internal/promise/Client.ts"
const verdictsFile = "src/internal/promise/Verdicts.ts"

const shared = {
  absWorkingDir: library,
  bundle: true,
  format: "esm",
  target: "es2023",
  // Its values are part of the interface: a program shares them.
  external: ["decimal.js"],
  legalComments: "none",
  logLevel: "warning",
  sourcemap: true,
} as const satisfies BuildOptions

/** Builds files, and leaves the sources of other projects out of their maps: 4 MB that their packages have. */
const write = async (options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await build({ ...shared, ...options, metafile: true })
  for (const output of Object.keys(metafile.outputs).filter((file) => file.endsWith(".map"))) {
    const file = resolve(library, output)
    const map: SourceMap = JSON.parse(await readFile(file, "utf8"))
    const theirs = (source: string): string | undefined => /.*\/node_modules\/(.+)$/.exec(source)?.[1]
    const sources = map.sources.map((source) => theirs(source) ?? source)
    const sourcesContent = map.sources.map((source, index) =>
      theirs(source) === undefined ? map.sourcesContent[index] : `// See ${theirs(source)}\n`,
    )
    await writeFile(file, JSON.stringify({ ...map, sources, sourcesContent }))
  }
  return metafile
}

interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent: ReadonlyArray<string>
}

/** Imports of a source file become imports of a built one beside. */
const beside = (filter: RegExp, path: string): Plugin => ({
  name: path,
  setup: ({ onResolve }) =>
    onResolve({ filter }, ({ kind }) => (kind === "entry-point" ? undefined : { path, external: true })),
})

const errors = beside(/TransferKitError\.ts$/, "./errors.js")

const platforms = {
  node: { platform: "node" },
  web: { platform: "neutral", mainFields: ["module", "main"] },
} as const satisfies Record<string, BuildOptions>

/**
 * Writes `node.js`, `web.js`, what they export, and the notices. They are not minified: their lines are in stack traces.
 * An entry only names its exports, so that bundlers drop the modules of those that a program does not use.
 */
export const bundle = async (folder: string): Promise<void> => {
  await write({ ...platforms.web, entryPoints: { errors: errorsFile }, outdir: folder })
  for (const name of ["node", "web"] as const) {
    const platform: BuildOptions = { ...platforms[name], outdir: folder }
    const [client, verdicts] = [`${name}.client`, `${name}.verdicts`]
    await write({
      ...platform,
      entryPoints: { [name]: "src/promise.ts" },
      plugins: [errors, beside(/internal\/promise\/Client\.ts$/, `./${client}.js`)],
    })
    const metafile = await write({
      ...platform,
      entryPoints: { [client]: clientFile, [verdicts]: verdictsFile },
      plugins: [errors],
      splitting: true,
      chunkNames: `${name}.shared`,
    })
    if (name === "node") await writeFile(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make(metafile, library))
  }
}

/** Writes `promise.js` for `require`, and the declarations in `dist` that it has: they are the same in both formats. */
export const bundleCommonJs = async (dist: string, folder: string): Promise<void> => {
  await write({
    ...platforms.node,
    format: "cjs",
    entryPoints: ["src/promise.ts"],
    outfile: join(folder, "promise.js"),
  })
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n')
  for (const file of declarationsOf(join(dist, "promise.d.ts"))) {
    const copy = join(folder, relative(dist, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
}

/** A file of declarations, and all that it reaches. */
const declarationsOf = (file: string, reached = new Set<string>()): ReadonlySet<string> => {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.[jt]s"/g)) {
    declarationsOf(resolve(dirname(file), `${specifier}.d.ts`), reached)
  }
  return reached
}
