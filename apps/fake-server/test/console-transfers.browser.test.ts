/// <reference lib="dom" />
/** The console: transfers and the clock. */
import type { HTTPResponse } from "puppeteer-core"
import { describe, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import {
  click,
  collectCopies,
  fill,
  openRow,
  patience,
  rows,
  startFake,
  textOf,
  until,
  untilGone,
  useBrowser,
} from "./consolePage.ts"

const open = useBrowser()

describe("the transfers", () => {
  test("are shown page by page, forth and back, and found by external_id", async () => {
    await using fake = await startFake({ transfers: 45 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "20 rows")
    const [first] = (await call(`${fake.url}/v1/transfers/search`)).json.results
    expect((await rows(page))[0]).toContain(first.external_id)
    expect((await rows(page))[0]).toContain(first.source_total.amount)
    await click(page, "Next")
    await until(page, "Page 2")
    await untilGone(page, first.external_id)
    await click(page, "Previous")
    await until(page, first.external_id)
    await page.keyboard.press("/")
    await page.keyboard.type(first.external_id)
    await page.keyboard.press("Enter")
    await until(page, "1 row")
    expect((await rows(page))[0]).toContain(first.external_id)
    expect(complaints).toEqual([])
  })

  test("keep what is being typed into the search while the page reads the state of the fake again", async () => {
    await using fake = await startFake({ transfers: 45 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "20 rows")
    await page.keyboard.press("/")
    await page.keyboard.type("order-")
    const isState = (response: HTTPResponse) => new URL(response.url()).pathname === "/_fake/faults"
    for (let polls = 0; polls < 2; polls++) await page.waitForResponse(isState, patience)
    await page.keyboard.type("none")
    await page.keyboard.press("Enter")
    await until(page, "No transfer matches.")
    expect(await page.$eval("[data-search]", (field) => Reflect.get(field, "value"))).toBe("order-none")
    await click(page, "Clear the filters")
    await until(page, "20 rows")
    expect(await page.$eval("[data-search]", (field) => Reflect.get(field, "value"))).toBe("")
    expect(complaints).toEqual([])
  })

  test("are filtered by status and by the time of their creation", async () => {
    await using fake = await startFake({ transfers: 400 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "20 rows")
    const { results } = (await call(`${fake.url}/_fake/transfers?status=declined`)).json
    expect(results.length).toBeGreaterThan(0)
    await page.select("[name=status]", "declined")
    await page.waitForFunction(
      (count) => {
        const badges = [...document.querySelectorAll("tbody .badge")]
        return badges.length === count && badges.every((badge) => badge.textContent === "declined")
      },
      patience,
      results.length,
    )
    await page.select("[name=status]", "")
    const all = (await call(`${fake.url}/v1/transfers/search`)).json.results
    const [newest, oldest] = [all[0].created_at, all.at(-1).created_at]
    await fill(page, "[name=before]", newest.slice(0, 19))
    await fill(page, "[name=from]", oldest.slice(0, 19))
    const query = `created_at=gte:${oldest.slice(0, 19)}Z&created_at=lt:${newest.slice(0, 19)}Z`
    const found = (await call(`${fake.url}/v1/transfers/search?${query}`)).json.results
    expect(found.length).not.toBe(results.length)
    await until(page, `${found.length} rows`)
    const copied = await collectCopies(page)
    await click(page, "Copy as curl")
    await until(page, "Copied.")
    expect(await copied()).toContain(`--data-urlencode 'created_at=gte:${oldest.slice(0, 19)}Z'`)
    expect(complaints).toEqual([])
  })

  test("explain a rejected search until it is valid again", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "3 rows")
    await fill(page, "[name=from]", "12345-01-01T00:00:00")
    await expect.poll(() => textOf(page)).toContain('created_at cannot be "gte:12345-01-01T00:00:00Z"')
    await fill(page, "[name=from]", "")
    await expect.poll(() => textOf(page)).not.toContain("created_at cannot be")
    await until(page, "3 rows")
    expect(await rows(page)).toHaveLength(3)
  })

  test("show nothing but the way on when there are none", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page } = opened
    await expect.poll(() => textOf(page)).toContain("There are no transfers.")
    await fill(page, "[name=prefix]", "order-1")
    await expect.poll(() => textOf(page)).toContain("No transfer matches.")
    expect(await rows(page)).toEqual([])
    // Read when the page changes, not later: the field and the rows belong to one search at every moment.
    const left = page.evaluate(
      () =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            const field = document.querySelector<HTMLInputElement>("[name=prefix]")
            if (document.body.innerText.includes("There are no transfers.")) resolve(field?.value)
          })
          observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        }),
    )
    await click(page, "Clear the filters")
    expect(await left).toBe("")
  })

  test("show the filter again when what was typed is taken back", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "3 rows")
    const typedIn = () => page.$eval("[name=prefix]", (field) => Reflect.get(field, "value"))
    await page.keyboard.press("/")
    await page.keyboard.type("none")
    await page.keyboard.press("Enter")
    await until(page, "No transfer matches.")
    await page.keyboard.type("x")
    await page.keyboard.press("Backspace")
    await click(page, "Clear the filters")
    await until(page, "3 rows")
    expect(await typedIn()).toBe("")
    expect(complaints).toEqual([])
  })

  test("are searched from the first page on whenever the filters or the partner change", async () => {
    await using fake = await startFake({ transfers: 45, partners: ["a:1", "b:2"] })
    await using opened = await open(fake)
    const { page, complaints } = opened
    const searches: Array<URLSearchParams> = []
    page.on("request", (request) => {
      const url = new URL(request.url())
      if (url.pathname === "/_fake/transfers") searches.push(url.searchParams)
    })
    await until(page, "20 rows")
    await click(page, "Next")
    await until(page, "Page 2")
    await page.select("[name=status]", "complete")
    await until(page, "Page 1")
    await page.select("[name=status]", "")
    await click(page, "Next")
    await until(page, "Page 2")
    await page.locator(`::-p-aria(Partner[role="combobox"])`).fill("b")
    await until(page, "Page 1")
    await expect.poll(() => searches.at(-1)?.get("partner")).toBe("b")
    const continued = searches.filter((search) => search.has("after_cursor"))
    expect(continued.length).toBeGreaterThan(0)
    for (const search of continued) expect([search.get("partner"), search.get("status")]).toEqual(["a", null])
    expect(complaints).toEqual([])
  })

  test("open with all their fields, by keyboard, and lead to the next one", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "3 rows")
    const [first, second] = (await call(`${fake.url}/v1/transfers/search`)).json.results
    await page.focus(".row-button")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForSelector("dialog[open]")
    await until(page, second.id)
    await page.keyboard.press("k")
    await until(page, first.id)
    const shown = await page.$eval("dialog", (dialog) => dialog.innerText)
    for (const [name, value] of Object.entries<unknown>(first)) {
      expect(shown).toContain(name)
      if (typeof value === "string") expect(shown).toContain(value)
    }
    expect(shown).toContain(first.destination_total.amount)
    await page.keyboard.press("j")
    await until(page, second.id)
    const copied = await collectCopies(page)
    await page.locator("dialog .actions button").click()
    await until(page, "Copied.")
    expect(await copied()).toContain(`--data-urlencode 'external_id=${second.external_id}'`)
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("row-button")
    expect(complaints).toEqual([])
  })

  test("keep input that cannot be saved, and explain why", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "There are no transfers.")
    await click(page, "Insert")
    await page.waitForSelector("dialog[open]")
    for (const [text, problem] of [
      ['{"id":"tr_1",', "The body is not JSON: "],
      ['{"id":"tr_1","kind":7}', "/kind should be"],
    ] as const) {
      await fill(page, "dialog textarea", text)
      await page.click("dialog .primary")
      await until(page, problem)
      expect(await page.$eval("dialog textarea", (area) => area.value)).toBe(text)
    }
    await fill(page, "dialog textarea", '{"id":"tr_1"}')
    await page.click("dialog .primary")
    await until(page, "tr_1 is inserted.")
    expect(await page.$("dialog")).toBe(null)
  })

  test("are inserted, change with the clock, are edited and removed", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "There are no transfers.")
    await click(page, "Insert")
    await page.waitForSelector("dialog[open]")
    await fill(page, "dialog textarea", '{"id":"tr_mine","external_id":"mine"}')
    await page.click("dialog .primary")
    await until(page, "tr_mine is inserted.")
    await until(page, "executing")
    const before = (await call(`${fake.url}/_fake/health`)).json.now
    await click(page, "Advance")
    await page.waitForFunction(() => /complete|declined/.test(document.querySelector("tbody")?.innerText ?? ""))
    const { now } = (await call(`${fake.url}/_fake/health`)).json
    expect(Date.parse(now) - Date.parse(before)).toBe(15 * 60_000)
    await openRow(page, "mine")
    await click(page, "Edit")
    await fill(page, "dialog textarea", '{"kind":"cash_in","status":"odd","created_at":"2025-01-01T00:00:00Z"}')
    await page.click("dialog .primary")
    await until(page, " is changed.")
    expect((await call(`${fake.url}/v1/transfers/search`)).json.results).toEqual([
      { id: "tr_mine", kind: "cash_in", status: "odd", created_at: "2025-01-01T00:00:00Z" },
    ])
    await click(page, "Remove")
    await until(page, "There are no transfers.")
    expect((await call(`${fake.url}/v1/transfers/search`)).json.results).toEqual([])
    expect(complaints).toEqual([])
  })

  test("age while the clock plays, and are restored by a reset", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "3 rows")
    const now = async () => Date.parse((await call(`${fake.url}/_fake/health`)).json.now)
    const start = await now()
    await click(page, "Play")
    await expect.poll(now).toBeGreaterThanOrEqual(start + 2 * 15 * 60_000)
    await click(page, "Pause")
    const advancedSoon = async () => {
      const before = await now()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return (await now()) - before
    }
    await expect.poll(advancedSoon).toBe(0)
    await click(page, "Reset…")
    await click(page, "Restore the start")
    await until(page, "as they were at the start")
    expect(await now()).toBe(start)
    expect(complaints).toEqual([])
  })
})
