/**
 * What a library offers, as text: the declarations of its public modules, and those that they refer to. Made of the built
 * `.d.ts` files, so that a change of an inferred type shows as well.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { type ESTree, parseSync } from "vite"
import * as Repository from "./Repository.ts"

/** The folders of the libraries. */
export const libraries: ReadonlyArray<string> = globSync("packages/*/package.json", { cwd: Repository.root })
  .map(dirname)
  .sort()

/** Whether the report in the repository is that of the built library. */
export const isCurrent = (library: string): boolean => {
  const file = join(Repository.root, library, "api.md")
  return existsSync(file) && readFileSync(file, "utf8") === make(join(Repository.root, library))
}

/** The report of one library, which must have been built. */
export const make = (folder: string): string => {
  const { name = "" } = Repository.manifest(folder)
  const dist = join(folder, "dist")
  // Not of `dist`, which may hold modules that are gone.
  const modules = globSync("**/*.ts", { cwd: join(folder, "src"), exclude: ["internal/**"] })
    .map((file) => file.replace(/\.ts$/, ".d.ts"))
    .sort()
  const read = reader()
  const sections = new Map<string, Map<string, string>>()
  const seen = new Set<string>()

  /** Adds a declaration to a section, and whatever it refers to to the section of its own file. */
  const add = (section: string, { file, name }: Place, as: string): void => {
    const texts = read(file).declarations.get(name)
    if (texts === undefined) throw new Error(`${relative(folder, file)} does not declare ${name}`)
    const renamed = as === name ? [] : [`export { ${name} as ${as} };`]
    sections.set(section, (sections.get(section) ?? new Map()).set(as, [...texts, ...renamed].join("\n")))
    seen.add(`${file} ${name}`)
    pending.push(...texts.flatMap((text) => references(read, file, text)))
  }
  const pending: Array<Place> = []
  for (const module of modules) {
    if (!existsSync(join(dist, module))) throw new Error(`${name} has no dist/${module}: run pnpm build first`)
    sections.set(module, new Map())
    for (const [as, place] of exportsOf(read, join(dist, module))) add(module, place, as)
  }
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (!seen.has(`${place.file} ${place.name}`)) add(relative(dist, place.file), place, place.name)
  }
  return render(name, sections)
}

/**
 * The imports of a built library's declarations that its users cannot resolve, and so get no type of: of the private
 * modules of another package, or of a file that is not published.
 */
export const unresolvable = (folder: string): ReadonlyArray<string> => {
  const dist = join(folder, "dist")
  return globSync("**/*.ts", { cwd: join(folder, "src") })
    .map((file) => file.replace(/\.ts$/, ".d.ts"))
    .filter((file) => existsSync(join(dist, file)))
    .sort()
    .flatMap((file) =>
      specifiersOf(join(dist, file))
        .filter((specifier) =>
          specifier.startsWith(".")
            ? join(dirname(file), specifier).startsWith("..")
            : /^(?:@[^/]+\/)?[^/]+\/(?:.*\/)?internal\//.test(specifier),
        )
        .map((specifier) => `${join(dist, file)} imports ${specifier}, which its users cannot.`),
    )
}

/** What a file of declarations imports. TypeScript writes the types that it infers as imports of their own. */
const specifiersOf = (file: string): ReadonlyArray<string> =>
  [...bareText(file).matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier = ""]) => specifier)

const render = (name: string, sections: ReadonlyMap<string, ReadonlyMap<string, string>>): string => {
  const [inner, outer] = [true, false].map((isInternal) =>
    [...sections.entries()]
      .filter(([file]) => file.startsWith("internal/") === isInternal)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, texts]) => {
        const sorted = [...texts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
        return `## ${file.replace(/\.d\.ts$/, "")}\n\n\`\`\`ts\n${sorted.join("\n")}\n\`\`\`\n`
      }),
  )
  return [
    `# The API of ${name}\n`,
    "Written by `pnpm generate`. A change here is a change for users: it comes with a changeset (`pnpm changeset`).\n",
    ...(outer ?? []),
    ...(inner?.length === 0 ? [] : ["# Not exported, but part of the types above\n"]),
    ...(inner ?? []),
  ].join("\n")
}

/** Where something is declared. */
interface Place {
  readonly file: string
  readonly name: string
}

/** A file of declarations. An import of a whole module has the name `*`. */
interface Declarations {
  readonly declarations: ReadonlyMap<string, ReadonlyArray<string>>
  readonly imports: ReadonlyMap<string, Place>
  readonly exports: ReadonlyMap<string, Place>
  /** Files all of whose exports are exported. */
  readonly stars: ReadonlyArray<string>
}

