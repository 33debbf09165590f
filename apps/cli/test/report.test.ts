/** `transfers report`: a month as a page, over any source; and the other commands over an export. */
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as PageText from "./PageText.ts"

let folder: string
let fake: RunningFakeServer

const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })
const hostile = `order-<img src=x onerror=alert(1)>"'&`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-report-"))
  const of = (id: string, day: string, fields: object) => ({
    id,
    kind: "cash_in",
    status: "complete",
    created_at: `2024-09-${day}T10:00:00Z`,
    network_transaction_id: `0x${id}`,
    ...fields,
  })
  fake = await startFakeServer({
    now: "2024-10-15T00:00:00Z",
    data: [
      of("a", "01", { external_id: "order-a", source_total: usd("1234567.10"), service_fee: usd("0.10") }),
      of("b", "01", { external_id: "order-b", source_total: usd("0.20") }),
      of("c", "30", { external_id: hostile, source_total: usd("3.00"), network_transaction_id: "" }),
      of("d", "15", { external_id: "order-d", status: "declined", source_total: usd("99999999.00") }),
      of("e", "20", { external_id: "order-e", status: "on_hold", source_total: usd("7.00") }),
      { ...of("f", "30", { source_total: usd("1.00") }), created_at: "2024-10-01T00:00:00Z" },
    ],
  })
  await writeFile(join(folder, "ledger.csv"), "external_id,amount,currency\norder-a,1234567.10,USD\norder-b,0.25,USD\n")
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const transfersOf =
  (url: string) =>
  (...args: ReadonlyArray<string>) =>
    run(args, { env: demo(url) })
