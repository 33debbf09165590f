/**
 * `pnpm release --dry-run`: does what a release does, in a copy of the repository, and lists what it would publish.
 * `--out FOLDER` keeps the files. `--images FILE` has the digests of the images that `--list-images` prints.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { zipSync } from "fflate"
import { toolkit } from "../packages/mcp/src/internal/Tools.ts"
import * as Arguments from "./Arguments.ts"
import * as Checksums from "./release/Checksums.ts"
import * as Images from "./release/Images.ts"
import * as McpRegistry from "./release/McpRegistry.ts"
import * as Notes from "./release/Notes.ts"
import * as Sbom from "./release/Sbom.ts"
import * as Repository from "./Repository.ts"

const { values } = Arguments.read("pnpm release --dry-run [--images FILE] [--out FOLDER] | --list-images", {
  options: {
    "dry-run": { type: "boolean" },
    "list-images": { type: "boolean" },
    images: { type: "string" },
    out: { type: "string" },
  },
})
const recipes = ["apps/fake-server/Dockerfile", "deploy/workers/Dockerfile", "deploy/workers/compose.yaml"]
if (values["list-images"] === true) {
  const texts = recipes.map((file) => readFileSync(join(Repository.root, file), "utf8"))
  console.log(Images.list(texts).join("\n"))
  process.exit(0)
}
if (values["dry-run"] !== true) {
  console.error("A release is published by the workflow that npm trusts, .github/workflows/release.yml.")
  console.error("To see what it would publish, run: pnpm release --dry-run")
  process.exit(2)
}

const began = Date.now()
const done = (what: string): void =>
  console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`)

const work = mkdtempSync(join(tmpdir(), "transferkit-release-"))
const clone = join(work, "repository")
const out = join(work, "release")

/** Runs a command to its end, and returns what it prints. Throws an error if it fails. */
const run = (cwd: string, file: string, ...args: ReadonlyArray<string>): string => {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 26 })
  if (status === 0) return stdout
  throw new Error(`${file} ${args.join(" ")} ended with ${status ?? error?.message}\n${stdout}${stderr}`)
}
const pnpm = (...args: ReadonlyArray<string>): string => run(clone, "pnpm", ...args)

interface PublishPlan {
  readonly plan: ReadonlyArray<
    ReadonlyArray<{
      readonly name: string
      readonly version: string
      readonly tag: string
      readonly tarball: { readonly path: string }
    }>
  >
}

const release = (): void => {
  const uncommitted = run(Repository.root, "git", "status", "--porcelain")
  if (uncommitted !== "") console.log(`Left out, because they are not committed:\n${uncommitted}`)
  mkdirSync(out)
  run(Repository.root, "git", "clone", "--quiet", Repository.root, clone)
  done(`a copy of ${run(clone, "git", "log", "-1", "--format=%h %s").trim()}`)
  pnpm("install", "--frozen-lockfile", "--prefer-offline")
  done("dependencies installed")
  const changesets = readdirSync(join(clone, ".changeset")).filter((name) => /^(?!README).*\.md$/.test(name))
  // Without changesets the versions are what is published.
  if (changesets.length > 0) pnpm("changeset", "version")
  done(`versions and changelogs from ${changesets.length} changesets`)
  pnpm("install", "--frozen-lockfile", "--offline")
  done("the lockfile holds for the new versions")
  pnpm("build")
  done("programs and libraries built, with their notices")
  run(clone, "node_modules/.bin/node", "scripts/api-check.ts")
  done("API reports are current")
  run(clone, "node_modules/.bin/node", "scripts/docs-check.ts")
  pnpm("site")
  done("documents checked, and the site built of them")
  pnpm("changeset", "pack", "--out-dir", out)
  const { plan }: PublishPlan = JSON.parse(readFileSync(join(out, "publish-plan.json"), "utf8"))
  const packages = plan.flat()
  if (packages.length === 0) throw new Error("Everything is published already: there is no changeset.")
  const versions = [...new Set(packages.map(({ version }) => version))]
  if (versions.length !== 1) throw new Error(`The packages have several versions: ${versions.join(", ")}`)
  done(`${packages.length} packages packed`)
  writeSboms(packages)
  done(`${packages.length} bills of materials`)
  pnpm("sea")
  const executable = `transfers-${versions[0]}-${process.platform}-${process.arch}.tar.gz`
  run(join(clone, "apps/cli/sea/dist"), "tar", "-czf", join(out, executable), ".")
  done("the executable for this platform")
  run(join(clone, "site/dist/www"), "tar", "-czf", join(out, `site-${versions[0]}.tar.gz`), ".")
  cpSync(
    join(clone, "apps/validation-lambda/dist/validation-lambda.zip"),
    join(out, `validation-lambda-${versions[0]}.zip`),
  )
  const notes = Notes.make(readFileSync(join(clone, Notes.source), "utf8"), versions[0] ?? "")
  writeFileSync(join(out, "RELEASE-NOTES.md"), notes)
  packMcp(versions[0] ?? "")
  if (values.images === undefined)
    console.log("The images of the recipes are not pinned, because there is no --images.")
  else packRecipes(readFileSync(values.images, "utf8"), versions[0] ?? "")
  const files = filesOf(out).filter((file) => file !== "publish-plan.json")
  writeFileSync(join(out, "SHA256SUMS"), Checksums.make(out, files))
  done("checksums")

  console.log("\nnpm would get, in this order:")
  for (const { name, version, tag, tarball } of packages) {
    console.log(`  ${`${name}@${version}`.padEnd(36)} ${tag.padEnd(8)} ${size(tarball.path)}`)
  }
  console.log(
    `\nThe tags would be v${versions[0]}, and ${packages[0]?.name}@${versions[0]} and so on for each package.`,
  )
  console.log("\nThe release page would get, beside the tarballs:")
  for (const file of [...files.filter((file) => !file.startsWith("packages/")), "SHA256SUMS"]) {
    console.log(`  ${file.padEnd(45)} ${size(file)}`)
  }
  console.log("\nThe repository would change:")
  for (const line of run(clone, "git", "status", "--porcelain").trimEnd().split("\n")) console.log(`  ${line.trim()}`)
  if (run(Repository.root, "git", "status", "--porcelain") !== uncommitted) throw new Error("The working tree changed.")
  if (values.out !== undefined) cpSync(out, values.out, { recursive: true, errorOnExist: true, force: false })
  console.log("\nNothing was published, and nothing in this folder was changed.")
}

