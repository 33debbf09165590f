/** The published program: a tarball, or an image. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { validate } from "dockerfile-utils"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { build } from "../scripts/Bundle.ts"

const run = promisify(execFile)
const app = path.join(import.meta.dirname, "..")

test("packs a tarball that starts without dependencies", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  await build(path.join(folder, "dist"))
  await run("npm", ["pack", "--pack-destination", folder], { cwd: path.join(folder, "dist") })
  const tarball = (await fs.readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  await run("tar", ["-xzf", tarball], { cwd: folder })
  const unpacked = path.join(folder, "package")
  const manifest = JSON.parse(await fs.readFile(path.join(unpacked, "package.json"), "utf8"))
  expect(manifest.dependencies).toBe(undefined)
  const { stdout } = await run(process.execPath, [path.join(unpacked, manifest.bin["transfers-fake"]), "--version"])
  expect(stdout).toContain(manifest.version)
  expect((await fs.readdir(path.join(unpacked, "console"))).toSorted()).toEqual([
    "console.css",
    "console.html",
    "console.js",
    "favicon.svg",
  ])
  expect((await fs.readdir(unpacked)).filter((name) => /ConsoleBundle|esbuild/i.test(name))).toEqual([])
  const notices = await fs.readFile(path.join(unpacked, "THIRD-PARTY-NOTICES"), "utf8")
  for (const name of ["effect", "preact"]) expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"))
  expect(await fs.readdir(unpacked)).toEqual(expect.arrayContaining(["LICENSE", "README.md"]))
  const older = path.join(folder, "older.cjs")
  await fs.writeFile(
    older,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })',
  )
  const bin = path.join(unpacked, manifest.bin["transfers-fake"])
  await expect(run(process.execPath, ["--require", older, bin])).rejects.toMatchObject({
    code: 2,
    stderr: "error: transfers-fake needs Node 22.19 or later, and this is 20.20.2.\n",
  })
  const read = await readAtStart(unpacked)
  expect(read.length).toBeGreaterThan(2)
  const sizes = await Promise.all(read.map(async (name) => (await fs.stat(path.join(unpacked, name))).size))
  const size = sizes.reduce((sum, each) => sum + each, 0)
  expect(size, "the reference page must not be in what every start reads").toBeLessThan(700_000)
  await fs.rm(folder, { recursive: true })
})

/** The files that every start reads: the program and its static imports. */
const readAtStart = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entry = await fs.readFile(path.join(folder, "bin.js"), "utf8")
  const found = ["bin.js", ...[...entry.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, name = ""]) => name)]
  for (const name of found) {
    const text = await fs.readFile(path.join(folder, name), "utf8")
    for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
      if (!found.includes(imported)) found.push(imported)
    }
  }
  return found
}

test("has a valid Dockerfile that matches the repository", async () => {
  const recipe = await fs.readFile(path.join(app, "Dockerfile"), "utf8")
  expect(validate(recipe)).toEqual([])
  const { version } = JSON.parse(await fs.readFile(path.join(app, "../../node_modules/node/package.json"), "utf8"))
  expect(recipe).toContain(`FROM node:${version}-slim`)
  const { packageManager } = JSON.parse(await fs.readFile(path.join(app, "../../package.json"), "utf8"))
  // Corepack checks it against the hash.
  expect(packageManager).toMatch(/^pnpm@.*[+]sha512[.]/)
  expect(recipe).toContain("corepack pnpm install --frozen-lockfile")
  expect(recipe.match(/apps\/fake-server\/[\w/.]+/g)).toEqual([
    "apps/fake-server/Dockerfile",
    "apps/fake-server/scripts/build.ts",
    "apps/fake-server/dist",
  ])
  expect(recipe).toContain("EXPOSE 8787")
})

test("has a Compose file that matches the image", async () => {
  const folder = path.join(app, "../../examples/tests")
  const { services } = parse(await fs.readFile(path.join(folder, "compose.yaml"), "utf8"))
  const { build, command, environment, ports } = services.transfers
  const recipe = await fs.readFile(path.join(folder, build.context, build.dockerfile), "utf8")
  expect(services.program.depends_on.transfers.condition).toBe("service_healthy")
  expect(recipe).toContain("HEALTHCHECK ")
  const [, port = ""] = /^EXPOSE (\d+)$/m.exec(recipe) ?? []
  expect(ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(services.program.command.at(-1)).toContain(`http://transfers:${port}/v1/`)
  const { stdout: help } = await run(process.execPath, [path.join(app, "src/bin.ts"), "--help"])
  const variables = Object.keys(environment).map((name) => name.replace("TRANSFERS_FAKE_", "--"))
  const flags = [...command.filter((word: string) => word.startsWith("--")), ...variables]
  for (const flag of flags) expect(help).toContain(flag.toLowerCase().replaceAll("_", "-"))
})
