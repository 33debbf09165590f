/// <reference lib="dom" />
/** The pages of `report` and `reconcile` in a browser and on paper: widths, printed pages, identifiers, axe. */
import { execFileSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { ZipFile } from "@transferkit/files/node/ZipFile"
import { beforeAll, describe, expect, test } from "vitest"
import * as WrittenPages from "./WrittenPages.ts"

const { file, open, run } = WrittenPages.use()

const period = ["--sandbox", "--now", "2025-01-01", "--since", "2024-09-01", "--until", "2024-10-04"]

/** Takes the page out of a bundle. */
const keepPage = async (name: string): Promise<void> => {
  const bundle = await ZipFile.open(file(`${name}.zip`))
  await writeFile(file(`${name}.html`), bundle.bytes("report.html", 1e7))
  bundle.close()
}

beforeAll(async () => {
  await run(["export", ...period, "--out", file("all.ndjson")])
  const rows = (await readFile(file("all.ndjson"), "utf8")).trimEnd().split("\n")
  expect(rows.length).toBeGreaterThan(428)
  const transfers = rows.map((row) => JSON.parse(row))
  const bookings = (those: typeof transfers) =>
    those
      .filter(({ status }, index) => (status === "complete" ? index % 50 !== 0 : index % 40 === 0))
      .map(({ external_id, source_total }) => `${external_id},${source_total.amount},${source_total.currency_code}`)
      .join("\n")
  await writeFile(file("ledger.csv"), `external_id,amount,currency\n${bookings(transfers)}\n`)
  const [ledger, amount] = [file("ledger.csv"), ["--amount", "source_total"]]
  await run(["report", ...period, ...amount, "--ledger", ledger, "--html", file("report.html")])
  await run(["reconcile", ledger, ...period, ...amount, "--html", file("reconcile.html")])
  // The longest identifiers that there are, three of them in a row with their amounts.
  const byId = transfers.map(({ id, source_total }, index) =>
    [id, index % 9 === 0 ? `1${source_total.amount}` : source_total.amount, source_total.currency_code].join(","),
  )
  await writeFile(file("ids.csv"), `id,amount,currency\n${byId.join("\n")}\n`)
  await run([
    "reconcile",
    file("ids.csv"),
    ...period,
    ...amount,
    "--key",
    "id",
    "--map",
    "key=id",
    "--html",
    file("ids.html"),
  ])
  const ofSeptember = transfers.filter(({ created_at }) => created_at < "2024-10")
  await writeFile(file("september.csv"), `external_id,amount,currency\n${bookings(ofSeptember)}\n`)
  const month = ["--sandbox", "--now", "2025-01-01", "--month", "2024-09", "--ledger", file("september.csv")]
  await run(["close", ...month, ...amount, "--out", file("close.zip")])
  await keepPage("close")
  // Hundreds of breaks of each kind, with amounts of 18 decimals, different reasons, and keys that occur twice.
  const wrong = ofSeptember.flatMap(({ status, external_id, source_total: { amount, currency_code } }, index) =>
    status === "complete" && index % 4 === 0
      ? []
      : [`${external_id},${status === "complete" && index % 3 === 0 ? 9 : ""}${amount},${currency_code}`],
  )
  const unknown = Array.from({ length: 60 }, (_, index) => `order-unknown-${index},${index}.37,fiat/EUR`)
  await writeFile(file("many.csv"), `external_id,amount,currency\n${[...wrong, ...unknown].join("\n")}\n`)
  await run([
    "reconcile",
    file("many.csv"),
    ...month.slice(0, 3),
    "--since",
    "2024-09",
    "--until",
    "2024-09",
    ...amount,
    "--html",
    file("many.html"),
  ])
  await run(["close", ...month.slice(0, -1), file("many.csv"), ...amount, "--out", file("manyClose.zip")])
  await keepPage("manyClose")
})
describe.each(["report.html", "reconcile.html", "close.html"])("%s", (name) => {
  test("says first what moved, what is open or in doubt, and whether it closes, all in dollars", async () => {
    const page = await open(name)
    const answers = await page.$$eval(".answers li", (all) => all.map((each) => each.textContent ?? ""))
    expect(answers).toHaveLength(3)
    expect(answers[0]).toMatch(/^\d+\.\d+ USD moved in \d+ settled transfers\.$/)
    expect(answers[1]).toMatch(
      /^\d+\.\d+ USD open in \d+ transfers?; \d+\.\d+ USD in doubt in \d+ breaks(?: \(without \d+ amounts? that the service has not valued in USD\))?\.$/,
    )
    expect(answers[2]).toMatch(/^It does not close: \d+ breaks with your books/)
    expect(await page.$$eval("figure.month", (all) => all.length)).toBeGreaterThan(0)
    const text = await page.$eval("main", (main) => main.textContent ?? "")
    expect(text).toContain("Not in your books")
    // No declined transfer of September is booked.
    if (name !== "close.html") expect(text).toContain("booked, but declined")
    expect(text).not.toMatch(/NotInLedger|NotAtService|NotSettled|NothingToBook|OtherPeriod|Ambiguous/)
    await page.close()
  })

  test.each([1280, 768, 390])("does not scroll sideways at %i pixels, and cuts no identifier", async (width) => {
    const page = await open(name, width)
    const found = await page.evaluate(() => ({
      excess: document.documentElement.scrollWidth - innerWidth,
      cut: [...document.querySelectorAll("td.id")].filter((cell) => cell.scrollWidth > cell.clientWidth).length,
      ids: document.querySelectorAll("td.id").length,
    }))
    expect(found).toEqual({ excess: 0, cut: 0, ids: expect.any(Number) })
    expect(found.ids).toBeGreaterThan(5)
    await page.close()
  })

  test("has no barrier that axe finds, in both themes", async () => {
    const page = await open(name)
    await page.evaluate(await readFile(WrittenPages.axe, "utf8"))
    for (const [value, options] of [
      ["light", {}],
      ["dark", { runOnly: ["color-contrast"] }],
    ] as const) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      const violations = await page.evaluate(async (chosen) => {
        const result = await Reflect.get(window, "axe").run(document, chosen)
        return result.violations.map((each: { readonly id: string }) => each.id)
      }, options)
      expect(violations).toEqual([])
    }
    await page.close()
  })
})

