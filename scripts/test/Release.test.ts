import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as Checksums from "../release/Checksums.ts"
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
