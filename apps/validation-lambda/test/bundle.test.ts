import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bundle, zip } from "../scripts/bundle.ts"

const settings = { TRANSFERS_BASE_URL: "https://api.example", TRANSFERS_PARTNER_ID: "p", TRANSFERS_SECRET_KEY: "k" }

describe("the bundle", { timeout: 30_000 }, () => {
  it("is one file of at most 120 kB zipped, the same bytes each time", async () => {
    const first = await bundle("src/lambda.ts")
    const second = await bundle("src/lambda.ts")
    const archive = zip("lambda.mjs", first.code)
    expect(archive.length).toBeLessThanOrEqual(120_000)
    expect(Buffer.compare(archive, zip("lambda.mjs", second.code))).toBe(0)
    expect(new TextDecoder().decode(first.code)).not.toContain("sourceMappingURL")
  })

  it("holds nothing that a function has no use for", async () => {
    const inputs = [...(await bundle("src/lambda.ts")).inputs.keys()]
    expect(inputs.some((path) => path.includes("packages/domain/src/Validation.ts"))).toBe(true)
    const foreign = [
      /apps\/(cli|fake-server)\//,
      /packages\/(in-memory|conformance)\/|http-api\/src\/TransfersApi/,
      /FetchTransport|\/promise\.ts|TransferGenerator|Reconciliation|Summary/,
      /platform-node|effect\/dist\/(http|http-api|cli|cluster|Config|ConfigProvider|FileSystem|Terminal)\b/,
      /@aws-sdk|@smithy/,
    ]
    for (const pattern of foreign) expect(inputs.filter((path) => pattern.test(path))).toEqual([])
  })

  it("loads at the start only what every invocation needs: no schema, decimals, streams or searches", async () => {
    const { inputs, startBytes } = await bundle("src/lambda.ts")
    const start = [...inputs].flatMap(([path, when]) => (when === "start" ? [path] : []))
    expect(start.length).toBeGreaterThan(60)
    const seldom = [
      /effect\/dist\/(Schema|SchemaAST|Stream|Channel|Queue|ManagedRuntime|Schedule|Config)\.js/,
      /effect\/dist\/internal\/schema\//,
      /decimal\.js|aws4/,
      /domain\/src\/(Audit|CreatedAt|Money|Timestamp|Transfer|TransferPage|TransferPager)\.ts/,
      /(AuditWindow|DuplicateCheck|ScheduledAudit)\.ts/,
    ]
    for (const pattern of seldom) {
      expect(start.filter((path) => pattern.test(path))).toEqual([])
    }
    for (const name of ["decimal.mjs", "Schema.js", "ScheduledAudit.ts", "aws4.js"]) {
      expect([...inputs.keys()].some((path) => path.endsWith(`/${name}`))).toBe(true)
    }
    expect(startBytes).toBeLessThan(126_000)
  })

  it("never imports a module of Node's, and holds none of fetch's classes", async () => {
    const { code, parts, imports } = await bundle("src/lambda.ts")
    expect(imports).toEqual([])
    expect([new TextDecoder().decode(code), ...Object.values(parts)].join("\n")).not.toMatch(
      /\bnew (Request|Response|Headers)\b|\bfetch\(/,
    )
  })

  it("exports a handler, and refuses to start without its settings", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lambda-"))
    const file = join(folder, "lambda.mjs")
    await writeFile(file, (await bundle("src/lambda.ts")).code)
    const load = (env: NodeJS.ProcessEnv) =>
      spawnSync(
        process.execPath,
        ["-e", `import(${JSON.stringify(file)}).then((it) => console.log(typeof it.handler))`],
        {
          env,
          encoding: "utf8",
        },
      )
    expect(load({}).stderr).toContain("TRANSFERS_BASE_URL is not set; TRANSFERS_PARTNER_ID is not set; set exactly one")
    expect(load({ ...settings, TRANSFERS_BASE_URL: "http://api.example" }).stderr).toContain("Use https:")
    expect(load(settings)).toMatchObject({ status: 0, stdout: "function\n" })
    await rm(folder, { recursive: true })
  })
})
