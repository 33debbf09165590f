/** A query that takes too long ends at once: by its limit, and by a signal. */
import { once } from "node:events"
import { copyFile, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo, run as runProcess, start } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { measured } from "./Measured.ts"
import { see } from "./Terminal.ts"

let folder: string
let mirror: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-query-"))
  mirror = join(folder, "transfers.db")
  await using fake = await startFakeServer({ transfers: 50 })
  expect(await run(["sync", "--to", mirror], { env: demo(fake.url) })).toMatchObject({ code: 0 })
})
afterAll(() => rm(folder, { recursive: true }))

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"

test("a query of a file ends with 124 after its --timeout", async () => {
  const started = performance.now()
  const { code, stdout, stderr } = await runProcess(["query", "--from", mirror, endless, "--timeout", "1"])
  expect({ code, stdout }).toEqual({ code: 124, stdout: "" })
  expect(stderr).toBe("error: The query took longer than 1 s. Give it more with --timeout, or ask for less.\n")
  expect(performance.now() - started).toBeLessThan(60_000)
})

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("a query of a file ends at once by %s, with %i", async (signal, expected) => {
  const child = start(["query", "--from", mirror, endless], {})
  const closed = once(child, "close")
  // Long enough for the statement to run, on a machine that is busy.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  const sent = performance.now()
  child.kill(signal)
  const [code] = await closed
  expect(code).toBe(expected)
  expect(performance.now() - sent).toBeLessThan(10_000)
})

test("a query of a file prints its rows, and says what is wrong", async () => {
  expect(await run(["query", "--from", mirror, "SELECT COUNT(*) AS n FROM transfers"])).toEqual({
    code: 0,
    stdout: '{"n":50}\n',
    stderr: "",
  })
})

test("a text that looks like a number is none for a spreadsheet; numbers and amounts are", async () => {
  const sql = "SELECT '1.10' AS k, 1.5 AS n, '2.50' AS month_total"
  const { stdout } = await run(["query", "--from", mirror, sql, "--output", "csv", "--csv-dialect", "excel-de"])
  expect(stdout).toBe("\ufeffk;n;month_total\r\n1.10;1,5;2,50\r\n")
})

test.each([
  [["--output", "csv"], "id,1\n"],
  [["--output", "json"], "[]\n"],
  [["--json", "id"], "[]\n"],
  [["--json", "id", "--jq", "length"], "0\n"],
  [["--template", "{{id}}"], ""],
])("a query without a row has its columns: %j", async (flags, stdout) => {
  const sql = 'SELECT id, status AS "1" FROM transfers WHERE 1 = 0'
  expect(await run(["query", "--from", mirror, sql, ...flags])).toEqual({ code: 0, stdout, stderr: "" })
  const wrong = await run(["query", "--from", mirror, sql, "--json", "ids"])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean id?\nThe fields are id, 1.") })
})

test("a query of a table that there is not gets the names of all, each of which can be asked", async () => {
  const { code, stderr } = await run(["query", "--from", mirror, "SELECT * FROM transfer"])
  expect(code).toBe(2)
  const [, names = ""] = /Did you mean transfers\? The tables are (.*)\.\n/.exec(stderr) ?? []
  expect(names.split(", ")).toContain("daily_totals")
  const counts = names.split(", ").map((name) => `SELECT COUNT(*) FROM ${name}`)
  expect(await run(["query", "--from", mirror, counts.join(" UNION ")])).toMatchObject({ code: 0, stderr: "" })
})

test.each([80, 140])("on %d columns the mark is below the mistake", async (columns) => {
  const sql = `SELECT status, COUNT(*) FROM transfers WHERE created_day > '2024-01-01' ORDER BY status GROUP BY status`
  for (const statement of [sql, sql.replaceAll(" FROM", "\n\tFROM")]) {
    const { text } = await see(["query", "--from", mirror, statement], { columns, env: {} })
    const lines = text.split("\n")
    const mark = lines.findIndex((line) => /^ *\^ *$/.test(line))
    expect(lines[mark - 1]?.slice(lines[mark]?.indexOf("^")), text).toMatch(/^GROUP BY/)
    expect(lines.filter((line) => line.length > columns)).toEqual([])
  }
})

test("a line break in a statement forges no line of an error, nor an escape a colour", async () => {
  const { stderr } = await run([
    "query",
    "--from",
    mirror,
    'SELECT 1 AS "\u001b[31m\u2028error: all is lost" FROM x y z',
  ])
  expect(stderr.split("\n").filter((line) => line.startsWith("error:"))).toHaveLength(1)
  expect(stderr).not.toContain("\u001b")
})

test.each(["VACUUM INTO 'x.db'", "DELETE FROM mirrored_transfers", "CREATE TABLE t (a)"])(
  "%s is rejected: a query only reads",
  async (sql) => {
    const { code, stderr } = await run(["query", "--from", mirror, sql])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("a query can only read") })
  },
)

const endlessly = (value: string, rows: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT ${value} AS a FROM n`

test.each([
  ["a text that is too long for JavaScript", "SELECT hex(zeroblob(400000000))"],
  ["a blob that is never shown", "SELECT length(zeroblob(900000000))"],
  ["blobs that are too large together", endlessly("zeroblob(30000000)", 1000)],
  ["texts that are too large together", endlessly("hex(zeroblob(10000000))", 1000)],
])("%s ends a query of a file with 2, before it fills the memory", async (_, sql) => {
  // As the process that runs the statement, which is the one to measure.
  const env = { TRANSFERS_OWN_PROCESS: String(process.pid) }
  const { code, stdout, stderr, memory } = await measured(["query", "--from", mirror, sql], { env })
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain("the result is too large: its texts and blobs may have 256 MiB")
  expect(memory).toBeLessThan(1024)
})

test("a damaged page of a file is the mirror's error, whatever reads it, with what to do", async () => {
  const damaged = join(folder, "damaged.db")
  using db = new DatabaseSync(mirror)
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  await copyFile(mirror, damaged)
  await using file = await open(damaged, "r+")
  const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'mirrored_transfers' AND rootpage > 0")
  for (const { rootpage } of roots.all())
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (Number(rootpage) - 1) * 4096)
  const id = "00000000-0000-4000-8000-000000000000"
  for (const args of [["search"], ["show", id], ["search", "--all"], ["query", "SELECT * FROM transfers"]]) {
    expect([args, await run([...args, "--from", damaged])]).toEqual([
      args,
      {
        code: 2,
        stdout: "",
        stderr: `error: sqlite:${damaged}: the file is damaged (database disk image is malformed): sync into a new file, or restore a copy.\n`,
      },
    ])
  }
})