/** Writes what registries of MCP servers read, and the program as a bundle that clients install. */
const packMcp = (version: string): void => {
  const cli = join(clone, "apps/cli")
  const program = {
    name: "@transferkit/cli",
    version,
    engines: JSON.parse(readFileSync(join(cli, "package.json"), "utf8")).engines,
  }
  const tools = Object.values(toolkit.tools).map(({ name, description = "" }) => ({ name, description }))
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
  const files = filesOf(join(cli, "dist")).map(
    (file) => [`dist/${file}`, readFileSync(join(cli, "dist", file))] as const,
  )
  const bundle = {
    "manifest.json": Buffer.from(json(McpRegistry.manifest(program, tools))),
    LICENSE: readFileSync(join(clone, "LICENSE")),
    ...Object.fromEntries(files),
  }
  // Local time, as zip has it: the same bytes for the same files.
  writeFileSync(join(out, `transferkit-${version}.mcpb`), zipSync(bundle, { level: 9, mtime: "1980-01-01T00:00:00" }))
  writeFileSync(join(out, "server.json"), json(McpRegistry.server(program)))
  done("server.json and the MCP bundle")
}

/** Writes the recipes with the digests of their images. */
const packRecipes = (digests: string, version: string): void => {
  const known = Images.read(digests)
  const folder = join(work, "recipes")
  for (const file of recipes) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), Images.pin(readFileSync(join(clone, file), "utf8"), known))
  }
  cpSync(join(clone, "deploy/workers/kubernetes.yaml"), join(folder, "deploy/workers/kubernetes.yaml"))
  run(folder, "tar", "-czf", join(out, `recipes-${version}.tar.gz`), ".")
  writeFileSync(join(out, "images.txt"), digests)
  done(`recipes that start from\n${digests.trimEnd().replace(/^/gm, "            ")}`)
}

/** Writes the bill of materials of each packed package. */
const writeSboms = (packages: PublishPlan["plan"][number]): void => {
  const folder = join(out, "sbom")
  const sboms = (kind: string, ...flags: ReadonlyArray<string>): ((name: string) => Sbom.Sbom) => {
    const filters = packages.flatMap(({ name }) => ["--filter", name])
    const files = join(work, kind, "%s.json")
    pnpm(...filters, "sbom", "--sbom-format", "cyclonedx", "--split", "--out", files, ...flags)
    return (name) => JSON.parse(readFileSync(files.replace("%s", name.replace(/^@(.*)\//, "$1-")), "utf8"))
  }
  const [all, installed] = [sboms("all"), sboms("installed", "--prod")]
  mkdirSync(folder)
  for (const { name, tarball } of packages) {
    const path = join(out, tarball.path)
    const notices = run(work, "tar", "-tzf", path)
      .split("\n")
      .filter((file) => file.endsWith("/THIRD-PARTY-NOTICES"))
      .map((file) => run(work, "tar", "-xzOf", path, file))
    const sbom = Sbom.ofPackage(all(name), installed(name), notices.join("\n"))
    writeFileSync(join(folder, `${name.replace(/^.*\//, "")}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`)
  }
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

const size = (file: string): string => `${(statSync(join(out, file)).size / 1000).toFixed(1).padStart(8)} kB`

try {
  release()
} finally {
  rmSync(work, { recursive: true, force: true })
}
