#!/usr/bin/env node
/** The executable. It answers `--version` and `--help` by itself, from pages beside the bundle, and loads the rest for more. */
import { existsSync, readFileSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import * as ProxyTunnel from "@transferkit/http-api/ProxyTunnel"
import * as Pager from "@transferkit/report/Pager"
import manifest from "../package.json" with { type: "json" }
import * as CacheFolder from "./CacheFolder.ts"
import * as OwnProcess from "./OwnProcess.ts"
import * as StandardStream from "./terminal/StandardStream.ts"
import * as TerminalCapabilities from "./terminal/TerminalCapabilities.ts"

/** Exits with 2, which is usage: an uncaught error of an older Node exits with 1, which is findings. */
const requireNode = (needed: string): void => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return
  process.stderr.write(`error: transfers needs Node ${needed} or later, and this is ${process.versions.node}.\n`)
  process.exit(2)
}

/** Without it Node prints the code around an uncaught error and exits with 1, which is findings. */
process.on("uncaughtException", (error) => {
  process.stderr.write(`error: ${stripVTControlCharacters(error.message)}\n`)
  process.exit(70)
})

requireNode(manifest.engines.node.replace(">=", ""))

const proxyFault = ProxyTunnel.faultOf(process.env)
if (proxyFault !== undefined) {
  process.stderr.write(`error: ${proxyFault}.\n`)
  process.exit(2)
}

const given = process.argv.slice(2)
/** `help export` is what users of git try first. */
const args = given[0] === "help" ? [...given.slice(1), "--help"] : given
const first = args[0] ?? ""
const last = args.at(-1) ?? "--help"

const helpPage = (): string | undefined => {
  if (last !== "--help" && last !== "-h") return undefined
  const capabilities = TerminalCapabilities.of(process.stdout, { env: process.env, noColour: false })
  if (capabilities.columns < 80) return undefined
  const page = pageOf(args.slice(0, -1).join(" "))
  return page === undefined || capabilities.colour ? page : stripVTControlCharacters(page)
}

/** The help page of a command by its words; the sources have none. */
const pageOf = (words: string): string | undefined => {
  const file = join(import.meta.dirname, "help-pages.json")
  if (!existsSync(file)) return undefined
  const pages: Readonly<Record<string, string>> = JSON.parse(readFileSync(file, "utf8"))
  return Object.hasOwn(pages, words) ? pages[words] : undefined
}

const reportFailure = (error?: Error | null): void => {
  if (!error || StandardStream.isClosed(error)) return
  process.stderr.write(`error: standard output: ${error.message}\n`)
  process.exitCode = 2
}

/** A process for somebody's program, which it reads from standard input. */
const isForProgram = given.length === 0 && OwnProcess.isHere()

const text =
  args.length === 1 && (first === "--version" || first === "-v") ? `transfers ${manifest.version}\n` : helpPage()

const keepCompiledCode = (): void => {
  const folder = CacheFolder.trusted()
  if (folder !== undefined) enableCompileCache(folder)
}

if (isForProgram) {
  keepCompiledCode()
  void import("./output/UserProgramMain.ts")
} else if (text === undefined) {
  keepCompiledCode()
  void import("./Main.ts").then(({ main }) => main(args, manifest.version))
} else if (!Pager.show(text, process)) StandardStream.write(process.stdout, text, reportFailure)
