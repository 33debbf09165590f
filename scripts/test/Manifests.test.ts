import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Repository from "../Repository.ts"

const page = Repository.tree.replace("/blob/main/", "")

const read = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(Repository.root, folder, "package.json"), "utf8"))

const published = Repository.files(Repository.root)
  .flatMap((file) => /^((?:packages|apps)\/[^/]+)\/package\.json$/.exec(file)?.[1] ?? [])
  .map((folder) => ({ folder, manifest: read(folder) }))
  .filter(({ manifest }) => manifest["private"] !== true)

describe.each(published)("the manifest of $folder", ({ folder, manifest }) => {
  it("tells where the package comes from, what it needs, and how it may be used", () => {
    expect(manifest).toMatchObject({
      license: "MIT",
      homepage: `${page}/tree/main/${folder}#readme`,
      bugs: `${page}/issues`,
      repository: { type: "git", url: `git+${page}.git`, directory: folder },
      engines: { node: ">=22.19" },
    })
    expect(manifest["description"]).toMatch(/\.$/)
    expect(manifest["keywords"]).toContain("transfers")
  })

  it("leaves Effect to its user, unless the package is a bundle", () => {
    expect(manifest["dependencies"] ?? {}).not.toHaveProperty("effect")
    const isLibrary = folder.startsWith("packages/")
    expect(manifest["peerDependencies"] ?? {}).toEqual(
      isLibrary ? expect.objectContaining({ effect: expect.stringMatching(/^catalog:peers/) }) : {},
    )
    if (!isLibrary) expect(manifest).not.toHaveProperty("dependencies")
  })
})

it("finds the packages, and their one version", () => {
  expect(published.length).toBeGreaterThan(8)
  expect(new Set(published.map(({ manifest }) => manifest["version"])).size).toBe(1)
})
