/** The repository as its scripts see it: where it is, its files, its manifest, how its programs are started. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder that holds the whole repository. */
export const root = join(import.meta.dirname, "..")

/** A manifest, as far as scripts read it. */
export interface Manifest {
  readonly name?: string
  readonly private?: boolean
  readonly packageManager?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Reads the manifest of the root, or of a folder in it. */
export const manifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Every file that is not built or installed, relative to `folder`. */
export const files = (folder: string): ReadonlyArray<string> =>
  globSync("{**,.*,.*/**}", { cwd: folder, withFileTypes: true, exclude: ({ name }) => built.has(name) })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

const built = new Set([".git", ".turbo", "dist", "node_modules"])
