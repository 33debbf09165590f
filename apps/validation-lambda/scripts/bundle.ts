/** Makes dist/lambda.mjs, one minified file, and dist/validation-lambda.zip, the same bytes for the same sources. */
import { mkdir, writeFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { build, type BuildOptions, type Plugin } from "esbuild"
import { zipSync } from "fflate"
import { type Packed, packParts } from "./packParts.ts"
import { quickToCompile } from "./quickToCompile.ts"

/** A bundle, and what it is made of. */
export interface Bundle extends Pick<Packed, "imports" | "inputs" | "parts"> {
  readonly code: Uint8Array
  /** How much of it is compiled at the start, in bytes; the rest is packed text until it is needed. */
  readonly startBytes: number
}

/**
 * An `import` of a module of Node's makes Node read each of its exports, and one export of `node:http` loads the
 * whole of `fetch` and WebSocket when it is read: 25 ms of start-up for nothing. Taken as a plain object it costs 2.
 */
const builtinsAsObjects: Plugin = {
  name: "builtins-as-objects",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path }) => (isBuiltin(path) ? { path, namespace: "builtin" } : undefined))
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

const root = new URL("../../..", import.meta.url).pathname

const minified = {
  target: "node22",
  format: "esm",
  minify: true,
  // A stack trace shows the line it is about, and this is all one line otherwise.
  lineLimit: 500,
  legalComments: "none",
} as const satisfies BuildOptions

const options = {
  ...minified,
  bundle: true,
  write: false,
  metafile: true,
  platform: "node",
} as const satisfies BuildOptions

/** Bundles an entry of this folder into one file. What it imports by `import()` is in it as text. */
export const bundle = async (entry: string): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [new URL(`../${entry}`, import.meta.url).pathname],
    absWorkingDir: root,
    outdir: "dist",
    chunkNames: "[name]-[hash]",
    splitting: true,
    minify: false,
    plugins: [builtinsAsObjects],
  })
  const { start, later, ...contents } = await packParts({
    entry: `apps/validation-lambda/${entry}`,
    outputFiles,
    outputs: metafile.outputs,
    options,
  })
  const quick = await quickToCompile(start, { environment: settings, minified })
  return { ...contents, code: new TextEncoder().encode(quick + later), startBytes: quick.length }
}

/** Those without which a handler is not loaded. */
const settings = { TRANSFERS_BASE_URL: "https://api.example.com", TRANSFERS_PARTNER_ID: "p", TRANSFERS_SECRET_KEY: "k" }

/** A zip with one file, dated by the format's own beginning of time. */
export const zip = (name: string, code: Uint8Array): Uint8Array =>
  zipSync({ [name]: [code, { level: 9, mtime: "1980-01-01T00:00:00", attrs: 0o644 << 16, os: 3 }] })

if (import.meta.main) {
  const dist = new URL("../dist/", import.meta.url)
  const { code, startBytes } = await bundle("src/lambda.ts")
  const archive = zip("lambda.mjs", code)
  await mkdir(dist, { recursive: true })
  await writeFile(new URL("lambda.mjs", dist), code)
  await writeFile(new URL("validation-lambda.zip", dist), archive)
  const sizes = `dist/lambda.mjs ${code.length} bytes, ${startBytes} of them compiled at the start`
  process.stdout.write(`${sizes}, dist/validation-lambda.zip ${archive.length} bytes\n`)
}
