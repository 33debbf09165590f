/** The imports between the source files of the repository, read with the parser that Vite ships. */
import { globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "vite"
import * as Repository from "./Repository.ts"

/** One import, re-export or dynamic import of a literal. Paths are relative to the root of the repository. */
export interface Import {
  readonly from: string
  readonly specifier: string
  /** The file of the repository that it names, if it names one. */
  readonly target: string | undefined
}

/** The TypeScript files of all packages, apps, scripts and benchmarks. */
export const sourceFiles = (root: string): ReadonlyArray<string> =>
  globSync("{packages/*,apps/*,scripts,bench}/**/*.{ts,tsx}", {
    cwd: root,
    // What deploys the lambda is a project of its own, with a lockfile of its own.
    exclude: (name) => ["node_modules", "dist", "deploy"].includes(name),
  }).sort()

/** The imports of one file's text. */
export const importsOf = (from: string, text: string): ReadonlyArray<Import> => {
  const { module, errors } = parseSync(from, text)
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const literal = /^(["'`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
      return literal ?? []
    }),
  ]
  return specifiers.map((specifier) => ({ from, specifier, target: resolve(from, specifier) }))
}

/** All imports of the repository's sources. */
export const read = (root: string): ReadonlyArray<Import> =>
  sourceFiles(root).flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))

const apps = new Set(readdirSync(join(Repository.root, "apps")))

const resolve = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(from), specifier)
  const [, workspace, path] = /^@transferkit\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  if (workspace === undefined || path === undefined) return undefined
  const area = apps.has(workspace) ? "apps" : "packages"
  return `${area}/${workspace}/src/${path}.ts`
}
