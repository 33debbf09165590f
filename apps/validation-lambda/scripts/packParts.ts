/**
 * Packs what a bundler has split into one file again. What is loaded at the start is its code; each part that an
 * `import()` loads is a text in it, because V8 reads a text hundreds of times as fast as code that may never run. A
 * part is imported as a `data:` module, which takes what it shares with the rest from this file, the one instance.
 */
import { basename } from "node:path"
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from "esbuild"
import type { Bundle } from "./bundle.ts"

/** A build with `splitting`, and the options to write its files anew with. */
export interface SplitBuild {
  readonly outputFiles: ReadonlyArray<OutputFile>
  readonly outputs: Metafile["outputs"]
  readonly options: BuildOptions & { readonly write: false; readonly metafile: true }
}

interface File {
  readonly name: string
  readonly text: string
  readonly exports: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<string>
  /** What it imports at once, and what by `import()`. */
  readonly imports: ReadonlyArray<string>
  readonly isEntry: boolean
}

export const packParts = async ({ outputFiles, outputs, options }: SplitBuild): Promise<Bundle> => {
  const files = new Map(filesOf(outputFiles, outputs).map((file) => [file.name, file]))
  const [entry] = [...files.values()].filter(({ isEntry }) => isEntry)
  if (entry === undefined) throw new Error("esbuild gave no entry")
  const start = closure(files, entry)
  const later = [...files.values()].filter((file) => !start.includes(file))

  const write = async (contents: string, isStart: boolean) => {
    const plugin = resolving(files, isStart ? [] : start, later)
    const { outputFiles: written, metafile } = await build({
      ...options,
      stdin: { contents, resolveDir: "/" },
      plugins: [plugin],
      logOverride: { "ignored-bare-import": "silent" },
    })
    const [output] = Object.values(metafile.outputs)
    return { text: written?.[0]?.text ?? "", imports: output?.imports.map(({ path }) => path) ?? [] }
  }

  const parts: Record<string, string> = {}
  for (const file of later) parts[file.name] = (await write(exportsOf(file), false)).text
  const shared = start.flatMap((file, index) => reexports(file, index).filter(([, alias]) => uses(parts, alias)))
  const { text, imports } = await write(
    [exportsOf(entry), ...shared.map(([name, alias, file]) => `export { ${name} as ${alias} } from "./${file}"`)].join(
      "\n",
    ),
    true,
  )
  const code = text.replaceAll(/\bimport\("part:([^"]*)"\)/g, (_, name: string) => `import($part("${name}"))`)
  const whole = Object.keys(parts).length === 0 ? code : code + loader(parts)
  return {
    code: new TextEncoder().encode(whole),
    startBytes: code.length,
    imports: imports.filter((path) => !path.startsWith("part:")),
    inputs: new Map([
      ...later.flatMap(({ inputs }) => inputs.map((input) => [input, "later"] as const)),
      ...start.flatMap(({ inputs }) => inputs.map((input) => [input, "start"] as const)),
    ]),
  }
}

const filesOf = (outputFiles: ReadonlyArray<OutputFile>, outputs: Metafile["outputs"]): ReadonlyArray<File> =>
  Object.entries(outputs).map(([path, { inputs, imports, exports, entryPoint }], index) => ({
    name: basename(path),
    text: outputFiles.find((file) => basename(file.path) === basename(path))?.text ?? "",
    exports,
    inputs: Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    imports: imports.filter(({ kind }) => kind === "import-statement").map((record) => basename(record.path)),
    isEntry: entryPoint !== undefined && index === 0,
  }))

/** A file and all that it imports at once. */
const closure = (files: ReadonlyMap<string, File>, entry: File): ReadonlyArray<File> => {
  const found = new Set([entry])
  for (const { imports } of found) {
    for (const name of imports) {
      const file = files.get(name)
      if (file !== undefined) found.add(file)
    }
  }
  return [...found]
}

const exportsOf = ({ name, exports }: File): string => `export { ${exports.join(", ")} } from "./${name}"`

/** The names of a file that is loaded at the start, each with the one that parts import it by. */
const reexports = (file: File, index: number): ReadonlyArray<readonly [name: string, alias: string, file: string]> =>
  file.exports.map((name, place) => [name, `$${index}_${place}`, file.name])

const uses = (parts: Readonly<Record<string, string>>, alias: string): boolean =>
  Object.values(parts).some((text) => text.includes(`${alias} as `))

/** Reads the files from memory; in a part, what is loaded at the start comes from the whole file, `part:`. */
const resolving = (
  files: ReadonlyMap<string, File>,
  start: ReadonlyArray<File>,
  later: ReadonlyArray<File>,
): Plugin => ({
  name: "parts",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^part:$/ }, ({ path }) => ({ path, external: true, sideEffects: false }))
    onResolve({ filter: /^\.\// }, ({ path, importer }) => {
      const name = basename(path)
      const isLater = later.some((file) => file.name === name)
      if (isLater && importer !== "<stdin>") return { path: `part:${name}`, external: true }
      return {
        path: name,
        namespace: start.some((file) => file.name === name) ? "at-start" : "split",
        sideEffects: false,
      }
    })
    onLoad({ filter: /./, namespace: "split" }, ({ path }) => ({ contents: files.get(path)?.text ?? "" }))
    onLoad({ filter: /./, namespace: "at-start" }, ({ path }) => {
      const index = start.findIndex(({ name }) => name === path)
      const file = start[index]
      const names = file === undefined ? [] : reexports(file, index).map(([name, alias]) => `${alias} as ${name}`)
      return { contents: `export { ${names.join(", ")} } from "part:"` }
    })
  },
})

/** Gives the URL of a part. Without a name of its own, each line of a stack trace would hold the part's whole text. */
const loader = (parts: Readonly<Record<string, string>>): string => `
function $part(name) {
  const parts = ${JSON.stringify(parts)}
  const text = parts[name].replaceAll(/"part:([^"]*)"/g, (_, part) => JSON.stringify(part === "" ? import.meta.url : $part(part)))
  return "data:text/javascript;base64," + Buffer.from(text + "\\n//# sourceURL=lambda.mjs/" + name).toString("base64")
}
`
