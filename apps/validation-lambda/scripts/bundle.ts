/** Builds dist/task, the function's files, and dist/validation-lambda.zip: the same bytes for the same sources. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { basename, join } from "node:path"
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild"
import { zipSync } from "fflate"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"

/** The function's files, and what esbuild tells about them. */
export interface Bundle {
  /** By name; all of them are in one folder. */
  readonly files: Readonly<Record<string, Uint8Array>>
  readonly outputs: Metafile["outputs"]
}

const app = new URL("../", import.meta.url).pathname

/** Lets aws4, which is CommonJS, require modules of Node's. A banner with `createRequire` costs 2 % of a start. */
const requireBuiltins: Plugin = {
  name: "require-builtins",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[a-z]+$/ }, ({ path }) => (isBuiltin(path) ? { path, namespace: "builtin" } : undefined))
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

const shared = {
  absWorkingDir: app,
  outdir: "dist/task",
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  minify: true,
  // A stack trace shows the line it is about.
  lineLimit: 500,
  legalComments: "none",
  metafile: true,
  write: false,
} as const satisfies BuildOptions

/** What few functions use, by itself: what it uses of shared modules would make every start 6 % larger. */
const apart: Plugin = {
  name: "apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/MirrorReader\.ts$/ }, () => ({ path: "./MirrorReader.mjs", external: true })),
}

/** Bundles the function: `lambda.mjs`, and a chunk for each part that an `import()` loads when it is needed. */
export const bundle = async (): Promise<Bundle> => {
  const builds = [
    await build({
      ...shared,
      entryPoints: ["src/lambda.ts"],
      // A dynamic import stays in the bundle though nothing calls it: the function brings its own transport.
      external: ["./HttpClientTransport.ts"],
      plugins: [requireBuiltins, apart],
    }),
    await build({ ...shared, entryPoints: ["src/audit/MirrorReader.ts"] }),
  ]
  const code = builds.flatMap(({ outputFiles }) => outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const outputs = Object.assign({}, ...builds.map(({ metafile }) => metafile.outputs))
  const notices = new TextEncoder().encode(ThirdPartyNotices.make({ outputs }, app))
  return {
    files: { ...Object.fromEntries(code), "THIRD-PARTY-NOTICES": notices },
    outputs: Object.fromEntries(
      Object.entries<Metafile["outputs"][string]>(outputs).map(([path, output]) => [basename(path), output]),
    ),
  }
}

/** Zips the files, dated by the format's own beginning of time. */
export const zip = (files: Bundle["files"]): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        [content, { level: 9, mtime: "1980-01-01T00:00:00", attrs: 0o644 << 16, os: 3 }],
      ]),
    ),
  )

if (import.meta.main) {
  const task = join(app, "dist/task")
  const { files } = await bundle()
  await rm(task, { recursive: true, force: true })
  await mkdir(task, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(task, name), content)
    process.stdout.write(`dist/task/${name} ${content.length} bytes\n`)
  }
  const archive = zip(files)
  await writeFile(join(app, "dist/validation-lambda.zip"), archive)
  process.stdout.write(`dist/validation-lambda.zip ${archive.length} bytes\n`)
}