type Read = (file: string) => Declarations

const exportsOf = (read: Read, file: string): ReadonlyMap<string, Place> => {
  const { exports, stars } = read(file)
  const all = [...stars.flatMap((star) => [...exportsOf(read, star)]), ...exports]
  return new Map(all.map(([as, place]) => [as, declared(read, place)]))
}

/** Follows imports and exports to the file that declares a name. */
const declared = (read: Read, place: Place): Place => {
  const { declarations, imports } = read(place.file)
  if (declarations.has(place.name)) return place
  const next = imports.get(place.name) ?? exportsOf(read, place.file).get(place.name)
  if (next === undefined) throw new Error(`${place.file} has no ${place.name}`)
  return declared(read, next)
}

/** The declarations of the same library that a text names. */
const references = (read: Read, file: string, text: string): ReadonlyArray<Place> => {
  const { declarations, imports } = read(file)
  const inline = [...text.matchAll(/import\("(\.[^"]+)"\)\.(\w+)/g)].flatMap(([, from = "", name = ""]) => ({
    file: declarationFile(file, from) ?? "",
    name,
  }))
  const named = [...text.matchAll(/(?<![.\w$])([A-Za-z_$][\w$]*)(?:\.([A-Za-z_$][\w$]*))?/g)].flatMap(
    ([, word = "", member]): ReadonlyArray<Place> => {
      if (declarations.has(word)) return [{ file, name: word }]
      const imported = imports.get(word)
      if (imported === undefined) return []
      if (imported.name !== "*") return [imported]
      return member === undefined ? [] : [{ file: imported.file, name: member }]
    },
  )
  return [...inline, ...named].map((place) => declared(read, place))
}

/** The file that an import names; `undefined` for one of another package. */
const declarationFile = (from: string, source: string): string | undefined => {
  if (!source.startsWith(".")) return undefined
  const file = join(dirname(from), source).replace(/\.[jt]s$/, ".d.ts")
  if (!existsSync(file)) throw new Error(`${from} imports ${source}, which was not built`)
  return file
}

const reader = (): Read => {
  const known = new Map<string, Declarations>()
  return (file) => {
    const found = known.get(file) ?? parse(file)
    known.set(file, found)
    return found
  }
}

/** The text of a file, with spaces for its comments. */
const bareText = (file: string): string => {
  const source = readFileSync(file, "utf8")
  return parseSync(file, source).comments.reduce(
    (text, { start, end }) => `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`,
    source,
  )
}

const parse = (file: string): Declarations => {
  const bare = bareText(file)
  const { program } = parseSync(file, bare)
  const declarations = new Map<string, Array<string>>()
  const imports = new Map<string, Place>()
  const exports = new Map<string, Place>()
  const stars: Array<string> = []
  for (const node of program.body) {
    const from = "source" in node && node.source !== null ? declarationFile(file, node.source.value) : undefined
    if (node.type === "ImportDeclaration" && from !== undefined) {
      for (const specifier of node.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*"
        imports.set(specifier.local.name, { file: from, name })
      }
    } else if (node.type === "ExportAllDeclaration" && from !== undefined) {
      stars.push(from)
    } else if (node.type === "ExportNamedDeclaration" && node.declaration === null) {
      for (const { local, exported } of node.specifiers) {
        exports.set(nameOf(exported), { file: from ?? file, name: nameOf(local) })
      }
    } else if (node.type !== "ImportDeclaration") {
      const isExported = node.type === "ExportNamedDeclaration"
      const text = bare
        .slice(node.start, node.end)
        .replaceAll(/[ \t]+$/gm, "")
        .replaceAll(/\n{2,}/g, "\n")
      for (const name of namesOf(isExported ? node.declaration : node)) {
        declarations.set(name, [...(declarations.get(name) ?? []), text])
        if (isExported) exports.set(name, { file, name })
      }
    }
  }
  return { declarations, imports, exports, stars }
}

const namesOf = (node: object | null): ReadonlyArray<string> => {
  if (node === null) return []
  if ("declarations" in node && Array.isArray(node.declarations)) return node.declarations.flatMap(namesOf)
  return "id" in node && node.id instanceof Object && "name" in node.id ? [String(node.id.name)] : []
}

const nameOf = (name: ESTree.ModuleExportName): string => (name.type === "Literal" ? name.value : name.name)
