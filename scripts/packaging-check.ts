/**
 * `pnpm packaging:check`: publishes all packages to a registry on this machine, and uses them as their users would. The
 * command builds them first.
 */
import { execFile, spawnSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { cp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import cli from "../apps/cli/package.json" with { type: "json" }
import * as Documents from "./Documents.ts"
import * as Consumer from "./packaging/Consumer.ts"
import * as ConsumersPage from "./packaging/ConsumersPage.ts"
import * as FirstSteps from "./packaging/FirstSteps.ts"
import * as LocalRegistry from "./packaging/LocalRegistry.ts"
import * as Runtimes from "./packaging/Runtimes.ts"
import * as Tarballs from "./packaging/Tarballs.ts"
import * as Programs from "./Programs.ts"
import * as McpRegistry from "./release/McpRegistry.ts"
import * as Repository from "./Repository.ts"

/** Every public module of every library. */
const modules = Repository.files(Repository.root).flatMap((file) => {
  const [, library, module] = /^packages\/([^/]+)\/src\/((?!internal\/)[\w/]+)\.ts$/.exec(file) ?? []
  return library === undefined || module === undefined ? [] : [`@transferkit/${library}/${module}`]
})
const libraries = [...new Set(modules.map((module) => module.split("/").slice(0, 2).join("/")))]
const programs = ["@transferkit/cli", "@transferkit/fake-server"]

const began = Date.now()
const marked = new Set<ConsumersPage.Name>()
/** Says what has passed, and marks its rows of the table. */
const passed = (what: string, ...rows: ReadonlyArray<ConsumersPage.Name>): void => {
  for (const row of rows) marked.add(row)
  console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`)
}

const publish = (registry: LocalRegistry.LocalRegistry, folder: string): void => {
  const userconfig = join(folder, ".npmrc")
  writeFileSync(userconfig, registry.npmrc)
  const { status, stdout, stderr } = spawnSync(
    "pnpm",
    ["-r", "publish", "--no-git-checks", "--registry", registry.url],
    {
      cwd: Repository.root,
      encoding: "utf8",
      env: { ...process.env, npm_config_userconfig: userconfig },
    },
  )
  if (status !== 0) throw new Error(`publishing ended with ${status}\n${stdout}${stderr}`)
}

/** The Effect of the repository under the number of a later patch: no newer one may have been published yet. */
const laterEffect = async (folder: string): Promise<string> => {
  const copy = join(folder, "later-effect")
  const filter = (path: string) => !path.endsWith(".map")
  await cp(join(Repository.root, "node_modules/effect"), copy, { recursive: true, dereference: true, filter })
  const manifest = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"))
  const [major, minor, patch] = String(manifest.version).split(".").map(Number)
  writeFileSync(
    join(copy, "package.json"),
    JSON.stringify({ ...manifest, version: `${major}.${minor}.${(patch ?? 0) + 7}` }),
  )
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent"], { cwd: copy })
  return join(copy, stdout.trim())
}

const sources = join(import.meta.dirname, "packaging/consumers")
const copyTo = (consumer: Consumer.Consumer, ...names: ReadonlyArray<string>): void => {
  for (const name of names) copyFileSync(join(sources, name), join(consumer.folder, name))
}

const installed = async (consumer: Consumer.Consumer): Promise<ReadonlyArray<string>> =>
  Object.keys(JSON.parse(await consumer.run("npm", "ls", "--all", "--json", "--long=false")).dependencies ?? {})

const visible = (folder: string): ReadonlyArray<string> => readdirSync(folder).filter((name) => !name.startsWith("."))

/** The code blocks of the documents, and what they print. */
const examples = Documents.read(Repository.root).flatMap(({ path, blocks }) =>
  blocks
    .filter(({ info }) => info === "ts")
    .map(({ text, output }, index) => ({ file: `${path.replaceAll(/[^\w]/g, "_")}_${index + 1}.ts`, text, output })),
)

const equal = <A>(what: string, actual: A, expected: A): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
  }
}

/** Makes a project that installs some packages. */
type Make = (name: string, ...packages: ReadonlyArray<string>) => Promise<Consumer.Consumer>

const check = async (folder: string): Promise<void> => {
  await using registry = await LocalRegistry.start(join(folder, "registry"))
  publish(registry, folder)
  passed(`${libraries.length + programs.length} packages published`)
  await using fake = await Programs.startFake(Programs.sample, (child) => process.once("exit", () => child.kill()))
  const env = { TRANSFERS_BASE_URL: fake.url, TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
  const make: Make = (name, ...packages) => Consumer.make(join(folder, name), { npmrc: registry.npmrc, packages, env })
  // Beside each other: while one waits for npm, others compute.
  await Promise.all([
    checkEffect(make, fake, folder),
    checkPromises(make, fake)
      .then(() => checkTests(make))
      .then(() => checkExamples(registry.npmrc, join(folder, "examples"))),
    Tarballs.check(registry, join(folder, "tarballs"), [...libraries, ...programs])
      .then(() => passed("publint, attw, licences, links"))
      .then(() => checkTools(make))
      .then(() => checkFirstSteps(registry.npmrc, folder)),
  ])
  equal("rows of docs/consumers.md that were not tried", ConsumersPage.missing(marked), [])
}

/** What one error may bring to a bundle, not minified by Rollup: the client has forty times as much. */
const mostErrorBytes = 8000

const checkPromises = async (make: Make, fake: Programs.RunningFake): Promise<void> => {
  const consumer = await make("promises", "@transferkit/http-client")
  equal("the Promise client installs", await installed(consumer), ["@transferkit/http-client"])
  equal("beside it", visible(join(consumer.folder, "node_modules")), ["@transferkit", "decimal.js"])
  copyTo(consumer, "promise.ts", "required.cjs", "required.cts", "page.js", "count.mjs")
  cpSync(join(Repository.root, "examples/edge-worker/worker.js"), join(consumer.folder, "worker.js"))
  for (const node of Consumer.nodes) {
    passed((await consumer.run(node, "promise.ts")).trim())
    equal("require", (await consumer.run(node, "--no-warnings", "required.cjs")).trim(), "3 transfers by require")
  }
  const bytes = await Runtimes.gzippedSize(consumer)
  passed(`${(bytes / 1000).toFixed(1)} kB gzipped in a page`, "esm", "commonjs")
  equal("transfers in workerd", await Runtimes.countInWorkerd(consumer, fake), 5000)
  equal("transfers in Chromium", await Runtimes.countInChromium(consumer, fake), 5000)
  passed("5000 transfers in workerd and in Chromium", "vite", "workerd")
  const counted = async (...command: readonly [string, ...ReadonlyArray<string>]) =>
    (await consumer.run(...command, "count.mjs", fake.url)).trim()
  const bundled = await consumer.run(Consumer.nodes[1], join(sources, "bundle.mjs"), consumer.folder)
  for (const [, name = "", bytes, error] of bundled.matchAll(/^(\w+) (\d+) (\w+)$/gm)) {
    equal(`the error by ${name}`, error, "RateLimited")
    if (Number(bytes) > mostErrorBytes) throw new Error(`one error brings ${bytes} bytes by ${name}`)
    const main = join(consumer.folder, "out", name, "main.mjs")
    equal(name, (await consumer.run(Consumer.nodes[1], main, fake.url)).trim(), "5000 transfers")
    passed(
      `a program by ${name}, and one error of ${bytes} bytes`,
      ...ConsumersPage.bundlers.filter((row) => row === name),
    )
  }
  equal("Bun", await counted(Consumer.program("bun")), "5000 transfers")
  const permissions = ["--no-prompt", "--allow-net", "--allow-read", "--node-modules-dir=manual", "--no-lock"]
  equal("Deno", await counted(Consumer.program("deno"), "run", ...permissions), "5000 transfers")
  equal("Temporal", await counted(Consumer.nodes[2]), "5000 transfers")
  passed("5000 transfers in Bun, and in Deno without the environment", "bun", "deno", "temporal")
  await consumer.run("npm", ...Consumer.install, "@types/node@24")
  await Consumer.compile(consumer, "small")
  passed("the Promise client compiled by three TypeScripts, as node16, nodenext and bundler", "types")
}

const checkEffect = async (make: Make, fake: Programs.RunningFake, folder: string): Promise<void> => {
  const needs = [await laterEffect(folder), "@effect/platform-node@4.1.0", "@types/node@24"]
  const consumer = await make("effect", ...needs, ...libraries)
  const copies = (await consumer.run("npm", "ls", "effect", "--parseable")).split("\n")
  equal("copies of effect", copies.filter((path) => path.includes("effect")).length, 1)
  consumer.write("everything.ts", modules.map((module) => `import "${module}"\n`).join(""))
  copyTo(consumer, "everyWay.ts")
  for (const { file, text } of examples) consumer.write(file, `${text}\n`)
  await Consumer.compile(consumer, "large")
  passed(`${modules.length} modules and ${examples.length} examples compiled by three TypeScripts`)
  for (const { file, text } of examples) {
    consumer.write(file, text.replaceAll("https://api.example.com", fake.url).replaceAll('"your-partner-id"', '"demo"'))
  }
  for (const node of Consumer.nodes) {
    await consumer.run(node, "everything.ts")
    for (const { file, text, output } of examples) {
      // A query of a SQLite mirror needs Node 24.10, which can keep it from writing.
      if (node === Consumer.nodes[0] && /"sqlite:/.test(text) && text.includes("query(")) continue
      const printed = await consumer.run(node, file)
      if (output !== undefined) equal(file, printed.trimEnd(), output.trimEnd())
    }
    passed(`${(await consumer.run(node, "everyWay.ts")).trim()}, and the examples`, "effect")
  }
}

const checkTests = async (make: Make): Promise<void> => {
  const consumer = await make("tests", "@transferkit/fake", "@transferkit/http-client", "jest@30")
  copyTo(consumer, "fake.mjs")
  await consumer.run(Consumer.nodes[0], "--test", "fake.mjs")
  cpSync(join(Repository.root, "examples/tests/jest"), consumer.folder, { recursive: true })
  await consumer.run(Consumer.nodes[1], "--experimental-vm-modules", "node_modules/jest/bin/jest.js")
  passed("node:test and Jest with the fake", "nodeTest", "jest")
  copyTo(consumer, "commonjs.test.cjs")
  const config = { testMatch: ["**/*.test.cjs"], moduleFileExtensions: ["cjs", "js", "json"], transform: {} }
  consumer.write("jest.commonjs.json", JSON.stringify(config))
  await consumer.run(Consumer.nodes[1], "node_modules/jest/bin/jest.js", "--config", "jest.commonjs.json")
  passed("Jest without a flag", "jestCommonJs")
}

/** A Node before all others, and not beside the programs of the repository. */
const pathOf = (node: string): string => `${dirname(node)}:${process.env["PATH"]}`
const pathOfOldest = pathOf(Consumer.nodes[0])

/** What a newcomer does first, in a folder of its own, where npm installs programs for it alone. */
const checkFirstSteps = async (npmrc: string, folder: string): Promise<void> => {
  for (const [index, steps] of FirstSteps.all.entries()) {
    const place = join(folder, `first-steps-${index}`)
    const env = {
      PATH: `${join(place, "npm/bin")}:${pathOf(Consumer.nodes[steps.needsNode24 === true ? 1 : 0])}`,
      npm_config_prefix: join(place, "npm"),
      npm_config_userconfig: join(place, ".npmrc"),
      npm_config_prefer_offline: "true",
      NO_COLOR: "1",
    }
    const project = Consumer.open(place, { npmrc, env })
    project.write("package.json", "{}")
    const seconds = await FirstSteps.follow(project, steps)
    passed(`${steps.page}, "${steps.heading}": ${seconds.toFixed(0)} s of ${steps.minutes} min`)
  }
}

/** The folders of examples/ that stand alone: copied somewhere else, installed, and tested, as their pages say. */
const checkExamples = async (npmrc: string, folder: string): Promise<void> => {
  mkdirSync(folder)
  const manifests = globSync("*/package.json", { cwd: join(Repository.root, "examples") }).sort()
  if (manifests.length < 6) throw new Error(`examples/ has ${manifests.length} projects`)
  for (const name of manifests.map(dirname)) {
    const consumer = await Consumer.copy(join(Repository.root, "examples", name), join(folder, name), {
      npmrc,
      env: { PATH: pathOfOldest },
    })
    await consumer.run("npm", "test")
    passed(`examples/${name}`, ...(ConsumersPage.examples[name] ?? []))
  }
}

const checkTools = async (make: Make): Promise<void> => {
  const consumer = await make("tools", ...programs)
  equal("the programs install", visible(join(consumer.folder, "node_modules")), ["@transferkit"])
  const bin = (name: string) => join(consumer.folder, "node_modules/.bin", name)
  for (const node of Consumer.nodes) {
    const page = JSON.parse(await consumer.run(node, bin("transfers"), "search", "--limit", "1", "--output", "json"))
    equal("transfers search", page.results.length, 1)
    await consumer.run(node, bin("transfers-fake"), "--version")
  }
  if (!(await consumer.run("npx", "transfers", "--version")).startsWith("transfers ")) throw new Error("npx transfers")
  await consumer.run("npx", "transfers-fake", "--help")
  for (const name of ["transfers", "transfers-fake"]) {
    const { status, stderr } = spawnSync(Consumer.tooOld, [bin(name)], { encoding: "utf8" })
    equal(`${name} on a Node that is too old`, [status, stderr.split("\n").length], [2, 2])
  }
  passed("npx transfers, npx transfers-fake")
  const talk = join(import.meta.dirname, "packaging/consumers/mcp.mjs")
  const said = await consumer.run(Consumer.nodes[1], talk, Consumer.nodes[1], bin("transfers"), "mcp", "--sandbox")
  const of = (major: number) => `client ${major}: 9 tools, 5000 transfers, string`
  equal("MCP clients", said.trim().split("\n"), [of(1), of(2)])
  passed("MCP clients of both major versions", "mcp")
  const inspector = ["--cli", Consumer.nodes[1], bin("transfers"), "mcp", "--sandbox", "--method", "tools/call"]
  const found = await consumer.run(Consumer.program("mcp-inspector"), ...inspector, "--tool-name", "stuck_transfers")
  equal("the MCP inspector", JSON.parse(found).isError ?? false, false)
  consumer.write("manifest.json", JSON.stringify(McpRegistry.manifest(cli, [{ name: "t", description: "d" }])))
  await consumer.run(Consumer.program("mcpb"), "validate", "manifest.json")
  passed("the MCP inspector, the manifest of the MCP bundle", "inspector", "mcpb")
  cpSync(join(Repository.root, "examples/tests/pytest"), join(consumer.folder, "pytest"), { recursive: true })
  const fake = `TRANSFERS_FAKE=${Consumer.nodes[1]} ${bin("transfers-fake")}`
  await consumer.run("env", fake, "python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "pytest")
  passed("pytest with the installed fake", "pytest")
}

const folder = mkdtempSync(join(tmpdir(), "transferkit-packaging-"))
try {
  await check(folder)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
