import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import * as ApiReport from "../ApiReport.ts"
import * as Repository from "../Repository.ts"

const folder = mkdtempSync(join(tmpdir(), "transferkit-api-"))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The report of a library with these declarations. */
const report = (name: string, files: Readonly<Record<string, string>>): string => {
  write(`${name}/package.json`, JSON.stringify({ name: `@transferkit/${name}` }))
  for (const [file, text] of Object.entries(files)) {
    write(`${name}/src/${file.replace(".d.ts", ".ts")}`, "")
    write(`${name}/dist/${file}`, text)
  }
  return ApiReport.make(join(folder, name))
}

describe("a report", () => {
  test("has the exports of each module by name, without comments", () => {
    const text = report("plain", {
      "Money.d.ts": `/** Money. */\nexport declare const b: number;\nexport interface A {\n    /** Text. */\n    readonly text: string;\n}\n`,
      "ledgers/Camt.d.ts": "export declare const read: () => void;\n",
      "internal/unused.d.ts": "export declare const hidden: 1;\n",
    })
    expect(text.slice(text.indexOf("##"))).toBe(
      "## Money\n\n```ts\nexport interface A {\n    readonly text: string;\n}\nexport declare const b: number;\n```\n\n" +
        "## ledgers/Camt\n\n```ts\nexport declare const read: () => void;\n```\n",
    )
  })

  test("follows exports to internal files, under the name that users see", () => {
    const text = report("exports", {
      "Money.d.ts": `export { add, subtract as minus } from "./internal/sums.ts";\nexport * from "./internal/more.ts";\n`,
      "internal/sums.d.ts":
        "export declare const add: 1;\nexport declare const subtract: 2;\nexport declare const hidden: 3;\n",
      "internal/more.d.ts":
        "export declare function f(a: string): void;\nexport declare function f(a: number): void;\n",
    })
    expect(text).toContain("export declare const add: 1;")
    expect(text).toContain("export declare const subtract: 2;\nexport { subtract as minus };")
    expect(text).toContain("export declare function f(a: string): void;\nexport declare function f(a: number): void;")
    expect(text).not.toContain("hidden")
  })

  test("shows what the types of exports are made of, wherever it is declared, and nothing else", () => {
    const text = report("reach", {
      "Filter.d.ts": `import type * as store from "./internal/store.ts";
import { Row } from "./internal/row.ts";
declare const Filter_base: new () => Row;
export declare class Filter extends Filter_base {
    table: store.Table;
    late: import("./internal/late.ts").Late;
}
`,
      "internal/store.d.ts":
        "export interface Table {\n    cell: Cell;\n}\ninterface Cell {\n}\ninterface Unused {\n}\nexport {};\n",
      "internal/row.d.ts": "export type Row = string;\n",
      "internal/late.d.ts": "export type Late = number;\n",
    })
    for (const part of ["Filter_base", "interface Table", "interface Cell", "type Row", "type Late"]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain("Unused")
  })

  test("leaves out what is left in dist of modules that are gone", () => {
    write("stale/dist/Gone.d.ts", "export declare const gone: 1;\n")
    expect(report("stale", { "Money.d.ts": "export declare const a: 1;\n" })).not.toContain("gone")
  })

  test("of a library that was not built is an error that says so", () => {
    write("bare/package.json", '{"name":"bare"}')
    write("bare/src/Money.ts", "")
    expect(() => ApiReport.make(join(folder, "bare"))).toThrow("bare has no dist/Money.d.ts: run pnpm build first")
  })
})

describe("declarations that users cannot resolve", () => {
  test.each([
    ["an import", `import type { Row } from "@transferkit/domain/internal/rows";\nexport type A = Row;\n`],
    ["an inferred type", `export declare const a: import("@transferkit/domain/internal/rows").Row;\n`],
    ["an export", `export * from "@transferkit/domain/internal/rows";\n`],
    ["a private module of a package without a scope", `export declare const a: import("effect/internal/core").A;\n`],
    ["a file that is not published", `export declare const a: import("../../domain/src/Rows.ts").Row;\n`],
  ])("are those with %s", (what, declarations) => {
    const name = `private-${what.replaceAll(" ", "-")}`
    write(`${name}/src/Money.ts`, "")
    write(`${name}/dist/Money.d.ts`, declarations)
    const [, specifier = ""] = /"(.*)"/.exec(declarations) ?? []
    const root = join(folder, name)
    expect(ApiReport.unresolvable(root)).toEqual([
      `${join(root, "dist/Money.d.ts")} imports ${specifier}, which its users cannot.`,
    ])
  })

  test("are not those of its own private modules, of public ones, in comments, or of modules that are gone", () => {
    const files = {
      "Money.d.ts": `/** See "@transferkit/domain/internal/rows": from "@transferkit/domain/internal/rows". */
import type { Row } from "@transferkit/domain/Rows";
export declare const a: import("./internal/sums.ts").Sum | Row | import("internal-slot").Slot;
`,
      "internal/sums.d.ts": 'export type Sum = import("../Money.ts").Row;\n',
    }
    for (const [file, text] of Object.entries(files)) {
      write(`public/src/${file.replace(".d.ts", ".ts")}`, "")
      write(`public/dist/${file}`, text)
    }
    write("public/dist/Gone.d.ts", 'export * from "@transferkit/domain/internal/rows";\n')
    expect(ApiReport.unresolvable(join(folder, "public"))).toEqual([])
  })
})

describe("pnpm changeset status", () => {
  const repository = join(folder, "repository")
  const run = (file: string, ...args: ReadonlyArray<string>) => {
    const identity = {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
    }
    return spawnSync(file, args, { cwd: repository, encoding: "utf8", env: { ...process.env, ...identity } })
  }
  const commit = (path: string, text: string): void => {
    write(`repository/${path}`, text)
    run("git", "add", ".")
    expect(run("git", "commit", "-qm", path).status).toBe(0)
  }
  const status = () => run(join(Repository.root, "node_modules/.bin/changeset"), "status", "--since=main")

  test("fails when an API report changes without a changeset, and only then", { timeout: 60_000 }, () => {
    mkdirSync(repository)
    run("git", "init", "-qb", "main")
    cpSync(join(Repository.root, ".changeset/config.json"), join(repository, ".changeset/config.json"))
    commit("pnpm-workspace.yaml", "packages: [packages/*]\n")
    commit("package.json", '{"private":true,"packageManager":"pnpm@12.21.0"}')
    commit("packages/a/package.json", '{"name":"@transferkit/a","version":"1.0.0"}')
    commit("packages/a/api.md", "one\n")
    run("git", "switch", "-qc", "change")
    commit("packages/a/README.md", "words\n")
    expect(status()).toMatchObject({ status: 0 })
    commit("packages/a/api.md", "two\n")
    const { status: code, stdout, stderr } = status()
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining("no changesets were found")])
    commit(".changeset/two.md", '---\n"@transferkit/a": minor\n---\n\nTwo.\n')
    expect(status()).toMatchObject({ status: 0 })
  })
})