/** How many there are with the appendix. */
const mostPages: Readonly<Record<string, number>> = { "report.html": 8, "reconcile.html": 4, "close.html": 2 }

/** The printed pages: each line of words, from the top. */
const printed = async (name: string, format: "a4" | "letter") => {
  const page = await open(name)
  const path = file(`${name}.${format}.pdf`)
  await page.pdf({ format, path })
  // The title of a folded list, and its size beside it.
  const headings = await page.$$eval("h2,h3,summary,summary span", (all) =>
    all.map((each) =>
      Array.from(each.childNodes, (part) => part.textContent ?? "")
        .join(" ")
        .replaceAll(/\s+/g, " "),
    ),
  )
  const ids = await page.$$eval("td.id.line", (all) => all.map((each) => (each.textContent ?? "").trim()))
  await page.close()
  const xml = execFileSync("pdftotext", ["-bbox", path, "-"], { encoding: "utf8", maxBuffer: 1e8 })
  const pages = xml
    .split("<page ")
    .slice(1)
    .map((text) => {
      const lines = Map.groupBy(
        text.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</g),
        ([, top, bottom]) => Math.round(Number(top) + Number(bottom)),
      )
      return [...lines].toSorted(([one], [other]) => one - other).map(([, words]) => words.map(([, , , word]) => word))
    })
  return { pages, headings, ids }
}

