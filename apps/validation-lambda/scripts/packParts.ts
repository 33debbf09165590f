/**
 * Packs what a bundler has split into one file again. What is loaded at the start is its code; each part that an
 * `import()` loads is packed text in it, because V8 reads a text hundreds of times as fast as code that may never run.
 * A part is imported as a `data:` module, which takes what it shares with the rest from this file, the one instance.
 */
import { basename } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from "esbuild"

/** A build with `splitting`, and the options to write its files anew with. */
export interface SplitBuild {
  readonly entry: string
  readonly outputFiles: ReadonlyArray<OutputFile>
  readonly outputs: Metafile["outputs"]
  readonly options: BuildOptions & { readonly write: false; readonly metafile: true }
}

/** What becomes one file, `start` and `later` after one another. */
export interface Packed {
  /** The code that is loaded at the start. */
  readonly start: string
  /** The parts, packed, and what unpacks them. */
  readonly later: string
  /** The code of the parts, by their names. */
  readonly parts: Readonly<Record<string, string>>
  /** The sources that are in it, by their paths in the repository, and whether they are loaded at the start. */
  readonly inputs: ReadonlyMap<string, "start" | "later">
  /** What it still imports. */
  readonly imports: ReadonlyArray<string>
}

interface File {
  readonly name: string
  readonly text: string
  readonly exports: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<string>
  /** What it imports at once. */
  readonly imports: ReadonlyArray<string>
  readonly entryPoint: string | undefined
}

export const packParts = async ({ entry, outputFiles, outputs, options }: SplitBuild): Promise<Packed> => {
  const files = filesOf(outputFiles, outputs)
  const main = files.find(({ entryPoint }) => entryPoint === entry)
  if (main === undefined) throw new Error(`esbuild gave nothing for ${entry}`)
  const start = closure(files, main)
  const later = files.filter((file) => !start.includes(file))

  const write = async (contents: string, files: Files) => {
    const written = await build({
      ...options,
      stdin: { contents, resolveDir: "/" },
      plugins: [resolving(files)],
      logOverride: { "ignored-bare-import": "silent" },
    })
    const imports = Object.values(written.metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))
    return { text: written.outputFiles.map(({ text }) => text).join(""), imports }
  }

  const parts: Record<string, string> = {}
  for (const file of later) {
    parts[file.name] = (await write(exportsOf(file), { inlined: [file], shared: start, later })).text
  }
  const used = start.flatMap((file, index) => aliases(file, index).filter(({ alias }) => isUsed(parts, alias)))
  const { text, imports } = await write(
    [exportsOf(main), ...used.map(({ name, alias, file }) => `export { ${name} as ${alias} } from "./${file}"`)].join(
      "\n",
    ),
    { inlined: start, shared: [], later },
  )
  return {
    start: text.replaceAll(/\bimport\("lambda-part:([^"]*)"\)/g, (_, name: string) => `import($part("${name}"))`),
    later: later.length === 0 ? "" : loader(parts),
    parts,
    imports: imports.filter((path) => !path.startsWith(scheme)),
    inputs: new Map([
      ...later.flatMap(({ inputs }) => inputs.map((input) => [input, "later"] as const)),
      ...start.flatMap(({ inputs }) => inputs.map((input) => [input, "start"] as const)),
    ]),
  }
}

/** `lambda-part:NAME` stands for the URL of a part, and without a name for that of the whole file. */
const scheme = "lambda-part:"

const filesOf = (outputFiles: ReadonlyArray<OutputFile>, outputs: Metafile["outputs"]): ReadonlyArray<File> =>
  Object.entries(outputs).map(([path, { inputs, imports, exports, entryPoint }]) => ({
    name: basename(path),
    text: outputFiles.find((file) => basename(file.path) === basename(path))?.text ?? "",
    exports,
    inputs: Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    imports: imports.filter(({ kind }) => kind === "import-statement").map((record) => basename(record.path)),
    entryPoint,
  }))

/** A file and all that it imports at once. */
const closure = (files: ReadonlyArray<File>, from: File): ReadonlyArray<File> => {
  const found = new Set([from])
  for (const { imports } of found) {
    for (const file of files) if (imports.includes(file.name)) found.add(file)
  }
  return [...found]
}

const exportsOf = ({ name, exports }: File): string => `export { ${exports.join(", ")} } from "./${name}"`

/** The names of a file that is loaded at the start, each with the one that parts import it by. */
const aliases = ({ name: file, exports }: File, index: number) =>
  exports.map((name, place) => ({ name, alias: `$${index}_${place}`, file }))

const isUsed = (parts: Readonly<Record<string, string>>, alias: string): boolean =>
  Object.values(parts).some((text) => text.includes(`${alias} as `))

/** What becomes of an import of a file. */
interface Files {
  readonly inlined: ReadonlyArray<File>
  /** Imported from the whole file, by their aliases. */
  readonly shared: ReadonlyArray<File>
  /** Parts; where they are not inlined, they are imported as such. */
  readonly later: ReadonlyArray<File>
}

const resolving = ({ inlined, shared, later }: Files): Plugin => ({
  name: "parts",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^lambda-part:$/ }, ({ path }) => ({ path, external: true, sideEffects: false }))
    onResolve({ filter: /^\.\// }, ({ path }) => {
      const name = basename(path)
      if (inlined.some((file) => file.name === name)) return { path: name, namespace: "inlined", sideEffects: false }
      if (later.some((file) => file.name === name)) return { path: `${scheme}${name}`, external: true }
      return { path: name, namespace: "shared", sideEffects: false }
    })
    onLoad({ filter: /./, namespace: "inlined" }, ({ path }) => ({
      contents: inlined.find(({ name }) => name === path)?.text ?? "",
    }))
    onLoad({ filter: /./, namespace: "shared" }, ({ path }) => {
      const names = shared.flatMap((file, index) => (file.name === path ? aliases(file, index) : []))
      return {
        contents: `export { ${names.map(({ name, alias }) => `${alias} as ${name}`).join(", ")} } from "${scheme}"`,
      }
    })
  },
})

/** Gives the URL of a part. Without a name of its own, each line of a stack trace would hold the part's whole text. */
const loader = (parts: Readonly<Record<string, string>>): string => `
let $parts
function $part(name) {
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib")
  $parts ??= JSON.parse(brotliDecompressSync(Buffer.from("${brotliCompressSync(JSON.stringify(parts)).toString("base64")}", "base64")))
  const text = $parts[name].replaceAll(/"lambda-part:([^"]*)"/g, (_, part) => JSON.stringify(part === "" ? import.meta.url : $part(part)))
  return "data:text/javascript;base64," + Buffer.from(text + "\\n//# sourceURL=lambda.mjs/" + name).toString("base64")
}
`
