import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TaskRoot from "../local/TaskRoot.ts"
import { type Bundle, bundle, zip } from "../scripts/bundle.ts"

const settings = { TRANSFERS_BASE_URL: "https://api.example", TRANSFERS_PARTNER_ID: "p", TRANSFERS_SECRET_KEY: "k" }

let built: Bundle
let taskRoot: TaskRoot.TaskRoot
beforeAll(async () => {
  built = await bundle()
  taskRoot = await TaskRoot.unpack()
})
afterAll(() => taskRoot[Symbol.asyncDispose]())

/** The names of the files that are loaded at the start: the entry, and what it imports statically. */
const startFiles = (name = "lambda.mjs", found = new Set<string>()): ReadonlySet<string> => {
  found.add(name)
  for (const { path, kind } of built.outputs[name]?.imports ?? []) {
    const file = path.split("/").at(-1) ?? ""
    if (kind === "import-statement" && file in built.files && !found.has(file)) startFiles(file, found)
  }
  return found
}

/** The names of the files that an entry may ever load. */
const filesOf = (name: string, found = new Set<string>()): ReadonlySet<string> => {
  found.add(name)
  for (const { path, external } of built.outputs[name]?.imports ?? []) {
    const file = path.split("/").at(-1) ?? ""
    if (external !== true && !found.has(file)) filesOf(file, found)
  }
  return found
}

const inputsOf = (files: Iterable<string>): ReadonlyArray<string> =>
  [...files].flatMap((file) => Object.keys(built.outputs[file]?.inputs ?? {}))

describe("the bundle", () => {
  it("is a zip of at most 280 kB, the same bytes each time", async () => {
    const archive = zip(built.files)
    expect(archive.length).toBeLessThanOrEqual(280_000)
    expect(Buffer.compare(archive, zip((await bundle()).files))).toBe(0)
  })

  it("takes at most 129 kB of it without what reads mirrors", () => {
    const names = filesOf("lambda.mjs")
    const files = Object.fromEntries(Object.entries(built.files).filter(([name]) => names.has(name)))
    expect(zip(files).length).toBeLessThanOrEqual(129_000)
  })

  it("contains ESM files and the licence of each bundled package", () => {
    const { "THIRD-PARTY-NOTICES": notices, ...code } = built.files
    expect(Object.keys(code).filter((name) => !name.endsWith(".mjs"))).toEqual([])
    expect(new TextDecoder().decode(notices).match(/^\S+ \d\S* \(.+\)$/gm)).toEqual([
      expect.stringMatching(/^@effect\/sql-pg .* \(MIT\)$/),
      expect.stringMatching(/^aws4 .* \(MIT\)$/),
      expect.stringMatching(/^csv-parse .* \(MIT\)$/),
      expect.stringMatching(/^decimal\.js .* \(MIT\)$/),
      expect.stringMatching(/^effect .* \(MIT\)$/),
      expect.stringMatching(/^leven .* \(MIT\)$/),
    ])
  })

  it("contains nothing that a function has no use for", () => {
    const inputs = inputsOf(filesOf("lambda.mjs"))
    expect(inputs.some((path) => path.includes("packages/domain/src/Validation.ts"))).toBe(true)
    expect(inputsOf(filesOf("MirrorReader.mjs")).some((path) => path.includes("packages/mirror/"))).toBe(true)
    const foreign = [
      /apps\/(cli|fake-server)\//,
      /packages\/(conformance|fake|files|in-memory)\/|packages\/mirror\/src\/(?!MirrorError)|TransfersApi/,
      /FetchTransport|\/promise\.ts|TransferGenerator|Reconciliation|Summary/,
      /platform-node|effect\/dist\/(http|http-api|cli|cluster|Config|FileSystem|Schema|Terminal)\b/,
      /@aws-sdk|@smithy/,
    ]
    for (const pattern of foreign) expect(inputs.filter((path) => pattern.test(path))).toEqual([])
  })

  it("loads at the start only what every invocation needs: no decimals, streams or searches", () => {
    const start = inputsOf(startFiles())
    expect(start.length).toBeGreaterThan(60)
    const seldom = [
      /effect\/dist\/(Stream|Channel|Queue|Schedule|Config)\.js/,
      /decimal\.js|aws4|csv-parse/,
      /domain\/src\/(Audit|CreatedAt|Money|Timestamp|Transfer|TransferPage|TransferPager)\.ts/,
      /(AuditWindow|ScheduledAudit|FileValidation)\.ts/,
    ]
    for (const pattern of seldom) expect(start.filter((path) => pattern.test(path))).toEqual([])
    const all = inputsOf(Object.keys(built.outputs))
    for (const name of ["decimal.mjs", "CreatedAt.ts", "ScheduledAudit.ts", "aws4.js"]) {
      expect(all.some((path) => path.endsWith(`/${name}`))).toBe(true)
    }
  })

  it("imports no module of Node's that loads fetch, and contains none of fetch's classes", () => {
    const importedBy = (entry: string) =>
      new Set(
        [...filesOf(entry)]
          .flatMap((file) => built.outputs[file]?.imports ?? [])
          .flatMap(({ path, kind, external }) => (external && kind === "import-statement" ? [path] : [])),
      )
    expect([...importedBy("lambda.mjs")].toSorted()).toEqual(["node:crypto", "node:dgram", "node:stream"])
    expect([...importedBy("MirrorReader.mjs")].toSorted()).toEqual([
      "node:buffer",
      "node:crypto",
      "node:fs",
      "node:net",
      "node:os",
      "node:path",
      "node:sqlite",
      "node:tls",
      "node:url",
    ])
    const code = Object.values(built.files).map((file) => new TextDecoder().decode(file))
    expect(code.join("\n")).not.toMatch(/\bnew (Request|Response|Headers)\b|\bfetch\(/)
  })

  it("exports a handler, and fails to start without its settings", () => {
    const code = `import(${JSON.stringify(join(taskRoot.folder, "lambda.mjs"))}).then((it) => console.log(typeof it.handler))`
    const load = (env: NodeJS.ProcessEnv) => spawnSync(process.execPath, ["-e", code], { env, encoding: "utf8" })
    expect(load({}).stderr).toContain("TRANSFERS_BASE_URL is not set; TRANSFERS_PARTNER_ID is not set; set exactly one")
    expect(load({ ...settings, TRANSFERS_BASE_URL: "http://api.example" }).stderr).toContain("Use https:")
    expect(load(settings)).toMatchObject({ status: 0, stdout: "function\n" })
  })
})
