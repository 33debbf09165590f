/** The direction in which sources may import each other: apps → report and mcp → adapters → http-api → domain → effect, decimal.js. */
import type { Import } from "./ImportGraph.ts"

/** A package imports only packages of a lower rank. Those not named are adapters. */
const ranks: Readonly<Record<string, number>> = { domain: 1, "http-api": 2 }
const adapterRank = 3
const appRank = 4

/** The packages that build on an adapter. */
const exceptions: ReadonlySet<string> = new Set([
  "packages/fake → packages/in-memory",
  "packages/report → packages/conformance",
  "packages/report → packages/files",
  "packages/books → packages/files",
  "packages/books → packages/report",
])

/** The part of a package.json that the rule reads. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The violations, one line each. `manifests` are by the folder of the workspace; the root's is `""`. */
export const violations = (
  imports: ReadonlyArray<Import>,
  manifests: Readonly<Record<string, Manifest>>,
): ReadonlyArray<string> => [
  ...imports.flatMap((edge) => {
    const wrong = wrongWith(edge, manifests)
    return wrong === undefined ? [] : [`${edge.from} imports ${edge.specifier}: ${wrong}`]
  }),
  ...cycles(imports).map((cycle) => `import cycle: ${cycle.join(" → ")}`),
  ...cycles(betweenRooms(imports)).map((cycle) => `rooms that import each other: ${cycle.join(" → ")}`),
]

const wrongWith = (edge: Import, manifests: Readonly<Record<string, Manifest>>): string | undefined => {
  const from = placeOf(edge.from)
  if (from === undefined) return undefined
  if (edge.specifier.startsWith(".")) {
    if (edge.target === undefined || edge.target.startsWith(`${from.folder}/`)) return undefined
    // Test code that packages share is in scripts/, and is published with none of them.
    if (!from.isSource && edge.target.startsWith("scripts/")) return undefined
    return "a relative path must stay in its package"
  }
  // A subpath import (#name) stays in its package.
  if (edge.specifier.startsWith("#")) return undefined
  if (edge.specifier.startsWith("node:")) {
    return from.name === "domain" && from.isSource ? "the domain does not depend on Node" : undefined
  }
  if (from.isSource && (edge.specifier === "effect" || edge.specifier === "@effect/platform-node")) {
    return "import its modules by subpath, the barrel loads everything"
  }
  return undeclared(edge, from, manifests) ?? wrongDirection(edge, from)
}

const wrongDirection = (edge: Import, from: Place): string | undefined => {
  const to = edge.target === undefined ? undefined : placeOf(edge.target)
  if (to === undefined || to.folder === from.folder || !from.isSource) return undefined
  if (edge.specifier.includes("/internal/")) return "internal modules are their package's own"
  if (from.isApp && to.isApp) return "an app imports no other app"
  if (rankOf(to) < rankOf(from) || exceptions.has(`${from.folder} → ${to.folder}`)) return undefined
  return `${from.folder} may not depend on ${to.folder}`
}

const undeclared = (edge: Import, from: Place, manifests: Readonly<Record<string, Manifest>>): string | undefined => {
  const name = edge.specifier
    .split("/")
    .slice(0, edge.specifier.startsWith("@") ? 2 : 1)
    .join("/")
  const own = manifests[from.folder]
  if (name === `@transferkit/${from.name}`) return undefined
  // An app is published as a bundle, which needs nothing to be installed beside it.
  const bundled = from.isApp ? own?.devDependencies : {}
  const declared = { ...own?.dependencies, ...own?.optionalDependencies, ...own?.peerDependencies, ...bundled }
  const allowed = from.isSource ? declared : { ...declared, ...own?.devDependencies, ...manifests[""]?.devDependencies }
  return name in allowed ? undefined : `${name} is not declared in ${from.folder}/package.json`
}

interface Place {
  readonly folder: string
  readonly name: string
  readonly isApp: boolean
  readonly isSource: boolean
}

const placeOf = (file: string): Place | undefined => {
  const [, area, name, rest] = /^(packages|apps)\/([^/]+)\/(.+)$/.exec(file) ?? []
  if (area === undefined || name === undefined || rest === undefined) return undefined
  return { folder: `${area}/${name}`, name, isApp: area === "apps", isSource: rest.startsWith("src/") }
}

const rankOf = (place: Place): number => (place.isApp ? appRank : (ranks[place.name] ?? adapterRank))

/** A room is a folder, or a file beside the rooms of its package. */
const roomOf = (file: string): string | undefined => {
  const [, room, inside] = /^((?:packages|apps)\/[^/]+\/src\/(?:internal\/)?)(.*)$/.exec(file) ?? []
  if (room === undefined || inside === undefined) return undefined
  return inside.includes("/") ? `${room}${inside.replace(/\/[^/]*$/, "")}` : file
}

/** The imports between rooms of one package: they have a direction, too, so that a reader can start at the top. */
const betweenRooms = (imports: ReadonlyArray<Import>): ReadonlyArray<Edge> =>
  imports.flatMap(({ from, target }) => {
    const [room, other] = [roomOf(from), target === undefined ? undefined : roomOf(target)]
    if (room === undefined || other === undefined || room === other) return []
    return placeOf(from)?.folder === placeOf(target ?? "")?.folder ? [{ from: room, target: other }] : []
  })

type Edge = Pick<Import, "from" | "target">

/** What imports each other in a circle, types included, each circle once. */
const cycles = (imports: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<string>> => {
  const next = new Map<string, Array<string>>()
  for (const { from, target } of imports) {
    if (target !== undefined) next.set(from, [...(next.get(from) ?? []), target])
  }
  const found: Array<ReadonlyArray<string>> = []
  const done = new Set<string>()
  const path: Array<string> = []
  const visit = (file: string): void => {
    const start = path.indexOf(file)
    if (start !== -1) return void found.push([...path.slice(start), file])
    if (done.has(file)) return
    path.push(file)
    for (const target of next.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of next.keys()) visit(file)
  return found
}
