/**
 * What each command answers of each source to each kind of question: an answer, an answer with a note, or exit code 2 with
 * what is missing. JSON documents say of what source they are, by their JSON Schema.
 */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { Ajv2020 } from "ajv/dist/2020.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"
import { call, converse } from "./Mcp.ts"
import * as Fixture from "./SourceFixture.ts"

const { september, october, march, yesterday, running } = Fixture

type Source = keyof Fixture.Sources
type Words = ReadonlyArray<string>

/** A question, and how a source answers it: wholly, with a note, or not. Without a question, for all that it has. */
interface Case {
  readonly source: Source | "service"
  readonly asks: Words
  readonly note?: RegExp
  readonly lacks?: RegExp
}

const lacksMarch = /mirror \S+ lacks what was created March 2024\. Run transfers sync/

const cases: ReadonlyArray<Case> = [
  { source: "service", asks: [] },
  { source: "service", asks: september },
  { source: "service", asks: running },
  { source: "september", asks: [] },
  { source: "september", asks: september },
  { source: "september", asks: october, lacks: /september\.csv lacks what was created October 2024\. Export it again/ },
  { source: "september", asks: running, lacks: /september\.csv lacks what was created 2024-10-01 00:00:00 UTC to / },
  { source: "complete", asks: september, note: /complete\.ndjson holds only status complete/ },
  { source: "unknown", asks: [] },
  { source: "unknown", asks: october, note: /unknown\.csv does not say what it holds: it has no manifest/ },
  { source: "mirror", asks: [] },
  { source: "mirror", asks: september },
  { source: "stale", asks: running, note: /the mirror \S+ is complete up to \d{4}-\d\d-\d\d / },
  { source: "stale", asks: yesterday, lacks: /lacks what was created .*\. Run transfers sync/ },
  { source: "loading", asks: september },
  { source: "loading", asks: march, lacks: lacksMarch },
  { source: "loading", asks: [], lacks: lacksMarch },
]

/** Others have nothing to do with the database: they are asked with one of them. */
const isMirrored = (source: Case["source"]): boolean => ["mirror", "stale", "loading"].includes(source)

/** A command whose answer is derived from transfers, and the JSON Schema of its document. */
interface Command {
  readonly name: string
  readonly words: (fixture: Fixture.Fixture) => Words
  readonly schema?: string
  readonly needsPeriod?: true
}

let outputs = 0

const proposal = {
  country_code: "US",
  payment_method: "ach",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

const commands: ReadonlyArray<Command> = [
  { name: "summary", words: () => ["summary"], schema: "domain/schemas/summary-report.json" },
  {
    name: "audit",
    words: ({ capabilities }) => ["audit", "--capabilities", capabilities],
    schema: "domain/schemas/audit-report.json",
  },
  {
    name: "reconcile",
    words: ({ ledger }) => ["reconcile", ledger, ...ledgerWords],
    schema: "files/schemas/reconciliation-report.json",
  },
  {
    name: "report",
    words: ({ folder }) => ["report", "--html", join(folder, `page-${++outputs}.html`)],
    schema: "report/schemas/month-report.json",
    needsPeriod: true,
  },
  { name: "search", words: () => ["search", "--all"] },
  { name: "export", words: ({ folder }) => ["export", "--out", join(folder, `out-${++outputs}.csv`)] },
]

const ledgerWords = ["--ledger-currency", "fiat/USD", "--key", "external_id", "--amount", "source_total"]

const validators = new Map<string, ReturnType<Ajv2020["compile"]>>()
const expectValid = (schema: string, document: unknown) => {
  const file = join(import.meta.dirname, "../../../packages", schema)
  const isValid =
    validators.get(schema) ??
    new Ajv2020({ strict: false, allErrors: true }).compile(JSON.parse(readFileSync(file, "utf8")))
  validators.set(schema, isValid)
  expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true)
}

