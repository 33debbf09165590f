/** Bugs that the tests must find: each is a piece of code, what stands in its place, and the test that then fails. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "../Repository.ts"

export interface Bug {
  readonly name: string
  /** The source, in which `code` occurs once. */
  readonly file: string
  readonly code: string
  readonly bug: string
  readonly test: string
  /** Part of the names of the tests that must find it, if the file has many others. */
  readonly only?: string
}

export const all: ReadonlyArray<Bug> = JSON.parse(readFileSync(join(import.meta.dirname, "bugs.json"), "utf8"))

/** The source with the bug, or why it cannot be planted. */
export const plant = (
  { file, code, bug }: Bug,
  source: string,
): { readonly source: string } | { readonly reason: string } => {
  const times = source.split(code).length - 1
  return times === 1 ? { source: source.replace(code, () => bug) } : { reason: `${file} has ${times} times ${code}` }
}

export const pathOf = ({ file }: Bug): string => join(Repository.root, file)
