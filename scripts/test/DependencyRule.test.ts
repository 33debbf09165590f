import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Manifest, violations } from "../DependencyRule.ts"
import * as ImportGraph from "../ImportGraph.ts"

const root = join(import.meta.dirname, "../..")

const manifests = Object.fromEntries(
  globSync("{.,packages/*,apps/*}/package.json", { cwd: root }).map((file): [string, Manifest] => [
    dirname(file) === "." ? "" : dirname(file),
    JSON.parse(readFileSync(join(root, file), "utf8")),
  ]),
)

describe("the repository", () => {
  const imports = ImportGraph.read(root)

  it("imports in one direction, declares what it imports, and has no cycle", () => {
    expect(violations(imports, manifests)).toEqual([])
  })

  it("was read at all", () => {
    expect(new Set(imports.map((edge) => edge.from)).size).toBeGreaterThan(20)
    expect(imports.filter((edge) => edge.target !== undefined).length).toBeGreaterThan(40)
  })
})

describe("the rule", () => {
  const all = {
    dependencies: {
      "@transferkit/domain": "",
      "@transferkit/http-api": "",
      "@transferkit/http-client": "",
      "@transferkit/in-memory": "",
      "@transferkit/cli": "",
      effect: "",
      "@effect/platform-node": "",
    },
  }
  const verdict = (file: string, source: string): ReadonlyArray<string> =>
    violations(ImportGraph.importsOf(file, source), { [file.split("/").slice(0, 2).join("/")]: all })

  it.each([
    ["packages/domain/src/A.ts", `import "node:fs"`, "the domain does not depend on Node"],
    ["packages/domain/src/A.ts", `import type { X } from "@transferkit/http-api/X"`, "may not depend on"],
    ["packages/http-client/src/A.ts", `export * from "@transferkit/http-client2/X"`, "is not declared"],
    ["packages/http-api/src/A.ts", `const x = import("@transferkit/http-client/X")`, "may not depend on"],
    ["packages/http-api/src/A.ts", `import * as X from "zod"`, "zod is not declared"],
    ["packages/http-api/src/A.ts", `import { Effect } from "effect"`, "import its modules by subpath"],
    ["apps/cli/src/a.ts", `import x from "../../fake-server/src/x.ts"`, "must stay in its package"],
    ["apps/cli/src/a.ts", `import x from "../../../scripts/x.ts"`, "must stay in its package"],
    ["apps/cli/test/a.test.ts", `import x from "../../fake-server/src/x.ts"`, "must stay in its package"],
    ["apps/cli/src/a.ts", `import x from "@transferkit/domain/internal/x"`, "internal modules"],
    ["apps/fake-server/src/a.ts", `import x from "@transferkit/cli/Main"`, "an app imports no other app"],
    ["packages/conformance/src/A.ts", `import "@transferkit/in-memory/X"`, "may not depend on packages/in-memory"],
    ["packages/report/src/A.ts", `import "@transferkit/http-client/X"`, "may not depend on packages/http-client"],
    ["packages/in-memory/src/A.ts", `import "@transferkit/cli/X"`, "may not depend on apps/cli"],
    ["apps/cli/src/a.ts", `import x from "./a.ts"`, "import cycle: apps/cli/src/a.ts → apps/cli/src/a.ts"],
    ["packages/domain/src/A.ts", `import type { A } from "./A.ts"`, "import cycle"],
    ["packages/domain/src/A.ts", `export type * from "./A.ts"`, "import cycle"],
  ])("rejects, in %s, %s", (file, source, reason) => {
    expect(verdict(file, source)).toEqual([expect.stringContaining(reason)])
  })

  it("rejects rooms that import each other, though no two files do", () => {
    const files = {
      "packages/domain/src/internal/state/A.ts": `import "../http/B.ts"`,
      "packages/domain/src/internal/http/C.ts": `import "../../Options.ts"`,
      "packages/domain/src/Options.ts": `import "./internal/state/D.ts"`,
    }
    const found = violations(
      Object.entries(files).flatMap(([file, text]) => ImportGraph.importsOf(file, text)),
      { "packages/domain": {} },
    )
    const room = "packages/domain/src/internal"
    expect(found).toEqual([
      `rooms that import each other: ${room}/state → ${room}/http → packages/domain/src/Options.ts → ${room}/state`,
    ])
  })

  it("accepts a dev dependency in the source of an app, which is bundled, and rejects it in a library", () => {
    const verdictOf = (folder: string) =>
      violations(ImportGraph.importsOf(`${folder}/src/A.ts`, `import "zod"`), {
        [folder]: { devDependencies: { zod: "" } },
      })
    expect(verdictOf("apps/cli")).toEqual([])
    expect(verdictOf("packages/domain")).toEqual([expect.stringContaining("zod is not declared")])
  })

  it.each([
    ["apps/cli/src/a.ts", `import x from "@transferkit/http-client/X"; import "node:fs"; import y from "./b.ts"`],
    ["packages/http-client/src/A.ts", `import * as Effect from "effect/Effect"; import "@transferkit/domain/X"`],
    [
      "packages/domain/test/A.test.ts",
      `import "node:fs"; import { Effect } from "effect"; import x from "../src/A.ts"`,
    ],
    ["packages/fake/src/A.ts", `import "@transferkit/in-memory/X"`],
  ])("accepts, in %s, %s", (file, source) => {
    expect(verdict(file, source)).toEqual([])
  })
})