export const sourceTableSuite = (database: Fixture.Database): void => {
  let fixture: Fixture.Fixture
  beforeAll(async () => {
    fixture = await Fixture.make(database)
  }, 120_000)
  afterAll(() => fixture.close())

  const transfers = (...args: Words) => fixture.transfers(...args)
  const from = (source: Case["source"]): Words => (source === "service" ? [] : ["--from", fixture.sources[source]])
  const origin = () => ({ base_url: fixture.fake.url, partner_id: "demo" })

  describe(`sources, with mirrors in ${database.name}`, () => {
    for (const { name, words, schema, needsPeriod } of commands) {
      const own = cases.filter(
        ({ source, asks }) =>
          (needsPeriod === undefined || asks.length > 0) && (database.name === "SQLite" || isMirrored(source)),
      )
      test.each(own)(`${name} of $source, asked $asks`, async ({ source, asks, note, lacks }) => {
        const args = () => [...words(fixture), ...asks, ...from(source)]
        const scripted = await transfers(...args(), "--output", "json")
        if (lacks !== undefined) {
          expect(scripted).toMatchObject({ code: 2, stdout: "" })
          const { error } = JSON.parse(scripted.stderr)
          expect(error).toMatchObject({ code: "NotCovered", message: expect.stringMatching(lacks), exit_code: 2 })
          const given = await transfers(...args(), "--output", "json", "--allow-incomplete")
          expect(JSON.parse(given.stderr.split("\n")[0] ?? "").warning).toMatchObject({
            code: "NotCovered",
            message: expect.stringMatching(lacks),
          })
          if (schema === undefined) return
          const document = JSON.parse(given.stdout)
          expectValid(schema, document)
          expect(document.source.missing).not.toEqual([])
          return
        }
        expect(scripted.code, scripted.stderr).toBeOneOf([0, 1])
        if (schema !== undefined) {
          const document = JSON.parse(scripted.stdout)
          expectValid(schema, document)
          const isUnknown = source === "unknown"
          expect(document.source).toMatchObject({
            origin: isUnknown ? null : origin(),
            as_of: isUnknown ? null : expect.any(String),
            missing: [],
            narrowed: source === "complete" ? { status: ["complete"] } : {},
          })
        }
        const warned = scripted.stderr.split("\n").filter((line) => line.startsWith('{"warning"'))
        // A document states in its source, or as a manifest, as of when it is; transfers have no place for it.
        const code = source === "complete" ? "Narrowed" : source === "stale" && name === "search" ? "ToDate" : undefined
        expect(warned.map((line) => JSON.parse(line).warning)).toEqual(
          code === undefined ? [] : [{ code, message: expect.stringMatching(note ?? /^$/) }],
        )
        if (note === undefined) return
        const shown = await transfers(...args(), ...(name === "export" ? [] : ["--output", "table"]))
        expect(shown.code, shown.stderr).toBeOneOf([0, 1])
        expect(shown.stderr).toMatch(note)
      })
    }

    test.each(["summary", "search", "export"])("%s of another status than a file has", async (name) => {
      const { words } = commands.find((one) => one.name === name) ?? commands[0] ?? { words: () => [] }
      expect(await transfers(...words(fixture), "--status", "declined", ...from("complete"))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("lacks any status but complete. Export it again"),
      })
    })

    test("of one status says so to scripts, unless it was asked for by name or --quiet was given", async () => {
      const search = ["search", "--all", ...from("complete"), "--output", "ndjson"]
      const { code, stderr } = await transfers(...search, "--kind", "cash_in")
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `{"warning":{"code":"Narrowed","message":"the file ${fixture.sources.complete} holds only status complete."}}\n`,
      })
      for (const flags of [["--status", "complete"], ["--quiet"]]) {
        expect(await transfers(...search, ...flags)).toMatchObject({ code: 0, stderr: "" })
      }
    })

    test("that ends before a running period says so to scripts whose lines do not, unless --quiet was given", async () => {
      const [stale, complete] = [from("stale"), from("complete")]
      const codesOf = async (...args: Words) => {
        const { stderr } = await transfers(...args)
        return Array.from(stderr.matchAll(/"warning":{"code":"(\w+)"/g), ([, code]) => code)
      }
      const audit = ["audit", "--capabilities", fixture.capabilities]
      const out = join(fixture.folder, `out-${++outputs}.csv`)
      for (const [args, codes] of [
        [["search", ...running, ...stale, "--output", "json"], ["ToDate"]],
        [["search", ...running, ...stale, "--output", "ndjson"], ["ToDate"]],
        [["search", ...running, ...stale, "--output", "ndjson", "--quiet"], []],
        [["search", ...september, ...stale, "--output", "ndjson"], []],
        [["search", ...running, "--output", "ndjson"], []],
        [
          ["search", ...running, ...complete, "--output", "ndjson"],
          ["Narrowed", "ToDate"],
        ],
        [["summary", ...running, ...stale, "--output", "json"], []],
        [["summary", ...running, ...stale, "--output", "ndjson"], ["ToDate"]],
        [[...audit, ...running, ...stale, "--output", "ndjson"], ["ToDate"]],
        [["export", ...running, ...stale, "--out", out, "--output", "ndjson"], []],
        [["show", "no-such-order", ...stale, "--output", "json"], ["ToDate"]],
        [["show", "no-such-order", ...stale, "--output", "json", "--quiet"], []],
      ] as const) {
        expect(await codesOf(...args), args.join(" ")).toEqual(codes)
      }
      const shown = await transfers("search", ...running, ...complete, "--output", "table")
      expect(shown.stderr).toMatch(/holds only status complete\n.*is complete up to /)
    })

    test("a page says whose transfers it shows, as of when, and what they lack", async () => {
      const pageOf = async (flag: string, args: Words) => {
        const page = join(fixture.folder, `page-${++outputs}.html`)
        const { code, stderr } = await transfers(...args, flag, page)
        expect(code, stderr).toBeOneOf([0, 1])
        return readFile(page, "utf8")
      }
      const reconcile = ["reconcile", fixture.ledger, ...ledgerWords]
      for (const [flag, args] of [
        ["--html", ["report"]],
        ["--html", reconcile],
      ] as const) {
        const whole = await pageOf(flag, [...args, ...september, ...from("complete")])
        expect(whole).toContain(`of demo at ${fixture.fake.url}, as of `)
        expect(whole).toContain("only status complete")
        expect(whole).not.toContain("without what was created")
        const lacking = await pageOf(flag, [...args, ...march, ...from("loading"), "--allow-incomplete"])
        expect(lacking).toContain("without what was created March 2024")
        expect(await pageOf(flag, [...args, ...september, ...from("unknown")])).toContain(
          "of an unknown origin, which does not say what it holds",
        )
      }
    })

    test("an export inherits what its source claims, and no more", async () => {
      const manifestOf = async (...args: Words) => {
        const out = join(fixture.folder, `derived-${++outputs}.csv`)
        const { code, stderr } = await transfers("export", "--out", out, ...args)
        expect(code, stderr).toBe(0)
        return JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
      }
      const ofSource = async (...args: Words) =>
        JSON.parse((await transfers("summary", ...args, "--output", "json")).stdout).source
      for (const source of ["september", "complete", "mirror", "stale"] as const) {
        const { as_of } = await ofSource(...from(source))
        const manifest = await manifestOf(...from(source))
        expect(manifest).toMatchObject({ origin: origin(), as_of })
        expect(manifest.only).toEqual(source === "complete" ? { status: ["complete"] } : undefined)
      }
      const part = await manifestOf(...from("loading"), "--allow-incomplete")
      expect(part.unread).toEqual([["gte:2024-03-01T00:00:00Z", "lt:2024-04-01T00:00:00Z"]])
      const unknown = await manifestOf(...from("unknown"))
      for (const claim of ["origin", "as_of", "created_at", "only", "unread"]) expect(unknown).not.toHaveProperty(claim)
    })

    test.each(["service", "september", "unknown", "mirror"] as const)(
      "export --resume of %s goes on with the same export only",
      async (source) => {
        const out = join(fixture.folder, `resumed-${source}.ndjson`)
        const args = ["export", ...september, ...from(source), "--out", out]
        expect(await transfers(...args)).toMatchObject({ code: 0 })
        expect(await transfers(...args, "--resume")).toMatchObject({
          code: 0,
          stderr: expect.stringContaining("nothing to resume: it is complete"),
        })
        const other = ["export", "--status", "declined", ...september, ...from(source), "--out", out, "--resume"]
        for (const another of [other, [...args, "--resume", "--format", "csv"]]) {
          expect(await transfers(...another)).toMatchObject({
            code: 2,
            stderr: expect.stringContaining("it is complete, and another export"),
          })
        }
      },
    )

    test("export --resume goes on with a source that has all of what it began with", async () => {
      const out = join(fixture.folder, "interrupted.ndjson")
      const args = ["export", "--out", out]
      // Of how many requests something is complete depends on their order.
      let spooled = ""
      for (let request = 24; !spooled.includes("--resume") && request < 29; request++) {
        await Fake.addRule(fixture.fake.url, {
          when: { path: "/v1/transfers/search", request: { from: request } },
          faults: [{ fault: "status", status: 401 }],
        })
        spooled = (await transfers(...args)).stderr
        await Fake.clearFaults(fixture.fake.url)
      }
      expect(spooled).toContain("not complete; run the same command with --resume")
      // The mirrors were synced before.
      for (const source of ["september", "complete", "unknown", "mirror", "stale", "loading"] as const) {
        const refused = await transfers(...args, "--resume", "--allow-incomplete", ...from(source))
        expect(refused, source).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("of which this source lacks some"),
        })
      }
      expect(await transfers(...args, "--resume")).toMatchObject({ code: 0 })
      expect((await readFile(out, "utf8")).trimEnd().split("\n")).toHaveLength(300)
    })

    test("a finished export without some is another one than that of the whole source", async () => {
      const out = join(fixture.folder, "part.ndjson")
      const args = ["export", "--out", out, "--allow-incomplete"]
      expect(await transfers(...args, ...from("loading"))).toMatchObject({ code: 0 })
      expect(await transfers(...args, ...from("loading"), "--resume")).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("nothing to resume"),
      })
      expect(await transfers(...args, "--resume")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("another export: it is one without what was created March 2024"),
      })
    })

    test("show finds what is there, and says that nothing is there only of a source that has everything", async () => {
      const { stdout } = await transfers("search", "--limit", "1", ...september, "--output", "ndjson")
      const { id, external_id } = JSON.parse(stdout.split("\n")[0] ?? "")
      for (const source of ["service", "september", "unknown", "mirror", "loading"] as const) {
        expect(await transfers("show", external_id, ...from(source))).toMatchObject({ code: 0 })
        if (source !== "service") expect(await transfers("show", id, ...from(source))).toMatchObject({ code: 0 })
      }
      for (const source of ["service", "mirror", "unknown"] as const) {
        expect(await transfers("show", "no-such-order", ...from(source))).toMatchObject({ code: 1, stdout: "" })
      }
      for (const [source, lacks] of [
        ["loading", lacksMarch],
        ["september", /lacks what was created up to 2024-09-01/],
      ] as const) {
        expect(await transfers("show", "no-such-order", ...from(source))).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(lacks),
        })
      }
    })

    test("each tool for models answers of what was read, and refuses or marks the rest", async () => {
      const { stdout } = await transfers("search", "--limit", "1", ...september, "--output", "ndjson")
      const { external_id } = JSON.parse(stdout.split("\n")[0] ?? "")
      const env = demo(fixture.fake.url)
      const [since, until] = ["2024-03", "2024-03"]
      const missing = [["gte:2024-03-01T00:00:00Z", "lt:2024-04-01T00:00:00Z"]]
      const inSeptember = { since: "2024-09", until: "2024-09" }
      const loading = await converse(from("loading"), { env })
      const answered: ReadonlyArray<readonly [string, object]> = [
        ["lookup_transfer", { id: external_id }],
        ["search_transfers", inSeptember],
        ["summarise", inSeptember],
        ["stuck_transfers", { since: "2024-09-01" }],
        ["explain_finding", { code: "below_minimum" }],
        ["capabilities", {}],
        ["validate_proposal", { proposal }],
      ]
      for (const [name, args] of answered) {
        const { isError, answer, text } = await call(loading.client, name, { ...args })
        expect([isError, answer.as_of], `${name}: ${text}`).toEqual([false, expect.any(String)])
      }
      const lacking: ReadonlyArray<readonly [string, object]> = [
        ["lookup_transfer", { id: "no-such-order" }],
        ["search_transfers", { since, until }],
        ["search_transfers", {}],
        ["summarise", { since, until }],
        ["summarise", {}],
        ["stuck_transfers", {}],
        ["stuck_transfers", { since: "2024-02-01" }],
      ]
      for (const [name, args] of lacking) {
        const { isError, text } = await call(loading.client, name, { ...args })
        expect(isError, name).toBe(true)
        expect(JSON.parse(text)).toMatchObject({ code: "NotCovered", missing })
      }
      await loading.client.close()
      const allowed = await converse([...from("loading"), "--allow-incomplete"], { env })
      for (const [name, args] of lacking) {
        expect((await call(allowed.client, name, { ...args })).answer, name).toMatchObject({ missing })
      }
      await allowed.client.close()
      const unknown = await converse(from("unknown"), { env })
      expect((await call(unknown.client, "summarise", {})).answer.as_of).toBeNull()
      await unknown.client.close()
    })

    test("query answers of a mirror that is whole, and says as of when it holds", async () => {
      const sql = ["SELECT COUNT(*) AS n FROM transfers", "--allow-superuser"]
      expect(await transfers("query", ...sql, ...from("mirror"), "--output", "csv")).toMatchObject({ code: 0 })
      expect(await transfers("query", ...sql, ...from("stale"), "--output", "table")).toMatchObject({ code: 0 })
      const refused = { code: 2, stdout: "", stderr: expect.stringMatching(lacksMarch) }
      expect(await transfers("query", ...sql, ...from("loading"))).toMatchObject(refused)
      const given = await transfers("query", ...sql, ...from("loading"), "--allow-incomplete")
      expect(given).toMatchObject({ code: 0, stderr: expect.stringMatching(lacksMarch) })
      expect(await transfers("query", ...sql, ...from("mirror"), "--as-of", "2024-06-01")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("lacks what was created up to 2024-06-01"),
      })
    })

    test("--as-of answers of a pass that had ended, and of nothing before or later", async () => {
      const summary = ["summary", "--output", "json", "--as-of"]
      expect(await transfers(...summary, "2024-06-01", ...from("mirror"))).toMatchObject({ code: 2 })
      expect(await transfers(...summary, "2999-01-01", ...from("mirror"))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--as-of 2999-01-01 is in the future."),
      })
      expect(await transfers(...summary, "today", ...from("loading"))).toMatchObject({ code: 2 })
      const { code, stdout } = await transfers(...summary, "yesterday", ...from("stale"))
      expect(code).toBe(0)
      expect(Date.parse(JSON.parse(stdout).source.as_of)).toBeLessThan(Date.now() - 2 * 86_400_000)
    })

    test("diff compares what both sides have, refuses one that lacks what is asked, and says of which it is", async () => {
      const { september: file, mirror, loading } = fixture.sources
      const { code, stdout } = await transfers("diff", file, mirror, "--output", "json")
      expect(code).toBe(0)
      const document = JSON.parse(stdout)
      expectValid("files/schemas/comparison-report.json", document)
      expect(document).toMatchObject({ source: { older: { origin: origin() }, newer: { origin: origin() } } })
      expect(document.not_compared).toBeGreaterThan(0)
      for (const sides of [
        [loading, mirror],
        [mirror, loading],
      ]) {
        expect(await transfers("diff", ...sides)).toMatchObject({ code: 2, stderr: expect.stringMatching(lacksMarch) })
        const given = await transfers("diff", ...sides, "--allow-incomplete", "--output", "json")
        expect(given.code).toBe(0)
        expectValid("files/schemas/comparison-report.json", JSON.parse(given.stdout))
        expect(JSON.parse(given.stdout)).toMatchObject({ differences: [], not_compared: expect.any(Number) })
      }
      expect(await transfers("diff", file, mirror, ...october)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("lacks what was created October 2024"),
      })
    })

    test("sync, a worker and a watch keep another service with the same partner out of a mirror", async () => {
      await using other = await startFakeServer({ transfers: 5, seed: 4 })
      const elsewhere = (...args: Words) => run(args, { env: demo(other.url) })
      const reason = `it has the transfers of demo at ${fixture.fake.url}, not at ${other.url}`
      const { mirror } = fixture.sources
      for (const args of [
        ["sync", "--to", mirror],
        ["worker", "--to", mirror],
      ]) {
        expect(await elsewhere(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) })
      }
      const state = join(fixture.folder, `watched-${database.name}`)
      expect(await transfers("watch", "--state", state, "--once")).toMatchObject({ code: 0 })
      expect(await elsewhere("watch", "--state", state, "--once")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("it has the transfers of demo at"),
      })
    })
  })
}
