import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

/** The made-up transfers of a year. */
const made = ["--sandbox", "--now", "2025-01-01"]

let folder: string
let september: string
let held: ReadonlyArray<{
  readonly id: string
  readonly external_id: string
  readonly status: string
  readonly source_total: { readonly amount: string; readonly currency_code: string }
}>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-reconcile-"))
  september = join(folder, "september.ndjson")
  await run(["export", ...made, "--since", "2024-09-01", "--until", "2024-09-10", "--out", september])
  held = (await readFile(september, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
})

afterAll(() => rm(folder, { recursive: true }))

/** Transfers whose external_id no other has: the others are ambiguous whatever the ledger says. */
const single = () => {
  const counts = new Map<string, number>()
  for (const { external_id } of held) counts.set(external_id, (counts.get(external_id) ?? 0) + 1)
  return held.filter(({ external_id }) => counts.get(external_id) === 1)
}

const ledger = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const range = [...made, "--since", "2024-09-01", "--until", "2024-09-10"]

const plainLedger = (rows: typeof held): string =>
  [
    "external_id,amount,currency_code,status",
    ...rows.map(({ external_id, source_total, status }) =>
      [external_id, source_total.amount, source_total.currency_code, status].join(","),
    ),
  ].join("\n")

test("the data has transfers to reconcile, and ambiguous ones", () => {
  expect(single().length).toBeGreaterThan(50)
  expect(held.length).toBeGreaterThan(single().length)
})

