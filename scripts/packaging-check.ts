/**
 * `pnpm packaging:check`: packs the libraries as they would be published, installs the tarballs into an empty project,
 * and compiles and runs the READMEs' examples against them on every supported Node. The command builds them first.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { build } from "vite"
import * as Documents from "./Documents.ts"
import * as Programs from "./Programs.ts"
import * as Repository from "./Repository.ts"

interface Example {
  readonly file: string
  readonly text: string
  readonly output: string | undefined
}

const modules = Repository.files(Repository.root).flatMap((file) => {
  const [, library, module] = /^packages\/([^/]+)\/src\/((?!internal\/)[\w/]+)\.ts$/.exec(file) ?? []
  return library === undefined || module === undefined ? [] : [{ library, module }]
})

const libraries = [...new Set(modules.map(({ library }) => join(Repository.root, "packages", library)))]

const run = (cwd: string, file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: "utf8", env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${basename(file)} ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/** Packs one library and checks the tarball with publint. */
const pack = async (library: string, destination: string): Promise<string> => {
  const packed: { readonly filename: string; readonly files?: ReadonlyArray<{ readonly path: string }> } = JSON.parse(
    run(library, "pnpm", ["pack", "--json", "--pack-destination", destination]),
  )
  const tarball = readFileSync(packed.filename)
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: Uint8Array.from(tarball).buffer } })
  const { files = [] } = packed
  const missing = ["README.md", "LICENSE"].filter((name) => !files.some(({ path }) => path.endsWith(name)))
  const complaints = [
    ...missing.map((name) => `${name} is not in the package`),
    ...messages.flatMap((message) => formatMessage(message, pkg, { color: false }) ?? []),
  ]
  if (complaints.length > 0) throw new Error(`${basename(library)}: ${complaints.join("\n")}`)
  return packed.filename
}

/** An empty project that depends on the tarballs and nothing of the repository. */
const makeConsumer = (folder: string, tarballs: Readonly<Record<string, string>>): void => {
  const { devDependencies } = Repository.manifest(Repository.root)
  const versions = readFileSync(join(Repository.root, "pnpm-workspace.yaml"), "utf8")
  const pinned = Object.fromEntries(
    ["effect", "decimal.js", "@effect/platform-node", "@types/node", "jest"].map((name) => [
      name,
      new RegExp(`^ {2}"?${name}"?: (.+)$`, "m").exec(versions)?.[1] ?? devDependencies?.[name],
    ]),
  )
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`)
  write("package.json", { name: "consumer", private: true, type: "module", dependencies: { ...pinned, ...tarballs } })
  write("pnpm-workspace.yaml", { overrides: tarballs, pmOnFail: "ignore", autoInstallPeers: false })
  write("tsconfig.json", {
    extends: join(Repository.root, "tsconfig.base.json"),
    compilerOptions: {
      lib: ["ES2024", "DOM"],
      types: ["node"],
      noEmit: true,
      skipLibCheck: false,
      noUnusedLocals: false,
    },
    include: ["*.ts"],
  })
}

/** A file that imports every public module of every library, and names those that export nothing. */
const importOfEverything = (): string =>
  modules
    .map(({ library, module }, index) => {
      const name = `@transferkit/${library}/${module}`
      return `import * as m${index} from "${name}"\nif (Object.keys(m${index}).length === 0) console.log("${name}")`
    })
    .join("\n")

const examples: ReadonlyArray<Example> = Documents.read(Repository.root).flatMap(({ path, blocks }) =>
  blocks
    .filter(({ info }) => info === "ts")
    .map(({ text, output }, index) => ({
      file: `${path.replaceAll(/[^\w]/g, "_")}_${index + 1}.ts`,
      text,
      output,
    })),
)

const runtimes = join(Repository.root, "packages/http-client/runtimes")

/** The oldest and the newest supported Node, and the repository's own. */
const nodes = [
  join(runtimes, "node_modules/node-22/bin/node"),
  join(Repository.root, "node_modules/.bin/node"),
  join(runtimes, "node_modules/node-26/bin/node"),
]

/** The transports of the client that a bundler includes for a web page. */
const bundledTransports = async (consumer: string): Promise<ReadonlyArray<string>> => {
  const entry = join(consumer, "bundled.ts")
  writeFileSync(entry, 'export * from "@transferkit/http-client/promise"\n')
  const built = await build({
    root: consumer,
    configFile: false,
    logLevel: "error",
    build: { write: false, lib: { entry, formats: ["es"] } },
  })
  return [built]
    .flat()
    .flatMap((result) => ("output" in result ? result.output : []))
    .flatMap((output) => (output.type === "chunk" ? output.moduleIds : []))
    .flatMap((id) => /\/((?:Node|Fetch)Transport)\.js$/.exec(id)?.[1] ?? [])
}

/** Replaces the service and the partner of a document by those of the fake. */
const withoutPlaceholders = (text: string, url: string): string =>
  text.replaceAll("https://api.example.com", url).replaceAll('"your-partner-id"', '"demo"')

const check = async (folder: string): Promise<void> => {
  const packs = join(folder, "packs")
  const consumer = join(folder, "consumer")
  mkdirSync(packs)
  mkdirSync(consumer)
  const tarballs: Record<string, string> = {}
  for (const library of libraries) {
    tarballs[Repository.manifest(library).name ?? library] = `file:${await pack(library, packs)}`
  }
  makeConsumer(consumer, tarballs)
  run(consumer, "pnpm", ["install", "--prefer-offline", "--no-frozen-lockfile"])
  writeFileSync(join(consumer, "everything.ts"), importOfEverything())
  for (const { file, text } of examples) writeFileSync(join(consumer, file), `${text}\n`)
  copyFileSync(join(runtimes, "everyWay.ts"), join(consumer, "everyWay.ts"))
  run(consumer, join(Repository.root, "node_modules/.bin/tsc"), ["-p", "."])
  const transports = await bundledTransports(consumer)
  if (transports.join() !== "FetchTransport") throw new Error(`a web page would get ${transports.join(" and ")}`)
  await using fake = await Programs.startFake(Programs.sample)
  const env = { TRANSFERS_BASE_URL: fake.url, TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
  for (const { file, text } of examples) writeFileSync(join(consumer, file), withoutPlaceholders(text, fake.url))
  const jest = join(consumer, "node_modules/jest/bin/jest.js")
  cpSync(join(Repository.root, "examples/tests/jest"), consumer, { recursive: true })
  for (const node of nodes) {
    run(consumer, node, ["--experimental-vm-modules", jest])
    run(consumer, node, ["everything.ts"])
    console.log(run(consumer, node, ["everyWay.ts"], env).trimEnd())
    for (const { file, output } of examples) {
      const printed = run(consumer, node, [file], env)
      if (output !== undefined && printed.trimEnd() !== output.trimEnd()) {
        throw new Error(`${file} prints\n${printed}\nbut the document says\n${output}`)
      }
    }
  }
  console.log(
    `packaging: ${libraries.length} packages, ${examples.length} examples compiled, and run on ${nodes.length} Nodes`,
  )
}

const folder = mkdtempSync(join(tmpdir(), "transferkit-packaging-"))
try {
  await check(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
