#!/usr/bin/env node
/** The executable. It answers `--version` and, where it has the page, `--help` by itself, and loads the rest for more. */
import { stripVTControlCharacters } from "node:util"
import manifest from "../package.json" with { type: "json" }
import { helpPages, load } from "./Program.ts"
import * as StandardStream from "./terminal/StandardStream.ts"
import * as Surface from "./terminal/TerminalCapabilities.ts"

const given = process.argv.slice(2)
/** `help export` is what people who come from git try first. */
const args = given[0] === "help" ? [...given.slice(1), "--help"] : given
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

const complain = (error?: Error | null): void => {
  if (!error || StandardStream.isGone(error)) return
  process.stderr.write(`error: standard output: ${error.message}\n`)
  process.exitCode = 2
}

const answer =
  args.length === 1 && (first === "--version" || first === "-v") ? `transfers ${manifest.version}\n` : pageOf()

if (answer === undefined) void load().then(({ main }) => main(args, manifest.version))
else StandardStream.write(process.stdout, answer, complain)