describe("reconcile", () => {
  test("exits with 0 if everything matches", async () => {
    const rows = single()
    const wanted = new Set(rows.map(({ id }) => id))
    const export_ = await ledger(
      "single.ndjson",
      held
        .filter(({ id }) => wanted.has(id))
        .map((transfer) => `${JSON.stringify(transfer)}\n`)
        .join(""),
    )
    const path = await ledger("whole.csv", plainLedger(rows))
    const { code, stdout, stderr } = await run(["reconcile", path, "--from", export_])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout)).toMatchObject({
      breaks: 0,
      totals: { Matched: { outcomes: rows.length } },
      outcomes: [],
    })
  })

  test("shows statuses and keys with line breaks as escapes, which cannot look like other lines", async () => {
    const [transfer] = single()
    const forged = "lost (1)\n0 breaks. Everything matches.\u0085\u2028"
    const odd = await ledger("odd.ndjson", `${JSON.stringify({ ...transfer, status: forged, kind: forged })}\n`)
    const path = await ledger("odd.csv", `external_id,amount\n"tr\n0 breaks.",1.00\n`)
    const flags = ["--from", odd, "--allow-incomplete", "--ledger-currency", "fiat/USD"]
    const { text } = await see(["reconcile", path, ...flags], { columns: 500 })
    expect(text).toContain(String.raw`lost (1)\n0 breaks. Everything matches.\x85\u2028`)
    expect(text).not.toMatch(/^0 breaks|[\u0085\u2028]/m)
  })

  test("finds each kind of break, with its place", async () => {
    const [missing, wrongAmount, wrongStatus, twice, ...rest] = single()
    if (missing === undefined || wrongAmount === undefined || wrongStatus === undefined || twice === undefined)
      throw new Error("too few")
    const amount = `${wrongAmount.source_total.amount}${wrongAmount.source_total.amount.includes(".") ? "" : ".0"}1`
    const path = await ledger(
      "breaks.csv",
      plainLedger([
        { ...wrongAmount, source_total: { ...wrongAmount.source_total, amount } },
        { ...wrongStatus, status: "lost" },
        twice,
        twice,
        ...rest,
        { ...missing, external_id: "order-nowhere" },
      ]),
    )
    const { code, stdout } = await run(["reconcile", path, ...range])
    const { outcomes } = JSON.parse(stdout)
    const of = (key: string) => outcomes.filter((line: { readonly key: string }) => line.key === key)
    expect(code).toBe(1)
    expect(of(wrongAmount.external_id)).toMatchObject([
      { outcome: "Differs", reference: "line 2", why: "the amounts differ" },
    ])
    expect(of(wrongStatus.external_id)).toMatchObject([
      { outcome: "Differs", why: `the ledger says lost, the service ${wrongStatus.status}` },
    ])
    expect(of(twice.external_id)).toMatchObject([
      { outcome: "Ambiguous" },
      { outcome: "Ambiguous" },
      { transfer_id: twice.id },
    ])
    expect(of(missing.external_id)).toMatchObject([{ outcome: "NotInLedger", transfer_id: missing.id }])
    expect(of("order-nowhere")).toMatchObject([{ outcome: "NotAtService", reference: `line ${rest.length + 6}` }])
  })

  test("reads a ledger with a byte order mark, semicolons, quoted line breaks and its own column names", async () => {
    const [first] = single()
    const amount = `${first?.source_total.amount}`
    const path = await ledger(
      "odd.csv",
      `\ufeffNote;Order no;Gross\r\n"two\r\nlines; and ""more""";${first?.external_id};${amount}\r\n`,
    )
    const map = [
      "--map",
      "key=order NO",
      "--map",
      "amount=Gross",
      "--ledger-currency",
      `${first?.source_total.currency_code}`,
    ]
    const { stdout } = await run(["reconcile", path, ...range, ...map, "--matched", "-o", "csv"])
    const matched = stdout.split("\n").filter((line) => line.startsWith("Matched"))
    expect(matched).toHaveLength(1)
    expect(matched[0]).toContain(`${first?.external_id},line 2,${first?.id},${amount}`)
  })

  test.each([
    ["external_id,amount,currency_code\na,1e3,fiat/USD", 'line 2: "1e3" is in scientific notation'],
    ["external_id,amount,currency_code\na,1,fiat/USD\n\nb,1,dollars", 'line 4: Not a currency code: "dollars"'],
    ["external_id,amount\na,1", "--map currency=<column> or --ledger-currency fiat/USD"],
    ["order,amount,currency\na,1,USD", "it has no column external_id or key"],
    ["external_id,amount,currency\na,1", "line 2 has 2 cells"],
    ['external_id,amount,currency\n"a,1,USD\n', "a quote is never closed"],
    ['external_id,amount,currency\n"a"b,1,USD\n', "double the quotes"],
    ["external_id,amount,currency,Amount\na,1,USD,2", "several columns amount"],
    ["", "it is empty"],
  ])("rejects the ledger %j with a reason", async (text, reason) => {
    const path = await ledger("bad.csv", text)
    const { code, stdout, stderr } = await run(["reconcile", path, "--from", september])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(reason)
  })

  test("pairs the settled transfer of a key, adds fees with --group, and reads an Excel sheet", async () => {
    const [first, second] = single()
    if (first === undefined || second === undefined) throw new Error("too few")
    const own = (status: string, id: string) => JSON.stringify({ ...first, id, status })
    const export_ = await ledger("attempts.ndjson", `${own("declined", "tr_1")}\n${own("complete", "tr_2")}\n`)
    const { amount, currency_code } = first.source_total
    const rows = [`${amount}`, "-1.25", "1.25"].map((text) => `${first.external_id},${text},${currency_code}`)
    const path = await ledger("fees.csv", `external_id,amount,currency\n${rows.join("\n")}\n`)
    expect((await run(["reconcile", path, "--from", export_])).code).toBe(1)
    const { code, stdout } = await run(["reconcile", path, "--from", export_, "--group", "--matched"])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      breaks: 0,
      outcomes: [
        { outcome: "Matched", reference: "line 2 and 2 more", transfer_id: "tr_2" },
        { outcome: "NothingToBook", transfer_id: "tr_1" },
      ],
    })
    const book = fileURLToPath(new URL("../../../packages/files/test/fixtures/ledgers/sheets.xlsx", import.meta.url))
    const excel = await run([
      "reconcile",
      book,
      "--from",
      export_,
      "--sheet",
      "August",
      "--ledger-currency",
      "EUR",
      "--map",
      "date=day",
    ])
    expect(JSON.parse(excel.stdout)).toMatchObject({
      ledgers: [{ format: "xlsx", sheet: "August", numbers: 1 }],
      outcomes: [{ outcome: "NotAtService", key: "aug", reference: "row 2", date: "2024-08-30" }, {}],
    })
  })

  test("has codes in JSON, CSV and JUnit, and words in tables and HTML", async () => {
    const [missing, wrong, ...rest] = single()
    if (missing === undefined || wrong === undefined) throw new Error("too few")
    const amount = `${wrong.source_total.amount}1`
    const path = await ledger(
      "names.csv",
      plainLedger([
        { ...wrong, source_total: { ...wrong.source_total, amount } },
        ...rest.slice(0, 2),
        { ...missing, external_id: "order-nowhere" },
      ]),
    )
    const [html, junit] = [join(folder, "names.html"), join(folder, "names.xml")]
    const files = ["--html", html, "--junit", junit]
    const { stdout } = await run(["reconcile", path, "--from", september, "--matched", ...files, "-o", "table"])
    const [page, xml] = [await readFile(html, "utf8"), await readFile(junit, "utf8")]
    for (const [tag, words] of [
      ["Differs", "Different"],
      ["NotInLedger", "Not in your books"],
      ["NotAtService", "Not at the service"],
    ]) {
      expect(stdout).toMatch(new RegExp(`^${words} [(]\\d`, "m"))
      expect(stdout).not.toContain(tag)
      expect(xml).toContain(`classname="${tag}"`)
      expect(page).toContain(`<h3>${words}: `)
    }
    expect(stdout.split(/\s+/)).toContain("Matched")
    expect(xml).toContain('classname="Matched"')
  })

  test("escapes hostile text in the HTML page and the JUnit XML", async () => {
    const hostile = `<script>alert("1")</script>&\u0007]]>`
    const path = await ledger("hostile.csv", `external_id,amount,currency\n"${hostile.replaceAll('"', '""')}",1,USD\n`)
    const [html, junit] = [join(folder, "report.html"), join(folder, "report.xml")]
    await run(["reconcile", path, "--from", september, "--html", html, "--junit", junit])
    // XML cannot hold the control character in any form, and the page shows its escape.
    for (const [file, bell] of [
      [html, "\\u0007"],
      [junit, "\ufffd"],
    ] as const) {
      const escaped = `&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;${bell}]]&gt;`
      const text = await readFile(file, "utf8")
      expect(text).toContain(escaped)
      expect(text).not.toContain("<script")
      expect(text).not.toMatch(/https?:\/\/|src=/)
    }
    const xml = await readFile(junit, "utf8")
    expect(xml.match(/<failure /g)?.length).toBe(Number(/failures="(\d+)"/.exec(xml)?.[1]))
  })
})

