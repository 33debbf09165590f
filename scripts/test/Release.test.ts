import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import cli from "../../apps/cli/package.json" with { type: "json" }
import { toolkit } from "../../packages/mcp/src/internal/Tools.ts"
import * as Checksums from "../release/Checksums.ts"
import * as Images from "../release/Images.ts"
import * as McpRegistry from "../release/McpRegistry.ts"
import * as Notes from "../release/Notes.ts"
import * as Sbom from "../release/Sbom.ts"
import * as Repository from "../Repository.ts"
import { ServerJson } from "./ServerJson.ts"

test("pnpm release publishes nothing without --dry-run, and says who does", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(Repository.root, "scripts/release.ts")], {
    encoding: "utf8",
  })
  expect(status).toBe(2)
  expect(stderr).toContain("pnpm release --dry-run")
})

test("a bill of materials has what is installed and what is bundled, and not the tools of the build", () => {
  const component = (name: string, version: string, more: object = {}) => ({
    "bom-ref": `pkg:npm/${name}@${version}`,
    name,
    version,
    ...more,
  })
  const development = { scope: "excluded", properties: [{ name: "cdx:npm:package:development" }] }
  const sbom = {
    bomFormat: "CycloneDX",
    metadata: { component: component("cli", "0.2.0") },
    components: [
      component("decimal.js", "10.6.0"),
      component("effect", "4.1.0", development),
      component("effect", "4.0.0", development),
      component("highlight", "1.2.5", { group: "@lezer", ...development }),
      component("esbuild", "0.28.2", development),
    ],
    dependencies: [
      { ref: "pkg:npm/cli@0.2.0", dependsOn: ["pkg:npm/effect@4.1.0", "pkg:npm/esbuild@0.28.2"] },
      { ref: "pkg:npm/effect@4.1.0" },
      { ref: "pkg:npm/esbuild@0.28.2", dependsOn: [] },
    ],
  }
  const notices =
    "This software contains the following packages.\n\n@lezer/highlight 1.2.5 (MIT)\n\neffect 4.1.0 (MIT)\n"
  const installed = { ...sbom, components: sbom.components.slice(0, 1) }
  expect(Sbom.ofPackage(sbom, installed, notices)).toEqual({
    ...sbom,
    components: [
      component("decimal.js", "10.6.0"),
      component("effect", "4.1.0"),
      component("highlight", "1.2.5", { group: "@lezer" }),
    ],
    dependencies: [
      { ref: "pkg:npm/cli@0.2.0", dependsOn: ["pkg:npm/effect@4.1.0"] },
      { ref: "pkg:npm/effect@4.1.0", dependsOn: [] },
    ],
  })
})

test("checksums are those that sha256sum checks", () => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-checksums-"))
  writeFileSync(join(folder, "a b.tgz"), "one")
  writeFileSync(join(folder, "SHA256SUMS"), Checksums.make(folder, ["a b.tgz"]))
  const { stdout } = spawnSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder, encoding: "utf8" })
  expect(stdout).toBe("a b.tgz: OK\n")
  rmSync(folder, { recursive: true })
})

test("the release page gets the notes, with links to the files of that version", () => {
  expect(
    Notes.make("# The first release\n\nSee [b](b.md#c) and [d](../D.md), [e](https://e.example).\n", "1.2.3"),
  ).toBe(
    "See [b](https://github.com/transferkit/transferkit/blob/v1.2.3/docs/b.md#c) and [d](https://github.com/transferkit/transferkit/blob/v1.2.3/D.md), [e](https://e.example).\n",
  )
  const notes = Notes.make(readFileSync(join(Repository.root, Notes.source), "utf8"), "1.2.3")
  expect(notes).toMatch(/^TransferKit reads /)
  expect(notes).toContain("## What it promises")
  // One printed page.
  expect(notes.split(/\s+/).length).toBeLessThan(700)
  const workflow = readFileSync(join(Repository.root, ".github/workflows/release.yml"), "utf8")
  expect(workflow).toContain("--notes-file RELEASE-NOTES.md")
})

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`

test("recipes are released with the digests of their images", () => {
  const recipe = "FROM node:24.21.0-slim AS build\nRUN true\nFROM node:24.21.0-slim\n"
  const compose = "services:\n  postgres:\n    image: postgres:17\n  own:\n    image: transfers\n"
  expect(Images.list([recipe, compose])).toEqual(["node:24.21.0-slim", "postgres:17"])
  const digests = Images.read(`node:24.21.0-slim@${digest("1")}\npostgres:17@${digest("2")}\n`)
  expect(Images.pin(recipe, digests)).toBe(
    `FROM node:24.21.0-slim@${digest("1")} AS build\nRUN true\nFROM node:24.21.0-slim@${digest("1")}\n`,
  )
  expect(Images.pin(compose, digests)).toContain(`image: postgres:17@${digest("2")}\n  own:\n    image: transfers\n`)
  expect(() => Images.pin(recipe, new Map())).toThrow("There is no digest of the image node:24.21.0-slim.")
  expect(() => Images.read("postgres:17@sha256:1\n")).toThrow(
    'Expected IMAGE:TAG@sha256:…, found "postgres:17@sha256:1".',
  )
})

test("registries find the MCP server by npm and as a bundle, with the same settings and no secret in the open", () => {
  const program = { name: cli.name, version: "1.2.3", engines: cli.engines }
  const { name, packages } = McpRegistry.server(program)
  // The registry compares it with what is published.
  expect(cli.mcpName).toBe(name)
  expect(packages).toMatchObject([
    { registryType: "npm", identifier: "@transferkit/cli", version: "1.2.3", transport: { type: "stdio" } },
  ])
  const tools = Object.values(toolkit.tools).map(({ name, description = "" }) => ({ name, description }))
  const manifest = McpRegistry.manifest(program, tools)
  expect(manifest).toMatchObject({ version: "1.2.3", tools: { length: 9 }, compatibility: { runtimes: cli.engines } })
  expect(manifest.server.entry_point).toBe(cli.bin.transfers)
  const variables = packages[0]?.environmentVariables.map((variable) => variable.name) ?? []
  expect(Object.keys(manifest.server.mcp_config.env)).toEqual(variables)
  expect(manifest.user_config["secret_key"]).toMatchObject({ sensitive: true, required: true })
  expect(packages[0]?.environmentVariables.find((variable) => "isSecret" in variable)?.name).toBe(
    "TRANSFERS_SECRET_KEY",
  )
})

test("server.json is one that the registry accepts", () => {
  const decode = Schema.decodeUnknownResult(ServerJson, { onExcessProperty: "error" })
  const accepts = (value: unknown) => Result.isSuccess(decode(value))
  const server = McpRegistry.server({ name: cli.name, version: cli.version, engines: cli.engines })
  expect(accepts(server)).toBe(true)
  const [first] = server.packages
  for (const change of [
    { name: "transferkit" },
    { description: "x".repeat(101) },
    { version: "^1.0.0" },
    { packages: [{ ...first, transport: { type: "pipe" } }] },
    { packages: [{ ...first, packageArguments: [{ type: "positional" }] }] },
    { packages: [{ ...first, environmentVariables: [{ description: "no name" }] }] },
    { summary: "of another version" },
  ]) {
    expect(accepts({ ...server, ...change }), JSON.stringify(change)).toBe(false)
  }
})
