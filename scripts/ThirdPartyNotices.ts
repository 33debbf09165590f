/** The licences of the packages in a bundle, as the text of its THIRD-PARTY-NOTICES file. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** A bundle as esbuild describes it in its metafile. */
export interface Metafile {
  readonly outputs: { readonly [path: string]: { readonly inputs: { readonly [path: string]: unknown } } }
}

/**
 * The notices of every third-party package that a bundle contains, sorted by name. `folder` is the `absWorkingDir` of
 * the build. Throws an error that names a package without a licence text.
 */
export const make = ({ outputs }: Metafile, folder: string): string => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const packages = new Set(
    inputs.flatMap((path) => (path.includes("node_modules/") ? packageOf(resolve(folder, path)) : [])),
  )
  const notices = [...packages].map(noticeOf).toSorted()
  return ["This software contains the following packages.\n", ...new Set(notices)].join(`\n${"-".repeat(80)}\n\n`)
}

/** The folder of the package that a file is part of: the nearest one whose package.json has a version. */
const packageOf = (file: string): string => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && manifestOf(folder).version !== undefined) return folder
  }
  throw new Error(`${file} is in no package.`)
}

const noticeOf = (folder: string): string => {
  const { name, version, license } = manifestOf(folder)
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .toSorted()
  if (files.length === 0) throw new Error(`${name} ${version} has no licence text.`)
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