describe.each(["report.html", "reconcile.html", "close.html"])("%s on paper", (name) => {
  test.each(["a4", "letter"] as const)(
    "has at most four pages of %s, then an appendix, and no heading alone",
    async (format) => {
      const { pages, headings, ids } = await printed(name, format)
      const textOf = (line: ReadonlyArray<string | undefined> = []): string => line.join(" ")
      const appendix = pages.findIndex((lines) => lines.some((line) => textOf(line) === "Appendix"))
      expect(appendix === -1 ? pages.length : appendix).toBeLessThanOrEqual(4)
      expect(appendix === -1).toBe(name === "close.html")
      for (const [index, lines] of pages.entries()) {
        expect(textOf(lines[0])).toMatch(/^(?:Transfers of sandbox|Reconciliation of ledger\.csv|Close of 2024-09)/)
        expect(textOf(lines.at(-1))).toBe(`${index + 1} of ${pages.length}`)
        expect(headings).not.toContain(textOf(lines.at(-2)))
      }
      expect(pages.length).toBeLessThanOrEqual(mostPages[name] ?? 0)
      const signed = pages.at(-1)?.filter((line) => /^(?:Prepared|Reviewed) by Date/.test(textOf(line)))
      expect(signed).toHaveLength(name === "close.html" ? 1 : 0)
      const words = new Set(pages.flat(2))
      expect(ids.length).toBeGreaterThan(10)
      expect(ids.filter((id) => id !== "" && !words.has(id))).toEqual([])
    },
  )
})

test("a day stays on one line on a phone, in tables and in headings", async () => {
  const page = await open("report.html", 390)
  const days = await page.$$eval("h1 .digits, figcaption .digits", (all) =>
    all.filter((each) => /^\d{4}-/.test(each.textContent ?? "")).map((each) => each.getClientRects().length),
  )
  expect(days.length).toBeGreaterThan(10)
  expect(new Set(days)).toEqual(new Set([1]))
  const lines = await page.$$eval("td.time > span", (all) => all.map((each) => each.getClientRects().length))
  expect(lines.length).toBeGreaterThan(100)
  expect(new Set(lines)).toEqual(new Set([1]))
  await page.close()
})

test("paper says how many exact totals are on a screen only", async () => {
  const page = await open("report.html", 688)
  const shown = () => page.$eval(".on-screen", (part) => part.getClientRects().length)
  const rows = await page.$$eval(".on-screen tbody tr", (all) => all.length)
  expect(await shown()).toBe(1)
  await page.emulateMediaType("print")
  expect(await shown()).toBe(0)
  expect(await page.$eval(".on-paper", (part) => part instanceof HTMLElement && part.innerText)).toContain(
    `The ${rows} rows are not printed.`,
  )
  await page.close()
})

test.each([1280, 390])("no word of a command is broken across lines at %i pixels", async (width) => {
  const page = await open("report.html", width)
  const words = await page.$$eval(".command span", (all) =>
    all.map((word) => ({ word: word.textContent ?? "", height: word.getBoundingClientRect().height })),
  )
  expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(["--ledger", "--since", "2024-09-01"]))
  const lineHeight = Math.min(...words.map(({ height }) => height))
  // A path may be longer than a line.
  expect(words.filter(({ word, height }) => height > lineHeight * 1.5 && !word.startsWith("/"))).toEqual([])
  await page.close()
})

test.each([1280, 1024])("a reconciliation by id has each id once in a row, and fits %i pixels", async (width) => {
  const page = await open("ids.html", width)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  const rows = await page.$$eval("tr", (all) =>
    all.map((row) => (row.textContent ?? "").match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []),
  )
  expect(rows.filter((ids) => ids.length > 0).length).toBeGreaterThan(40)
  expect(rows.filter((ids) => new Set(ids).size < ids.length)).toEqual([])
  await page.close()
})

/** How many lines each identifier has, and how far the page is wider than its window. */
const linesOfIds = (page: Awaited<ReturnType<typeof open>>) =>
  page.evaluate(() => ({
    excess: document.documentElement.scrollWidth - innerWidth,
    ids: document.querySelectorAll("td.id > span").length,
    lines: [...new Set([...document.querySelectorAll("td.id > span")].map((id) => id.getClientRects().length))],
  }))