const transfers = (...args: ReadonlyArray<string>) => transfersOf(fake.url)(...args)
/** A settled transfer of a day of September. */
const moved = (id: string, day: string) => ({
  id,
  external_id: id,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-${day}T10:00:00Z`,
  source_total: usd("7.00"),
})
const page = async (...args: ReadonlyArray<string>) => {
  const file = join(folder, "page.html")
  const outcome = await transfers("report", "--html", file, ...args)
  return { ...outcome, html: await readFile(file, "utf8") }
}

describe("report", () => {
  test("states period, partner, exact totals, open transfers, findings and origin", async () => {
    const { code, stderr, html } = await page("--month", "2024-09")
    expect(code).toBe(1)
    expect(stderr).toMatch(/page\.html: September 2024, 5 transfers, 1 open, \d+ findings\n$/)
    const text = PageText.of(html)
    expect(text).toContain("Transfers of demo: September 2024")
    const totals = /<tr role="row"><td[^>]*><span>fiat\/USD<\/span>[^]*?<\/tr>/.exec(html)?.[0] ?? ""
    expect([...totals.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = ""]) => PageText.of(cell).trim())).toEqual([
      "fiat/USD",
      "3",
      "1234570.30",
      "0.10",
    ])
    expect(text).toContain("1 of them: 1 more than 30 days.")
    expect(text).toContain("missing_network_transaction_id")
    expect(text).toMatch(new RegExp(`the service, of demo at ${fake.url}, as of 20\\d\\d-`))
    expect(text).not.toContain("demo-secret")
    expect(text).not.toContain("2024-10-01 00:00:00")
  })

  test("states the hash that the manifest of the same export has", async () => {
    const { html } = await page("--month", "2024-09")
    const command = /transfers (export .*?) --out transfers\.ndjson/.exec(PageText.of(html))?.[1] ?? ""
    const out = join(folder, "check.ndjson")
    await transfers(...command.split(" "), "--out", out)
    const { sha256 } = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
    expect(html).toContain(`SHA-256 <code>${sha256}</code>`)
  })

  test("is one document that loads and runs nothing, with a policy that allows only its own style", async () => {
    const { html } = await page("--month", "2024-09")
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    )
    expect(html).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=["']|url\(|@import/)
    expect(html).toContain("order-&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;")
  })

  test("reconciles complete transfers with a ledger", async () => {
    const { code, stderr, html } = await page("--month", "2024-09", "--ledger", join(folder, "ledger.csv"))
    expect({ code, breaks: /\d+ breaks/.exec(stderr)?.[0] }).toEqual({ code: 1, breaks: "2 breaks" })
    const text = PageText.of(html)
    expect(text).toContain("Reconciliation with ledger.csv")
    expect(text).toContain("the amounts differ")
    expect(text).not.toContain("order-d")
  })

  test("reads several ledgers as reconcile does: their columns, decimal signs and rows to add", async () => {
    const [first, second] = [join(folder, "first.csv"), join(folder, "second.csv")]
    await writeFile(first, "Order;Gross\norder-a;1.234.567,00\norder-a;0,10\n")
    await writeFile(second, 'Order,Gross\norder-b,"0,20"\n')
    const ledgers = ["--ledger", first, "--ledger", second, "--ledger-currency", "USD"]
    const flags = [...ledgers, "--map", "key=Order", "--map", "amount=Gross", "--decimal", ",", "--month", "2024-09"]
    const breaksOf = async (...more: ReadonlyArray<string>) => {
      const { stdout } = await page(...flags, "-o", "json", ...more)
      return JSON.parse(stdout).breaks
    }
    // The transfer that no ledger has, and with --group off, the key of two rows.
    expect(await breaksOf("--group")).toBe(1)
    expect(await breaksOf()).toBe(2)
  })

  test("prints its figures as JSON, by month for a long period", async () => {
    const { stdout, html } = await page("--since", "2024", "--until", "2024", "-o", "json")
    const { transfers: count, statuses, open, largest, sha256 } = JSON.parse(stdout)
    expect({ count, statuses }).toEqual({ count: 6, statuses: { complete: 4, declined: 1, on_hold: 1 } })
    expect(open.map(({ id }: { readonly id: string }) => id)).toEqual(["e"])
    expect(largest.map(({ id }: { readonly id: string }) => id)).toEqual(["a", "e", "c"])
    expect(html).toContain(sha256)
    expect(PageText.of(html)).toContain("Exact totals by month")
  })

  test.each([
    [[], "Give the period"],
    [["--month", "2024-09", "--since", "2024"], "Give the period"],
    [["--month", "2024"], '--month: expected a month, such as 2024-09, found "2024".'],
    [["--month", "2024-13"], "Write one that exists as YYYY-MM"],
  ])("rejects the period %j and says what to give", async (period, reason) => {
    const { code, stderr } = await transfers("report", "--html", join(folder, "never.html"), ...period)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) })
  })
})

/** A document without the instants of its source, which are those of each reading. */
const withoutAge = (text: string) => {
  const { source, ...rest } = JSON.parse(text)
  return { ...rest, origin: source.origin, asked: source.asked, missing: source.missing }
}

describe("an export as the source", () => {
  const of = async (name: string) => {
    const out = join(folder, name)
    await transfers("export", "--since", "2024-09", "--until", "2024-09", "--out", out, "--force")
    return out
  }

  test.each(["csv", "ndjson", "json", "parquet"])("summary of a .%s is that of the service", async (format) => {
    const flags = ["summary", "--by", "status", "--since", "2024-09", "--until", "2024-09"]
    const file = await of(`source.${format}`)
    const [ofFile, ofService] = [await run([...flags, "--from", file]), await transfers(...flags)]
    expect(ofFile).toMatchObject({ code: 0, stderr: "" })
    expect(withoutAge(ofFile.stdout)).toEqual(withoutAge(ofService.stdout))
  })

  test("report names the file and its manifest's hash, and is not audited", async () => {
    const file = await of("named.csv")
    const html = join(folder, "named.html")
    expect(await run(["report", "--month", "2024-09", "--from", file, "--html", html])).toMatchObject({ code: 0 })
    const { sha256 } = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
    const text = PageText.of(await readFile(html, "utf8"))
    expect(text).toContain(`SHA-256 ${sha256} by its manifest`)
    expect(text).toContain("Not audited")
  })

  test("report takes a file in any order, and rejects one that has a transfer twice", async () => {
    const file = await of("ordered.ndjson")
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n")
    const [shuffled, doubled] = [join(folder, "shuffled.ndjson"), join(folder, "doubled.ndjson")]
    await writeFile(shuffled, lines.toReversed().join("\n"))
    await writeFile(doubled, [...lines, lines[0]].join("\n"))
    const flags = ["report", "--month", "2024-09", "--html", join(folder, "any.html"), "-o", "json"]
    const { stdout } = await run([...flags, "--from", shuffled])
    const { sha256 } = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
    expect(JSON.parse(stdout)).toMatchObject({ transfers: 5, sha256 })
    const { code, stderr } = await run([...flags, "--from", doubled])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("a transfer is in it more than once") })
  })

  test.each(["e", "order-e", "0xe"])("show finds a transfer by %s", async (id) => {
    const { stdout } = await run(["show", id, "--from", await of("shown.csv")])
    expect(JSON.parse(stdout).transfer.id).toBe("e")
  })

  test("audit of a file is that of the service with --capabilities, and a mirror has its own", async () => {
    const [file, capabilities] = [await of("checked.parquet"), join(folder, "capabilities.json")]
    const mirror = join(folder, "audited.db")
    await writeFile(capabilities, (await transfers("capabilities", "-o", "json")).stdout)
    await transfers("sync", "--to", mirror)
    const month = ["--since", "2024-09", "--until", "2024-09"]
    const ofService = await transfers("audit", ...month)
    expect(JSON.parse(ofService.stdout).findings.length).toBeGreaterThan(0)
    for (const args of [
      ["--from", file, "--capabilities", capabilities],
      ["--from", mirror, ...month],
    ]) {
      const audited = await run(["audit", ...args])
      expect([audited.code, audited.stderr]).toEqual([ofService.code, ofService.stderr])
      expect(withoutAge(audited.stdout)).toEqual(withoutAge(ofService.stdout))
    }
  })

  test("audit says that a file has no capabilities, and --as-of that it has no history", async () => {
    const file = await of("audited.csv")
    expect((await run(["audit", "--from", file])).stderr).toContain(
      "has no capabilities: name them with --capabilities FILE",
    )
    expect((await run(["search", "--from", file, "--as-of", "2024-10"])).stderr).toContain("--as-of needs the history")
  })
})

describe("a page of a mirror", () => {
  const made = async (name: string, args: ReadonlyArray<string>) => {
    const { code, stderr } = await run([...args, "--html", join(folder, name)])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringContaining("error") })
    return readFile(join(folder, name), "utf8")
  }
  /** All but the instant at which a page was made, and its own name. */
  const lasting = (html: string) =>
    html.replace(/<dt>Made<\/dt>.*?<\/dd>/, "").replaceAll(/again\.html|first\.html/g, "")

  test.each(["report", "reconcile"])("%s prints a command that makes it again after the next sync", async (command) => {
    const data = [{ ...moved("open", "29"), status: "executing" }, moved("late", "30"), moved("gone", "12")]
    await using service = await startFakeServer({ data })
    const [mirror, ledger] = [join(folder, `${command}.db`), join(folder, `${command}.csv`)]
    const sync = () => transfersOf(service.url)("sync", "--to", mirror, "--verify")
    await writeFile(ledger, "external_id,amount,currency,date\nopen,7.00,USD,2024-09-29\nstray,1.00,USD,2024-09-30\n")
    await sync()
    const flags = ["--since", "2024-09", "--until", "2024-09", "--from", mirror, "--grace", "3"]
    const given = command === "report" ? [command, "--ledger", ledger] : [command, ledger]
    const first = await made("first.html", [...given, ...flags])
    await fetch(`${service.url}/_fake/transfers/open`, { method: "PATCH", body: `{"status":"complete"}` })
    await fetch(`${service.url}/_fake/transfers/gone`, { method: "DELETE" })
    await sync()
    expect(lasting(await made("again.html", [...given, ...flags]))).not.toBe(lasting(first))
    const words = PageText.command(first).split(" ").slice(1, -2)
    expect(words).toEqual(expect.arrayContaining(["--as-of", "--as-of-day"]))
    expect(lasting(await made("again.html", words))).toBe(lasting(first))
  })
})

test("names the instants that ages mean, so that the command is of the same transfers later", async () => {
  const file = join(folder, "ages.html")
  const commandOf = async (...args: ReadonlyArray<string>) => {
    const { code } = await run([...args, "--sandbox", "--html", file])
    expect(code).toBeLessThan(2)
    return PageText.command(await readFile(file, "utf8"))
  }
  const today = String.raw`--sandbox --now \d{4}-\d\d-\d\d`
  const instant = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`
  expect(await commandOf("report", "--since", "7d")).toMatch(
    new RegExp(`^transfers report --since ${instant} --until ${instant} ${today} --html `),
  )
  await writeFile(`${file}.csv`, "external_id,amount,currency\no-1,1.00,USD\n")
  expect(await commandOf("reconcile", `${file}.csv`, "--since", "7d", "--until", "yesterday")).toMatch(
    new RegExp(`^transfers reconcile \\S+ --since ${instant} --until ${instant} ${today} --html `),
  )
})
