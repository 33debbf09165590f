/**
 * `pnpm generate [PART…]`: writes everything that is made of the sources, and formats it. On a clean tree it changes nothing.
 * The parts, in this order: `sources` needs nothing, `api` builds the libraries, `screens` runs the tests that have golden
 * files, `browser` those of them that need a browser, `pages` runs the commands in the documents, `bench` draws the figures
 * that were measured last.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as ApiReport from "./ApiReport.ts"
import * as Arguments from "./Arguments.ts"
import * as Generated from "./Generated.ts"
import * as Repository from "./Repository.ts"
import * as Transcript from "./Transcript.ts"

const { root } = Repository

const run = (...command: ReadonlyArray<string>): void => {
  const [file = "", ...args] = command
  const env = { ...process.env, UPDATE_GOLDEN: "1" }
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env })
  if (status === 0) return
  console.error(`${command.join(" ")} ended with ${status ?? error?.message}. What was written before that stays.`)
  process.exit(1)
}

const write = (file: string, text: string): void => {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The tests that write golden files if asked to. */
const tests = globSync("{packages,apps}/*/test/**/*.test.ts", { cwd: root })
  .filter((file) => /toMatchFileSnapshot\(|UPDATE_GOLDEN/.test(readFileSync(join(root, file), "utf8")))
  .sort()
const inBrowser = tests.filter((file) => file.endsWith(".browser.test.ts"))
const onScreen = tests.filter((file) => !file.endsWith(".browser.test.ts") && !file.endsWith(".docs.test.ts"))

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  sources: () => {
    const made = Generated.all()
    for (const file of Generated.stale()) rmSync(join(root, file))
    for (const [file, text] of made) write(file, text)
    run("oxfmt", ...[...made.keys()].filter((file) => /\.(?:json|ts)$/.test(file)))
  },
  api: () => {
    run("pnpm", "run", "build")
    for (const library of ApiReport.libraries) write(join(library, "api.md"), ApiReport.make(join(root, library)))
  },
  screens: () => run("vitest", "run", ...onScreen, "--update"),
  browser: () => run("vitest", "run", "--mode", "browser", ...inBrowser, "--update"),
  pages: async () => {
    for (const shown of [Transcript.wide, Transcript.narrow]) writeFileSync(shown.file, await Transcript.record(shown))
    run("vitest", "run", "--mode", "docs", "--update")
  },
  bench: () => {
    run("pnpm", "--dir", "bench", "install", "--frozen-lockfile", "--silent")
    run("pnpm", "--dir", "bench", "run", "bench", "--render")
  },
}

const names = Object.keys(parts)
const usage = `pnpm generate [${names.join("|")}…]`
const { positionals } = Arguments.read(usage, { allowPositionals: true })
const unknown = positionals.find((name) => !(name in parts))
if (unknown !== undefined) Arguments.reject(usage, `${unknown} is not a part. Choose from: ${names.join(", ")}.`)
for (const name of names) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.log(`generate: ${name}`)
  await parts[name]?.()
}
