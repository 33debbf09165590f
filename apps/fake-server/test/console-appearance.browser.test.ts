/// <reference lib="dom" />
/** The console and the reference: structure, widths, themes, accessibility. */
import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import type { Page } from "puppeteer-core"
import { describe, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import { click, openRow, startFake, until, useBrowser } from "./consolePage.ts"
import { outline } from "./outline.ts"

const open = useBrowser()
const widths = [390, 820, 1280]

/** Overflows sideways, if the page does. */
const excess = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

const data = [
  {
    id: "tr_1",
    external_id: "order-1",
    kind: "cash_in",
    status: "complete",
    created_at: "2024-12-31T15:24:30.731631Z",
    source_total: { amount: "588.76", currency_code: "fiat/GBP" },
    destination_total: { amount: "0.261865694264951073", currency_code: "ethereum/ETH" },
  },
  { id: "tr_2", kind: "cash_out", status: "under_review", created_at: "2023-01-01T00:00:00Z", odd: { nested: [1] } },
]

const large = { amount: "1250000000.00", currency_code: "fiat/VND" }

/** The part of axe that is used. */
interface Axe {
  readonly run: (
    root: string,
    options: object,
  ) => Promise<{
    readonly passes: ReadonlyArray<unknown>
    readonly violations: ReadonlyArray<{
      readonly id: string
      readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
    }>
  }>
}

/** Runs in the page. */
const runAxe = async (root: string, options: object): Promise<ReadonlyArray<string>> => {
  const { axe } = window as unknown as { readonly axe: Axe }
  const { passes, violations } = await axe.run(root, options)
  if (passes.length === 0) throw new Error("axe checked nothing.")
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))
}