test.each([
  ["report.html", 1280],
  ["report.html", 768],
  ...[1280, 1024, 768, 390].flatMap((width) => [
    ["reconcile.html", width] as const,
    ["manyClose.html", width] as const,
  ]),
] as const)("%s has each amount on one line at %i pixels", async (name, width) => {
  const page = await open(name, width)
  // Above a tablet, tables of identifiers give these the room.
  const tables = width > 1000 ? "table:is(.few, .whole)" : "table"
  const amounts = await page.$$eval(`${tables} td.amount > span`, (all) =>
    all.map((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      const lines = range.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight)
      return { text: each.textContent, excess: Math.round(lines) - each.querySelectorAll("br").length - 1 }
    }),
  )
  expect(amounts.length).toBeGreaterThan(10)
  expect(amounts.filter(({ excess }) => excess > 0)).toEqual([])
  await page.close()
})

describe.each(["many.html", "manyClose.html"])("%s, with hundreds of breaks", (name) => {
  test.each([1280, 1024, 768, 390])("has each identifier on one line at %i pixels", async (width) => {
    const page = await open(name, width)
    expect(await linesOfIds(page)).toEqual({ excess: 0, ids: expect.any(Number), lines: [1] })
    expect((await linesOfIds(page)).ids).toBeGreaterThan(25)
    await page.close()
  })

  test("has each identifier on one line on paper", async () => {
    // The width of Letter between its margins.
    const page = await open(name, 710)
    await page.emulateMediaType("print")
    expect(await linesOfIds(page)).toMatchObject({ excess: 0, lines: [1] })
    await page.close()
  })
})

test.each(["a4", "letter"] as const)("a close with hundreds of breaks has at most four pages of %s", async (format) => {
  const { pages } = await printed("manyClose.html", format)
  expect(pages.length).toBeLessThanOrEqual(4)
  expect(pages.flat(2).join(" ")).toContain("reconciliation.json has the amounts of each currency.")
})

test("the lists of a report's appendix are closed on a tablet, where they would be fifty screens", async () => {
  const page = await open("report.html", 768)
  expect(await page.$$eval("summary h2", (all) => all.map((title) => title.textContent))).toEqual([
    "Largest transfers",
    "Exact totals by day",
  ])
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(25 * 900)
  await page.$$eval("summary", (all) => all.forEach((each) => each.click()))
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.close()
})

test("the figures of a report are in one row at 1280 pixels", async () => {
  const page = await open("report.html")
  const tops = await page.$eval(".cards", (cards) =>
    [...cards.children].map((card) => card.getBoundingClientRect().top),
  )
  expect(tops.length).toBeGreaterThan(6)
  expect(new Set(tops).size).toBe(1)
  await page.close()
})

test.each(["report.html", "reconcile.html"])("the command on %s makes its figures again", async (name) => {
  const html = await readFile(file(name), "utf8")
  const text = (fact: string) =>
    new RegExp(`<dt>${fact}</dt><dd>(.*?)</dd>`).exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "")
  const words = text("Command")?.split(" ").slice(1) ?? []
  expect(text("Ledger")).toMatch(/^ledger\.csv, SHA-256 [0-9a-f]{64}$/)
  await run([...words.slice(0, -1), file("again.html")])
  const again = await readFile(file("again.html"), "utf8")
  const [first, last] = ['<ul class="answers">', "How this page was made"]
  const figures = (page: string) =>
    page.slice(page.indexOf(first), page.indexOf(last)) + page.slice(page.indexOf("Appendix"))
  expect(figures(again).length).toBeGreaterThan(1000)
  // Only the age of what is open depends on when it is made.
  const withoutAge = (page: string) => figures(page).replaceAll(/\d+\.\d</g, "<")
  expect(withoutAge(again)).toBe(withoutAge(html))
})