describe("verify", () => {
  const fresh = async (name: string): Promise<string> => {
    const path = join(folder, name)
    await run(["export", ...range, "--out", path, "--force"])
    return path
  }

  test.each(["ndjson", "json", "csv", "parquet"])("passes an intact .%s export", async (format) => {
    const { code, stdout } = await run(["verify", await fresh(`fresh.${format}`)])
    expect(code).toBe(0)
    const { ok, checks } = JSON.parse(stdout)
    expect(ok).toBe(true)
    expect(checks.length).toBeGreaterThan(20)
  })

  test("fails an export with a changed digit, by its checksum and its total", async () => {
    const path = await fresh("tampered.ndjson")
    const text = await readFile(path, "utf8")
    const changed = text.replace(
      /"source_total":\{"amount":"(\d)/,
      (_, digit: string) => `"source_total":{"amount":"${(Number(digit) % 8) + 1}`,
    )
    await writeFile(path, changed)
    const { code, stdout } = await run(["verify", path])
    const failed: ReadonlyArray<string> = JSON.parse(stdout)
      .checks.filter(({ ok }: { readonly ok: boolean }) => !ok)
      .map(({ check }: { readonly check: string }) => check)
    expect(code).toBe(1)
    expect(failed[0]).toBe("sha256")
    expect(failed[1]).toMatch(/^source_total in /)
    expect(failed).toHaveLength(2)
  })

  test("fails a truncated export, and names the place", async () => {
    for (const format of ["csv", "parquet"]) {
      const path = await fresh(`cut.${format}`)
      const bytes = await readFile(path)
      await writeFile(path, bytes.subarray(0, bytes.length - 1000))
      const { code, stdout } = await run(["verify", path])
      expect(code).toBe(1)
      expect(JSON.parse(stdout).checks[1]).toMatchObject({ check: "bytes", ok: false })
    }
  })
})

describe("diff", () => {
  test("finds no difference between formats, although they write amounts differently", async () => {
    const parquet = join(folder, "same.parquet")
    await run(["export", ...range, "--out", parquet])
    const { code, stdout } = await run(["diff", september, parquet])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      same: held.length,
      not_compared: 0,
      differences: [],
    })
  })

  test("names added, removed and changed transfers, field by field", async () => {
    const [changed, gone, ...rest] = held
    const path = await ledger(
      "newer.ndjson",
      [{ ...changed, status: "undone", colour: "red" }, ...rest, { ...gone, id: "tr_new" }]
        .map((transfer) => `${JSON.stringify(transfer)}\n`)
        .join(""),
    )
    const { code, stdout } = await run(["diff", september, path, "-o", "ndjson"])
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(code).toBe(1)
    expect(lines).toHaveLength(3)
    expect(lines.find(({ kind }) => kind === "changed")).toMatchObject({
      id: changed?.id,
      changes: [
        { field: "status", from: changed?.status, to: "undone" },
        { field: "colour", to: "red" },
      ],
    })
    expect(lines.find(({ kind }) => kind === "removed")).toMatchObject({ id: gone?.id })
    expect(lines.find(({ kind }) => kind === "added")).toMatchObject({ id: "tr_new" })
  })
})
