/**
 * `pnpm packaging:check`: publishes all packages to a registry on this machine, and uses them as their users would. The
 * command builds them first.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Documents from "./Documents.ts"
import * as Consumer from "./packaging/Consumer.ts"
import * as LocalRegistry from "./packaging/LocalRegistry.ts"
import * as Runtimes from "./packaging/Runtimes.ts"
import * as Tarballs from "./packaging/Tarballs.ts"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"

/** Every public module of every library. */
const modules = Repository.files(Repository.root).flatMap((file) => {
  const [, library, module] = /^packages\/([^/]+)\/src\/((?!internal\/)[\w/]+)\.ts$/.exec(file) ?? []
  return library === undefined || module === undefined ? [] : [`@transferkit/${library}/${module}`]
})
const libraries = [...new Set(modules.map((module) => module.split("/").slice(0, 2).join("/")))]
const programs = ["@transferkit/cli", "@transferkit/fake-server"]

const began = Date.now()
const passed = (what: string): void =>
  console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`)

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
const laterEffect = (folder: string): string => {
  const copy = join(folder, "later-effect")
  cpSync(join(Repository.root, "node_modules/effect"), copy, {
    recursive: true,
    dereference: true,
    filter: (path) => !path.endsWith(".map"),
  })
  const manifest = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"))
  const [major, minor, patch] = String(manifest.version).split(".").map(Number)
  writeFileSync(
    join(copy, "package.json"),
    JSON.stringify({ ...manifest, version: `${major}.${minor}.${(patch ?? 0) + 7}` }),
  )
  const { status, stdout, stderr } = spawnSync("npm", ["pack", "--silent"], { cwd: copy, encoding: "utf8" })
  if (status !== 0) throw new Error(`packing effect ended with ${status}\n${stderr}`)
  return join(copy, stdout.trim())
}

const sources = join(import.meta.dirname, "packaging/consumers")
const copyTo = (consumer: Consumer.Consumer, ...names: ReadonlyArray<string>): void => {
  for (const name of names) copyFileSync(join(sources, name), join(consumer.folder, name))
}

const installed = (consumer: Consumer.Consumer): ReadonlyArray<string> =>
  Object.keys(JSON.parse(consumer.run("npm", "ls", "--all", "--json", "--long=false")).dependencies ?? {})

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

const check = async (folder: string): Promise<void> => {
  await using registry = await LocalRegistry.start(join(folder, "registry"))
  publish(registry, folder)
  passed(`${libraries.length + programs.length} packages published`)
  await Tarballs.check(registry, join(folder, "tarballs"), [...libraries, ...programs])
  passed("publint, attw, licences, links")

  await using fake = await Programs.startFake(Programs.sample, (child) => process.once("exit", () => child.kill()))
  const env = { TRANSFERS_BASE_URL: fake.url, TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
  const { npmrc } = registry
  const make = (name: string, ...packages: ReadonlyArray<string>) =>
    Consumer.make(join(folder, name), { npmrc, packages, env })

  const promises = make("promises", "@transferkit/http-client")
  equal("the Promise client installs", installed(promises), ["@transferkit/http-client"])
  equal(
    "beside it",
    readdirSync(join(promises.folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["@transferkit", "decimal.js"],
  )
  copyTo(promises, "promise.ts", "required.cjs", "required.cts", "edge.js", "page.js")
  for (const node of Consumer.nodes) {
    passed(promises.run(node, "promise.ts").trim())
    equal("require", promises.run(node, "--no-warnings", "required.cjs").trim(), "3 transfers by require")
  }
  const bytes = await Runtimes.gzippedSize(promises)
  passed(`${(bytes / 1000).toFixed(1)} kB gzipped in a page`)
  equal("transfers in workerd", await Runtimes.countInWorkerd(promises, fake), 5000)
  equal("transfers in Chromium", await Runtimes.countInChromium(promises, fake), 5000)
  passed("5000 transfers in workerd and in Chromium")
  promises.run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", "@types/node@24")
  await Consumer.compile(promises, "small")
  passed("the Promise client compiled by three TypeScripts, as nodenext and as bundler")

  const effect = make("effect", laterEffect(folder), "@effect/platform-node@4.1.0", "@types/node@24", ...libraries)
  equal(
    "copies of effect",
    effect
      .run("npm", "ls", "effect", "--parseable")
      .trim()
      .split("\n")
      .filter((path) => path.includes("effect")).length,
    1,
  )
  effect.write("everything.ts", modules.map((module) => `import "${module}"\n`).join(""))
  copyTo(effect, "everyWay.ts")
  for (const { file, text } of examples) effect.write(file, `${text}\n`)
  await Consumer.compile(effect, "large")
  passed(`${modules.length} modules and ${examples.length} examples compiled by three TypeScripts`)
  for (const { file, text } of examples) {
    effect.write(file, text.replaceAll("https://api.example.com", fake.url).replaceAll('"your-partner-id"', '"demo"'))
  }
  for (const node of Consumer.nodes) {
    effect.run(node, "everything.ts")
    for (const { file, output } of examples) {
      const printed = effect.run(node, file)
      if (output !== undefined) equal(file, printed.trimEnd(), output.trimEnd())
    }
    passed(`${effect.run(node, "everyWay.ts").trim()}, and the examples`)
  }

  const tests = make("tests", "@transferkit/fake", "@transferkit/http-client", "vitest@5")
  copyTo(tests, "fake.test.ts", "fake.mjs")
  tests.run("npx", "vitest", "run")
  tests.run(Consumer.nodes[0], "--test", "fake.mjs")
  const jest = make("jest", "@transferkit/fake", "@transferkit/http-client", "jest@30")
  cpSync(join(Repository.root, "examples/tests/jest"), jest.folder, { recursive: true })
  jest.run(Consumer.nodes[1], "--experimental-vm-modules", "node_modules/jest/bin/jest.js")
  passed("vitest, node:test and Jest with the fake")

  const tools = make("tools", ...programs)
  equal(
    "the programs install",
    readdirSync(join(tools.folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["@transferkit"],
  )
  for (const node of Consumer.nodes) {
    const bin = (name: string) => join(tools.folder, "node_modules/.bin", name)
    equal(
      "transfers search",
      JSON.parse(tools.run(node, bin("transfers"), "search", "--limit", "1", "--output", "json")).results.length,
      1,
    )
    tools.run(node, bin("transfers-fake"), "--version")
  }
  if (!tools.run("npx", "transfers", "--version").startsWith("transfers ")) throw new Error("npx transfers")
  tools.run("npx", "transfers-fake", "--help")
  for (const name of ["transfers", "transfers-fake"]) {
    const { status, stderr } = spawnSync(Consumer.tooOld, [join(tools.folder, "node_modules/.bin", name)], {
      encoding: "utf8",
    })
    equal(`${name} on a Node that is too old`, [status, stderr.split("\n").length], [2, 2])
  }
  passed("npx transfers, npx transfers-fake")
}

const folder = mkdtempSync(join(tmpdir(), "transferkit-packaging-"))
try {
  await check(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
