/** Which source file of the repository imports what, read with the parser that Vite ships. */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "vite"

/** One import, re-export or dynamic import of a literal. Paths are relative to the root of the repository. */
export interface Import {
  readonly from: string
  readonly specifier: string
  /** The file of the repository it leads to, where it leads to one. */
  readonly target: string | undefined
  /** Erased by the compiler: it orders nothing at run time. */
  readonly typeOnly: boolean
}

/** The TypeScript files of all packages, apps, scripts and benchmarks. */
export const sourceFiles = (root: string): ReadonlyArray<string> =>
  globSync("{packages/*,apps/*,scripts,bench}/**/*.ts", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).sort()

/** The imports of one file's text. */
export const importsOf = (from: string, text: string): ReadonlyArray<Import> => {
  const { module, errors } = parseSync(from, text)
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`)
  const found = (specifier: string, typeOnly: boolean): Import => ({
    from,
    specifier,
    target: resolve(from, specifier),
    typeOnly,
  })
  const isErased = (entries: ReadonlyArray<{ readonly isType: boolean }>): boolean =>
    entries.length > 0 && entries.every((entry) => entry.isType)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => found(moduleRequest.value, isErased(entries))),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [found(moduleRequest.value, isType)] : [])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const literal = /^(["'`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
      return literal === undefined ? [] : [found(literal, false)]
    }),
  ]
}

/** All imports of the repository's sources. */
export const read = (root: string): ReadonlyArray<Import> =>
  sourceFiles(root).flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))

const resolve = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(from), specifier)
  const [, workspace, path] = /^@transferkit\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return workspace === undefined || path === undefined ? undefined : `packages/${workspace}/src/${path}.ts`
}
