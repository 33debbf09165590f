/** The first minutes of a newcomer: the commands and files of a section of a page, used as they are written. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "../Repository.ts"
import type { Consumer } from "./Consumer.ts"

/** A section, the time that it may take, and what it must have shown at its end. */
export interface Steps {
  readonly page: string
  readonly heading: string
  readonly minutes: number
  readonly shows: RegExp
  /** Set if the page says that it needs more than the oldest Node. */
  readonly needsNode24?: boolean
}

/** The paths that the project promises. */
export const all: ReadonlyArray<Steps> = [
  { page: "apps/cli/README.md", heading: "Try it", minutes: 1, shows: /^\{"id":.*^tron\/USDT +\d+ +\d+\.\d+$/ms },
  { page: "packages/fake/README.md", heading: "A first test", minutes: 5, shows: /Tests\b.*2 passed/ },
  {
    page: "apps/cli/README.md",
    heading: "A mirror",
    minutes: 10,
    shows: /"status":"complete","transfers":\d+/,
    needsNode24: true,
  },
]

/** A part of a section: a file to write, or commands to run. */
export type Part = { readonly file: string; readonly text: string } | { readonly commands: string }

/** The parts of a section in their order: blocks of `sh`, and blocks whose info string ends in a file's name. */
export const partsOf = (markdown: string, heading: string): ReadonlyArray<Part> => {
  const [, section] = markdown.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`there is no section "${heading}"`)
  const blocks = (section.split(/^## /m)[0] ?? "").matchAll(/^```(\w+)(?: ([\w.]+))?\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, language, file, text = ""]): ReadonlyArray<Part> => {
    if (file !== undefined) return [{ file, text }]
    return language === "sh" ? [{ commands: text }] : []
  })
}

/** Follows the steps in the folder of a consumer, which has installed nothing. Returns the seconds that they took. */
export const follow = async ({ write, run }: Consumer, { page, heading, minutes, shows }: Steps): Promise<number> => {
  const began = Date.now()
  let printed = ""
  for (const part of partsOf(readFileSync(join(Repository.root, page), "utf8"), heading)) {
    if ("file" in part) write(part.file, part.text)
    else printed += await run("bash", "-euo", "pipefail", "-c", part.commands)
  }
  const seconds = (Date.now() - began) / 1000
  if (!shows.test(printed.trim())) throw new Error(`"${heading}" in ${page} showed:\n${printed}`)
  if (seconds > minutes * 60) throw new Error(`"${heading}" in ${page} took ${seconds} s, more than ${minutes} minutes`)
  return seconds
}
