/** Forms of output that scripts choose: fields as JSON, jq expressions and templates. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

const amount = "9007199254740993.10"
const first = {
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
  source_total: { amount, currency_code: "fiat/USD" },
}

let fake: RunningFakeServer
beforeAll(async () => {
  fake = await startFakeServer({
    data: ["complete", "declined", "complete"].map((status, index) => ({
      id: `tr_${index}`,
      external_id: index === 0 ? "order-<0>" : "order-1",
      ...first,
      status,
      created_at: `2024-09-0${3 - index}T00:00:00Z`,
    })),
  })
})
afterAll(() => fake.close())

const seen = (...args: ReadonlyArray<string>) => see(args, { columns: 200, env: demo(fake.url) })
const textOf = async (...args: ReadonlyArray<string>) => (await seen(...args)).text

describe("--json", () => {
  test("prints an array of the fields of each transfer, page or all", async () => {
    const ids = [{ id: "tr_0" }, { id: "tr_1" }, { id: "tr_2" }]
    expect(JSON.parse(await textOf("search", "--json", "id"))).toEqual(ids)
    expect(JSON.parse(await textOf("search", "--all", "--sort", "id", "--json", "id, updated_at"))).toEqual(ids)
  })

  test("prints an object for each transfer that show finds", async () => {
    expect(JSON.parse(await textOf("show", "order-<0>", "--json", "source_total"))).toEqual({
      source_total: { amount, currency_code: "fiat/USD" },
    })
  })
})

describe("--jq", () => {
  test.each([
    [".[].source_total.amount", `${amount}\n`.repeat(3)],
    ['map(select(.status == "complete")) | length', "2\n"],
    [".[0] | {id, status}", '{"id":"tr_0","status":"complete"}\n'],
    [".[] | select(false)", ""],
    [String.raw`"", "a\"b\"\n\"c", ["d"]`, '\na"b"\n"c\n["d"]\n'],
    ["9007199254740993", "9007199254740993\n"],
    ["-length", "-3\n"],
    ["-1", "-1\n"],
    ["--length", "3\n"],
    ['$ENV | has("TRANSFERS_SECRET_KEY")', "false\n"],
  ])("%s", async (expression, printed) => {
    expect(await seen("search", `--jq=${expression}`)).toEqual({ code: 0, text: printed })
  })

  test("filters only the fields of --json", async () => {
    expect(await textOf("search", "--json", "id", "--jq", ".[1]")).toBe('{"id":"tr_1"}\n')
  })

  test.each([
    ["--jq", ".[0].external_id"],
    ["--template", "{{{external_id}}}"],
  ])("%s prints a key that begins with U+FEFF as it is: without it, it is another key", async (flag, program) => {
    await using odd = await startFakeServer({ data: [{ ...first, id: "tr_0", external_id: '\ufefforder\u2028"1' }] })
    const search = await run(["search", flag, program], { env: demo(odd.url) })
    expect(search).toMatchObject({ code: 0, stdout: '\ufefforder\u2028"1\n' })
  })

  test("gets half a surrogate pair as a mirror holds it, and the other transfers", async () => {
    const texts = ["\ud800", "order-2", "\\ud800"]
    await using odd = await startFakeServer({
      data: texts.map((external_id, index) => ({ ...first, id: `tr_${index}`, external_id })),
    })
    const env = demo(odd.url)
    const held = "\\ud800\norder-2\n\\\\ud800\n"
    const search = await run(["search", "--all", "--sort", "id", "--jq", ".[].external_id"], { env })
    expect(search).toEqual({ code: 0, stdout: held, stderr: "" })
    const mirror = `${await mkdtemp(join(tmpdir(), "transfers-"))}/transfers.db`
    expect(await run(["sync", "--to", mirror], { env })).toMatchObject({ code: 0 })
    const sql = "SELECT external_id FROM transfers ORDER BY id"
    expect(await run(["query", "--from", mirror, sql, "--jq", ".[].external_id"])).toMatchObject({ stdout: held })
    await rm(dirname(mirror), { recursive: true })
  })

  test("filters each transfer that show finds by itself", async () => {
    expect(await textOf("show", "order-1", "--jq", ".status")).toBe("declined\ncomplete\n")
  })

  test.each([
    [".[] |", "error: --jq: syntax error, unexpected end of file at <top-level>, line 1:\n.[] |"],
    [".a", 'error: --jq: Cannot index array with string "a"\n'],
    ["--arg", "error: --jq: arg/0 is not defined at <top-level>, line 1:\n--arg"],
    ["-", "error: --jq: syntax error"],
    ["nothing", "error: --jq: nothing/0 is not defined at <top-level>, line 1:\nnothing"],
  ])("rejects %s with the reason", async (expression, reason) => {
    const { code, text } = await seen("search", `--jq=${expression}`)
    expect(code).toBe(2)
    expect(text).toContain(reason)
    expect(text).not.toContain("jq: error")
  })
})

const nested = (levels: number) => `${"{{#id}}".repeat(levels)}x${"{{/id}}".repeat(levels)}`

describe("--template", () => {
  test.each([
    ["{{id}}", "tr_0\ntr_1\ntr_2\n"],
    [nested(100), "x\n".repeat(3)],
    ["{{#id}}{{/id}}".repeat(200), "\n".repeat(3)],
    ["{{external_id}} {{source_total}}", `order-<0> ${amount} fiat/USD\n${`order-1 ${amount} fiat/USD\n`.repeat(2)}`],
    ["{{source_total.amount}}\\t{{updated_at}}|", `${amount}\t|\n`.repeat(3)],
    [
      "{{#source_total}}{{currency_code}}{{/source_total}}{{^updated_at}} never{{/updated_at}}",
      "fiat/USD never\n".repeat(3),
    ],
  ])("%.60s", async (template, printed) => {
    expect(await seen("search", "--template", template)).toEqual({ code: 0, text: printed })
  })

  test.each([
    ["{{statsu}}", '--template: no field "statsu". Did you mean status?'],
    ["{{> id2}}", '--template: no field "id2".'],
    ["{{#id}}", '--template: Unclosed section "id" at 7.'],
    [nested(101), "--template: its sections are nested more than 100 deep."],
    [nested(20_000), "--template: its sections are nested more than 100 deep."],
  ])("rejects %.60s with the reason", async (template, reason) => {
    const { code, text } = await seen("search", "--template", template)
    expect(code).toBe(2)
    expect(text).toContain(reason)
  })
})

describe("a text with line breaks and tabs", () => {
  const text = "order-1\t5.00 fiat/USD\r\ncomplete\v\f\u0085\u2028\u2029\u001b\\order-2"
  const escaped = String.raw`order-1\t5.00 fiat/USD\r\ncomplete\u000b\f\u0085\u2028\u2029\u001b\order-2`
  let odd: RunningFakeServer
  beforeAll(async () => {
    odd = await startFakeServer({ data: [{ ...first, id: "tr_0", external_id: text }] })
  })
  afterAll(() => odd.close())
  const search = (template: string) => run(["search", "--template", template], { env: demo(odd.url) })

  test.each([
    ["{{external_id}}", "is one line in two braces", escaped],
    ["{{#external_id}}{{.}}{{/external_id}}\\t|", "is one line in a section", `${escaped}\t|`],
    ["{{{external_id}}}", "is as it is in three braces", text],
    ["{{&external_id}}", "is as it is behind an ampersand", text],
  ])("%s: %s", async (template, _, printed) => {
    expect(await search(template)).toEqual({ code: 0, stdout: `${printed}\n`, stderr: "" })
  })

  test("is one line within JSON, which stays valid", async () => {
    const { stdout } = await search("{{.}}")
    expect(stdout.slice(0, -1)).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u)
    expect(JSON.parse(stdout)).toMatchObject({ external_id: text })
  })
})

describe("a number that the contract does not name", () => {
  const odd = '"n":9007199254740993,"rates":[1.10,{"r":1.0}],"far":1e400'
  const transfer = (id: string, more: string) => {
    const { source_total: _, ...rest } = first
    return `${JSON.stringify({ id, ...rest }).slice(0, -1)},${more}}\n`
  }
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "transfers-"))
    file = join(folder, "odd.ndjson")
    await writeFile(file, transfer("tr_9", odd))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    [["search", "--all", "--jq", ".[] | .n, .rates, .far"], '9007199254740993\n[1.10,{"r":1.0}]\n1E+400\n'],
    [["show", "tr_9", "--jq", ".n"], "9007199254740993\n"],
    [["search", "--all", "--template", "{{.}}\\n{{{.}}}"], transfer("tr_9", odd).repeat(2)],
  ])("keeps its digits in %j", async (args, printed) => {
    const from = ["--from", file, "--allow-incomplete", "--quiet"]
    expect(await run([...args, ...from])).toEqual({ code: 0, stdout: printed, stderr: "" })
    expect(await see([...args, ...from], { columns: 200 })).toEqual({ code: 0, text: printed })
  })

  test("keeps its digits where show prints all fields", async () => {
    const from = ["show", "tr_9", "--from", file, "--allow-incomplete"]
    const { text } = await see(from, { columns: 200 })
    expect(text).toMatch(/n +9007199254740993\n/)
    expect(text).toContain('[1.10,{"r":1.0}]')
  })

  test.each(["1e999999999999", "-2.5E-0100000000"])("is rejected by jq if it is %s", async (number) => {
    const far = join(folder, "far.ndjson")
    await writeFile(far, transfer("tr_9", `"note":"1e999999999998 \\"","far":[${number}]`))
    const from = ["search", "--all", "--from", far, "--allow-incomplete"]
    const { code, text } = await see([...from, "--jq", ".[].far"], { columns: 200 })
    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining(`--jq: jq cannot hold ${number}: leave`) })
    expect(await see([...from, "--quiet", "--json", "id", "--jq", ".[].id"], { columns: 200 })).toMatchObject({
      code: 0,
    })
  })
})

test.each([
  [["search", "--json", "id,amount"], '--json: no field "amount".\nThe fields are id, external_id, kind'],
  [["search", "--json", "id", "--output", "csv"], "--json cannot be combined with --output: remove one of them."],
  [["search", "--json", "id", "--columns", "id"], "--json cannot be combined with --columns: remove one of them."],
  [["show", "x", "--jq", ".", "--template", "x"], "--jq cannot be combined with --template: remove one of them."],
])("%j is rejected", async (args, message) => {
  const { code, text } = await seen(...args)
  expect(code).toBe(2)
  expect(text).toContain(message)
})

test.each([
  ["--jq", ".[0].id", "tr_0\n"],
  ["--template", "{{id}}", "tr_0\ntr_1\ntr_2\n"],
])("%s works in the bundle", async (flag, value, printed) => {
  const { code, stdout } = await run(["search", flag, value], { env: demo(fake.url) })
  expect({ code, stdout }).toEqual({ code: 0, stdout: printed })
})
