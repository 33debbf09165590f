/** The repository: its folder, its files, its manifests. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The root folder. */
export const root = join(import.meta.dirname, "..")

/** What the address of a file in the repository starts with: a relative link does not work on the page of a package. */
export const tree = "https://github.com/transferkit/transferkit/blob/main/"

/** The part of a package.json that scripts read. */
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

/** The package manager as people name it, such as `pnpm@12.21.0`: without the hash of its archive. */
export const packageManager = (folder: string): string => manifest(folder).packageManager?.split("+")[0] ?? ""

/** Every file that is not built or installed, relative to `folder`. */
export const files = (folder: string): ReadonlyArray<string> =>
  globSync("{**,.*,.*/**}", { cwd: folder, withFileTypes: true, exclude: ({ name }) => built.has(name) })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

const built = new Set([".git", ".turbo", "dist", "node_modules"])
