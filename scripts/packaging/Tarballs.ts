/** What is published, looked at from outside: publint, attw, and what every package must and must not hold. */
import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import * as Repository from "../Repository.ts"
import type { LocalRegistry } from "./LocalRegistry.ts"

/** Downloads each package into the folder, and checks it. Throws an error with everything that is wrong. */
export const check = async (registry: LocalRegistry, folder: string, names: ReadonlyArray<string>): Promise<void> => {
  mkdirSync(folder)
  const problems = await Promise.all(names.map((name) => problemsOf(registry, folder, name)))
  if (problems.flat().length > 0) throw new Error(problems.flat().join("\n"))
}

const problemsOf = async ({ url }: LocalRegistry, folder: string, name: string): Promise<ReadonlyArray<string>> => {
  const { "dist-tags": tags, versions } = JSON.parse(await (await fetch(`${url}/${name}`)).text())
  const tarball = await (await fetch(versions[tags.latest].dist.tarball)).arrayBuffer()
  const file = join(folder, `${name.replace("@transferkit/", "")}.tgz`)
  writeFileSync(file, Buffer.from(tarball))
  const unpacked = file.replace(/\.tgz$/, "")
  mkdirSync(unpacked)
  spawnSync("tar", ["-xzf", file, "-C", unpacked, "--strip-components=1"])
  const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" })
  const manifest: Repository.Manifest & { readonly bin?: object } = Repository.manifest(unpacked)
  const readme = readFileSync(join(unpacked, "README.md"), "utf8")
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } })
  return [
    ...["README.md", "LICENSE"].filter((needed) => !files.includes(needed)).map((needed) => `${needed} is missing`),
    ...files.filter((path) => /(?:^|\/)(?:test|node_modules)\/|\.test\./.test(path)).map((path) => `${path} is a test`),
    ...[...readme.matchAll(/\]\((?!https:|#)([^)]*)\)/g)].map(([, href]) => `its page cannot follow the link ${href}`),
    ...Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter(([, range]) => /^(?:workspace|catalog|link):/.test(range))
      .map(([dependency, range]) => `${dependency} is ${range}`),
    ...messages.flatMap((message) => formatMessage(message, pkg, { color: false }) ?? []),
    ...(manifest.bin === undefined ? await typeProblems(file) : noticesOf(files)),
  ].map((problem) => `${name}: ${problem}`)
}

const noticesOf = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.some((path) => path.endsWith("THIRD-PARTY-NOTICES")) ? [] : ["THIRD-PARTY-NOTICES is missing"]

/** All packages are ES modules, and their modules are exported one by one. */
const typeProblems = (file: string): Promise<ReadonlyArray<string>> => {
  const program = join(import.meta.dirname, "node_modules/.bin/attw")
  return new Promise((resolve) =>
    execFile(program, [file, "--profile", "esm-only", "--no-emoji", "--no-color"], (error, stdout, stderr) =>
      resolve(error === null ? [] : [`attw:\n${stdout}${stderr}`]),
    ),
  )
}
