import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as Checksums from "../release/Checksums.ts"
import * as Images from "../release/Images.ts"
import * as Sbom from "../release/Sbom.ts"
import * as Repository from "../Repository.ts"

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
