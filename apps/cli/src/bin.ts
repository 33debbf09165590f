#!/usr/bin/env node
/** The executable. It answers `--version` and, where it has the page, `--help` by itself, and loads the rest for more. */
import { stripVTControlCharacters } from "node:util"
import manifest from "../package.json" with { type: "json" }
import { helpPages, load } from "./Program.ts"
import * as Surface from "./terminal/Surface.ts"

const args = process.argv.slice(2)
const first = args[0] ?? ""
const last = args.at(-1) ?? "--help"

const pageOf = (): string | undefined => {
  if (last !== "--help" && last !== "-h") return undefined
  const path = args.slice(0, -1).join(" ")
  const surface = Surface.of(process.stdout, { env: process.env, noColour: false })
  if (surface.columns < 80 || !Object.hasOwn(helpPages, path)) return undefined
  const page = helpPages[path] ?? ""
  return surface.colour ? page : stripVTControlCharacters(page)
}

const answer =
  args.length === 1 && (first === "--version" || first === "-v") ? `transfers ${manifest.version}\n` : pageOf()

if (answer === undefined) void load().then(({ main }) => main(args, manifest.version))
else process.stdout.on("error", () => {}).write(answer)