const authorization = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`

describe("the console", () => {
  test.each(widths)("has the structure of the golden file at %i pixels", async (width) => {
    await using fake = await startFake({ data })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await page.setViewport({ width, height: 900 })
    await until(page, "2 rows")
    fake.addFaults({ when: { request: 2 }, faults: [{ fault: "latency", ms: 20 }] })
    await until(page, "1 fault")
    const parts = [`# transfers\n${await outline(page)}`]
    await openRow(page, "under_review")
    parts.push(`# transfer\n${await outline(page, "dialog")}`)
    await page.keyboard.press("Escape")
    await call(`${fake.url}/v1/transfers/search?limit=1`)
    await page.click(".views a.requests")
    await page.waitForSelector("main[data-view=requests] .row-button")
    parts.push(`# requests\n${await outline(page, "main .view")}`)
    await openRow(page, "limit=1")
    await until(page, "bytes")
    parts.push(`# request\n${await outline(page, "dialog")}`)
    await page.keyboard.press("Escape")
    await page.evaluate(() => (location.hash = "faults"))
    await until(page, "applied 0 of 1")
    parts.push(`# faults\n${await outline(page, ".fault-panel")}`)
    await expect(parts.join("\n")).toMatchFileSnapshot(`golden/console-${width}.txt`)
    expect(await excess(page)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  })

  test("marks the view that is shown, and aligns the faults", async () => {
    await using fake = await startFake({ transfers: 3 })
    fake.addFaults({ faults: [{ fault: "drip", bytes: 2000, every_ms: 20 }] })
    await using opened = await open(fake, "/#faults")
    const { page } = opened
    await until(page, "Drip, 2000 bytes, every 20 ms")
    const marked = () =>
      page.$$eval(".views a", (links) =>
        links.flatMap((link) => {
          const { borderBottomColor, display } = getComputedStyle(link)
          return display === "none" || borderBottomColor === "rgba(0, 0, 0, 0)" ? [] : [link.textContent]
        }),
      )
    expect(await marked()).toEqual(["transfers"])
    await page.setViewport({ width: 768, height: 900 })
    expect(await marked()).toEqual(["faults"])
    const legends = await page.$$eval(".switches legend", (all) =>
      all.map((each) => {
        const { left, top } = each.getBoundingClientRect()
        return { left, top }
      }),
    )
    const columns = [...Map.groupBy(legends, ({ left }) => left).values()]
    expect(columns).toHaveLength(2)
    expect(columns[0]?.[0]?.top).toBe(columns[1]?.[0]?.top)
  })

  test("has no barrier that axe finds, in both themes", async () => {
    await using fake = await startFake({ transfers: 30 })
    fake.addFaults(
      { when: { request: 2 }, faults: [{ fault: "status", status: 503 }] },
      { times: 1, faults: [{ fault: "bom" }] },
    )
    for (const path of ["search?limit=2", "search?limit=x", "nothing"]) {
      await fetch(`${fake.url}/v1/transfers/${path}`, { headers: { authorization } })
    }
    await using opened = await open(fake)
    const { page } = opened
    await page.evaluate(await fs.readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
    const barriers = async (root = "body") => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])
      const light = await page.evaluate(runAxe, root, {})
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }])
      return [...light, ...(await page.evaluate(runAxe, root, { runOnly: ["color-contrast"] }))]
    }
    await until(page, "20 rows")
    await until(page, "2 faults active")
    expect(await barriers()).toEqual([])
    await openRow(page, "complete")
    expect(await barriers("dialog")).toEqual([])
    await click(page, "Edit")
    expect(await barriers("dialog")).toEqual([])
    await page.keyboard.press("Escape")
    await page.click(".views a.requests")
    await until(page, "limit=x")
    expect(await barriers(".view")).toEqual([])
    await openRow(page, "limit=2")
    await until(page, "bytes")
    expect(await barriers("dialog")).toEqual([])
    await page.keyboard.press("Escape")
    await page.click(".views a.capabilities")
    await until(page, "Payment methods")
    expect(await barriers(".view")).toEqual([])
    await page.setViewport({ width: 390, height: 844 })
    await page.click(".views a.transfers")
    await until(page, "20 rows")
    expect(await barriers()).toEqual([])
  })

  test.each([...widths, 640])("does not scroll sideways at %i pixels, whatever the values", async (width) => {
    const long = "x".repeat(400)
    const created_at = "2024-09-01T00:00:00Z"
    const source_total = { amount: "9".repeat(60), currency_code: `${long.slice(0, 60)}/${long.slice(0, 60)}` }
    const row = { id: long, external_id: long, kind: long, status: long, created_at, source_total, [long]: long }
    await using fake = await startFake({ data: [row], partners: ["demo:demo-secret", `${long.slice(0, 90)}:x`] })
    fake.addFaults({ when: { partner: long.slice(0, 90) }, faults: [{ fault: "redirect", location: long }] })
    await call(`${fake.url}/v1/transfers/search?external_id=${long}&${long}=1`)
    await using opened = await open(fake)
    const { page } = opened
    await page.setViewport({ width, height: 900 })
    await until(page, "1 row")
    expect(await excess(page)).toBeLessThanOrEqual(0)
    await openRow(page, "xxx")
    expect(await page.$eval("dialog", (dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
    await page.keyboard.press("Escape")
    for (const view of ["requests", "faults", "capabilities"]) {
      await page.evaluate((hash) => (location.hash = hash), view)
      await page.waitForSelector(`main[data-view="${view}"]`)
      await until(page, view === "requests" ? "GET" : view === "faults" ? "Redirect" : "Payment methods")
      expect(await excess(page), view).toBeLessThanOrEqual(0)
    }
    await page.evaluate(() => (location.hash = "requests"))
    await openRow(page, "GET")
    await until(page, "bytes")
    expect(await page.$eval("dialog", (dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  })

  test.each([390, 768, 820, 1280])(
    "keeps controls in a row and names of fields on a line at %i pixels",
    async (width) => {
      await using fake = await startFake({ transfers: 5000 })
      for (let count = 0; count < 12; count++) fake.addFaults({ times: 1, faults: [{ fault: "bom" }] })
      await using opened = await open(fake, "/#transfers?status=complete")
      const { page } = opened
      await page.setViewport({ width, height: 900 })
      await until(page, "20 rows")
      await until(page, "12 faults")
      await until(page, "of 5000")
      /** The parts that are below the first one. */
      const wrapped = (selector: string) =>
        page.$$eval(selector, (all) => {
          const boxes = all.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
          return { parts: boxes.length, below: boxes.filter(({ top }) => top >= (boxes[0]?.bottom ?? 0)).length }
        })
      expect(await wrapped("header.top .top-row:first-child > :not(nav)")).toEqual({ parts: 4, below: 0 })
      expect(await wrapped(".view .panel-head > *")).toEqual({ parts: 3, below: 0 })
      await openRow(page, "complete")
      expect(await wrapped("dialog .actions > *")).toEqual({ parts: 4, below: 0 })
      const lines = await page.$$eval("dialog dt", (all) =>
        all.map((each) => {
          const range = document.createRange()
          range.selectNodeContents(each)
          return range.getClientRects().length
        }),
      )
      expect(lines.length).toBeGreaterThan(15)
      expect(new Set(lines)).toEqual(new Set([1]))
    },
  )

  test("shows what a request asked for at 390 pixels, on a line below its path", async () => {
    await using fake = await startFake({ transfers: 3 })
    await call(`${fake.url}/v1/transfers/search?limit=2`)
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await page.setViewport({ width: 390, height: 844 })
    await until(page, "1 request")
    const box = await page.$eval("td.request", (cell) => {
      const [own, parameter] = [cell, cell.querySelector("b")].map((each) => each?.getBoundingClientRect())
      return { isWithin: (parameter?.bottom ?? Infinity) <= (own?.bottom ?? 0), title: cell.getAttribute("title") }
    })
    expect(box).toEqual({ isWithin: true, title: "GET /v1/transfers/search limit=2" })
  })

  test("sets thousands apart wherever it shows an amount, and copies digits only", async () => {
    await using fake = await startFake({ data: [{ ...data[0], source_total: large }] })
    await using opened = await open(fake)
    const { page } = opened
    await openRow(page, "complete")
    const apart = (selector: string) =>
      page.$$eval(selector, (all) => all.map((each) => [each.textContent, each.querySelectorAll("i").length]))
    expect(await apart("dialog .money-text .grouped")).toContainEqual(["1250000000.00", 3])
    await page.keyboard.press("Escape")
    await page.evaluate(() => (location.hash = "capabilities"))
    await until(page, "Payment methods")
    expect(await apart(".capabilities .grouped")).toContainEqual(["150000.00", 1])
  })

  test("keeps a table of huge amounts within its panel", async () => {
    const small = { amount: "1.123456789012345678", currency_code: "ethereum/USDC" }
    const rows = [
      { ...data[0], created_at: "2023-12-31T10:00:00Z", source_total: large, destination_total: small },
      { ...data[0], id: "tr_2", source_total: small, destination_total: { ...large, amount: "999999999999.99" } },
    ]
    await using fake = await startFake({ data: rows })
    await using opened = await open(fake)
    await until(opened.page, "2 rows")
    // The last column is reached by scrolling the table, not the page.
    const last = await opened.page.evaluate(() => {
      const cell = document.querySelector("table.transfers tbody td:last-child")
      cell?.scrollIntoView({ inline: "end" })
      const edge = document.querySelector(".panel:has(table.transfers)")?.getBoundingClientRect().right ?? 0
      return { beyond: (cell?.getBoundingClientRect().right ?? Infinity) - edge, page: scrollX }
    })
    expect(last.beyond).toBeLessThanOrEqual(0)
    expect(last.page).toBe(0)
  })

  test("sets the thousands of a count apart as those of an amount", async () => {
    await using fake = await startFake({ transfers: 5000 })
    await using opened = await open(fake)
    await until(opened.page, "5000")
    expect(await opened.page.$$eval(".count .grouped i", (all) => all.map((each) => each.textContent))).toEqual(["000"])
  })

  test("shows every column in full at 1280 pixels, with aligned decimals", async () => {
    await using fake = await startFake({ transfers: 100 })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "20 rows")
    const clipped = await page.$$eval("table.transfers :is(td, th)", (cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    )
    expect(clipped).toEqual([])
    const points = await page.$$eval("table.transfers tr", (all) =>
      all.flatMap((row) => {
        const [source, destination] = row.querySelectorAll(".fraction")
        return source === undefined || destination === undefined
          ? []
          : [[source.getBoundingClientRect().left, destination.getBoundingClientRect().left]]
      }),
    )
    expect(points).toHaveLength(20)
    expect(new Set(points.map(String)).size).toBe(1)
  })

  test("follows the system's theme unless one is chosen", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "Theme")
    const background = async (value: string) => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    }
    const [light, dark] = [await background("light"), await background("dark")]
    expect(light).not.toBe(dark)
    await page.select(".theme select", "light")
    await page.waitForSelector("[data-theme=light]")
    expect(await background("dark")).toBe(light)
    await page.reload()
    await page.waitForSelector("[data-theme=light]")
    expect(await background("dark")).toBe(light)
  })
})

describe("the reference", () => {
  test("works offline, names both operations, and is ready to send requests as the default partner", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "Reference")
    await page.click("a.reference")
    await until(page, "Search for transfers")
    await until(page, "Read capabilities")
    await until(page, "after_cursor")
    await until(page, "Username")
    await page.waitForFunction(() =>
      [...document.querySelectorAll("input")].some(({ value }) => value === "demo-secret"),
    )
    expect(await page.$$eval(".cm-line", (lines) => lines.map(({ textContent }) => textContent))).toContain("demo")
    for (const elsewhere of ["Generate SDKs", "Share", "Open API Client"]) {
      expect(await page.evaluate(() => document.body.innerText)).not.toContain(elsewhere)
    }
    expect(complaints).toEqual([])
    await page.setViewport({ width: 390, height: 844 })
    expect(await page.evaluate(() => (scrollTo(100, 0), scrollX))).toBe(0)
    await page.setViewport({ width: 1280, height: 900 })
    await page.locator("::-p-text(← Console)").click()
    await until(page, "There are no transfers.")
  })

  test("names another partner, without its secret", async () => {
    await using fake = await startFake({ partners: ["acme:sk_acme"] })
    const html = await (await fetch(`${fake.url}/docs`)).text()
    expect(html).toContain('{"basic":{"username":"acme","password":""}}')
    expect(html).not.toContain("sk_acme")
  })
})
