/// <reference lib="dom" />
/** The console: every state is a link, whatever arrives is drawn once a frame, and nothing is lost by a click. */
import type { Page } from "puppeteer-core"
import { describe, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import { click, collectCopies, openRow, patience, rows, startFake, textOf, until, useBrowser } from "./consolePage.ts"

const open = useBrowser()

const hashOf = (page: Page) => page.evaluate(() => location.hash)

/** The text of the count beside the title. */
const countOf = (page: Page) => page.$eval(".view .count", (count) => count.textContent)

describe("every view is a link", () => {
  test("filters, page and open row are in the address; Back undoes them, and a reload keeps them", async () => {
    await using fake = await startFake({ transfers: 400, partners: ["a:1", "b:2"] })
    await using opened = await open(fake, "/#transfers?partner=b")
    const { page, complaints } = opened
    await until(page, "20 rows")
    await page.select("[name=status]", "complete")
    await until(page, "of 400")
    await click(page, "Next")
    await until(page, "Page 2")
    const second = await rows(page)
    const id = await page.$eval("tbody .row-button", (button) => button.getAttribute("title")?.split(", ")[1])
    await openRow(page, "complete")
    expect(await hashOf(page)).toMatch(/^#transfers\?partner=b&status=complete&page=2&after=.+&row=/)
    await page.reload()
    await page.waitForSelector("dialog[open]")
    await until(page, id ?? "no id")
    await until(page, "Page 2")
    expect(await rows(page)).toEqual(second)
    await page.goBack()
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await until(page, "Page 2")
    await click(page, "Previous")
    await until(page, "Page 1")
    await page.goBack()
    await until(page, "Page 2")
    await page.goBack()
    await until(page, "Page 1")
    await page.goBack()
    await page.waitForFunction(() => location.hash === "#transfers?partner=b")
    await page.waitForFunction(() => document.querySelector<HTMLSelectElement>("[name=status]")?.value === "")
    expect(complaints).toEqual([])
  })

  test("a link leads to its page in a browser that was never there, and from it to the first one", async () => {
    await using fake = await startFake({ transfers: 45 })
    const first = (await call(`${fake.url}/v1/transfers/search`)).json
    const after = encodeURIComponent(first.page_info.end_cursor)
    const row = first.results[3].id
    await using opened = await open(fake, `/#transfers?page=2&after=${after}&row=${row}`)
    const { page, complaints } = opened
    await page.waitForSelector("dialog[open]")
    await until(page, row)
    await page.keyboard.press("Escape")
    await until(page, "Page 2")
    await click(page, "First")
    await until(page, first.results[0].external_id)
    expect(await hashOf(page)).toBe("#transfers")
    expect(complaints).toEqual([])
  })

  test("an open request is one, and a link to what is gone says so", async () => {
    await using fake = await startFake({ transfers: 3 })
    await call(`${fake.url}/v1/transfers/search?limit=2`)
    const { id = "" } = fake.requests()[0] ?? {}
    await using opened = await open(fake, `/#requests?text=limit&row=${id}`)
    const { page } = opened
    await page.waitForSelector("dialog[open]")
    await until(page, id)
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => location.hash === "#requests?text=limit")
    await page.evaluate(() => (location.hash = "requests?row=none"))
    await until(page, 'There is no request "none".')
    await page.evaluate(() => (location.hash = "transfers?row=none"))
    await until(page, 'There is no transfer "none".')
    expect(await hashOf(page)).toBe("#transfers")
  })
})

describe("a burst of requests", () => {
  test("is drawn once a frame, moves no row that is drawn, and is counted whole", async () => {
    await using fake = await startFake({ transfers: 45 })
    await using opened = await open(fake, "/#requests")
    const { page, complaints } = opened
    await until(page, "live")
    await call(`${fake.url}/v1/transfers/search?limit=1`)
    await page.waitForSelector("tbody tr[data-id]")
    await page.evaluate(() => {
      const seen = { changedRows: 0, drawings: 0, frames: 0, longest: 0 }
      Object.assign(window, { seen })
      new MutationObserver((records) => {
        seen.drawings += 1
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement
          if (element?.closest("tr[data-id]")) seen.changedRows += 1
        }
      }).observe(document.querySelector("main .view") ?? document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      })
      let last = performance.now()
      const frame = (now: number) => {
        seen.frames += 1
        seen.longest = Math.max(seen.longest, now - last)
        last = now
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    const sent = 3000
    const send = async (count: number) => {
      for (let n = 0; n < count; n++) await call(`${fake.url}/v1/transfers/search?limit=1`)
    }
    await Promise.all(Array.from({ length: 10 }, () => send(sent / 10)))
    await until(page, "1000")
    await page.waitForFunction(
      (count) => document.querySelector(".burst")?.textContent?.includes(`${count} requests`),
      patience,
      sent + 1,
    )
    const seen = await page.evaluate((): Record<string, number> => Reflect.get(window, "seen"))
    // One row is drawn as it was again at most: the first, whose burst turned out to have begun before it.
    expect(seen["changedRows"]).toBeLessThanOrEqual(200)
    expect(seen["drawings"]).toBeLessThanOrEqual((seen["frames"] ?? 0) + 5)
    expect(seen["longest"]).toBeLessThan(5000)
    expect(await page.$$eval("tbody tr[data-id]", (all) => all.length)).toBe(200)
    expect(complaints).toEqual([])
  })
})

describe("the search", () => {
  test("finds ids and external ids by their start while one types, and the count follows", async () => {
    await using fake = await startFake({ transfers: 400 })
    const [row] = (await call(`${fake.url}/v1/transfers/search`)).json.results
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "20 rows")
    expect(await countOf(page)).toBe("400")
    for (const text of [row.external_id, row.id]) {
      await page.keyboard.press("/")
      await page.keyboard.type(text.slice(0, 12))
      await until(page, "1 row")
      expect(await countOf(page)).toBe("1 of 400")
      expect((await rows(page))[0]).toContain(row.external_id)
      await page.$eval("[name=prefix]", (field) => field instanceof HTMLInputElement && field.select())
      await page.keyboard.press("Backspace")
      await until(page, "20 rows")
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    }
  })

  test("is copied as the request whose rows are shown, or says what the service cannot search by", async () => {
    await using fake = await startFake({ transfers: 400 })
    const [row] = (await call(`${fake.url}/v1/transfers/search`)).json.results
    await using opened = await open(fake, `/#transfers?prefix=${row.external_id}`)
    const { page } = opened
    await until(page, "1 row")
    const copied = await collectCopies(page)
    await click(page, "Copy as curl")
    await until(page, "Copied.")
    expect(await copied()).toContain(`--data-urlencode 'external_id=${row.external_id}'`)
    expect(await textOf(page)).not.toContain("leaves that out")
    await page.evaluate(() => (location.hash = "transfers?prefix=order-&status=declined"))
    await until(page, "Page 1 · 20 rows")
    await click(page, "Copy as curl")
    await until(page, "The service cannot search by the status or the start of an id: the command leaves that out.")
    await click(page, "Dismiss")
    await page.evaluate(() => (location.hash = "transfers"))
    await page.waitForFunction(() => document.querySelector(".view .count")?.textContent === "400")
    await click(page, "Next")
    await until(page, "Page 2")
    await click(page, "Copy as curl")
    await expect.poll(copied).toContain(`--data-urlencode 'after_cursor=`)
  })
})

describe("a removal", () => {
  test("of a transfer is undone: the transfer is as it was, without fields that it did not have", async () => {
    const transfer = { id: "tr_1", kind: "cash_in", status: "odd", created_at: "2024-12-31T00:00:00Z", more: [1] }
    await using fake = await startFake({ data: [transfer] })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await openRow(page, "odd")
    await click(page, "Remove")
    await until(page, "tr_1 is removed.")
    await until(page, "There are no transfers.")
    await click(page, "Undo")
    await until(page, "tr_1 is back.")
    await until(page, "1 row")
    expect((await call(`${fake.url}/v1/transfers/search`)).json.results).toEqual([transfer])
    expect(complaints).toEqual([])
  })

  test("names what the table shows, and is undone by a key, however late", async () => {
    const transfer = {
      id: "0191b91c-c0c2-7000-800d-200115b19da8",
      external_id: "order-7",
      kind: "cash_in",
      status: "odd",
      created_at: "2024-12-31T00:00:00Z",
      source_total: { amount: "1250.00", currency_code: "fiat/USD" },
    }
    await using fake = await startFake({ data: [transfer] })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await openRow(page, "odd")
    await click(page, "Remove")
    await until(page, "order-7, 1250.00 USD, is removed. You can undo it until you close this.")
    // A notice that cannot be undone is gone by then.
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(await page.$eval("button.undo", (button) => button.getAttribute("aria-keyshortcuts"))).toBe("U")
    await page.keyboard.press("/")
    await page.keyboard.press("u")
    expect(await page.$("button.undo")).not.toBe(null)
    await page.keyboard.press("Backspace")
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press("u")
    await until(page, "order-7, 1250.00 USD, is back.")
    await until(page, "1 row")
    expect((await call(`${fake.url}/v1/transfers/search`)).json.results).toEqual([transfer])
    expect(complaints).toEqual([])
  })

  test("of fault rules is undone", async () => {
    await using fake = await startFake({ transfers: 3 })
    fake.addFaults({ when: { request: 2 }, faults: [{ fault: "bom" }] }, { times: 1, faults: [{ fault: "garbage" }] })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "2 faults active")
    const before = (await call(`${fake.url}/_fake/faults`)).json.rules
    await click(page, "Remove all")
    await until(page, "2 rules are removed.")
    await until(page, "No fault is active.")
    await click(page, "Undo")
    await until(page, "2 faults active")
    const after = (await call(`${fake.url}/_fake/faults`)).json.rules
    const rulesOf = (list: ReadonlyArray<{ readonly rule: unknown }>) => list.map(({ rule }) => rule)
    expect(rulesOf(after)).toEqual(rulesOf(before))
  })
})

test("? lists the keys, unless it is typed into a field", async () => {
  await using fake = await startFake({ transfers: 3 })
  await using opened = await open(fake)
  const { page } = opened
  await until(page, "3 rows")
  await page.keyboard.press("/")
  await page.keyboard.type("?")
  expect(await page.$("dialog")).toBe(null)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press("?")
  await until(page, "Go to the search of the view")
  await page.keyboard.press("Escape")
  await page.waitForFunction(() => document.querySelector("dialog") === null)
})

const large = [
  { source_total: { amount: "1250000000.00", currency_code: "fiat/VND" }, external_id: "payout-2024-12-31-000017" },
  { source_total: { amount: "0.54321098", currency_code: "bitcoin/BTC" }, external_id: "order-6f124cbe" },
  { source_total: { amount: "1.123456789012345678", currency_code: "ethereum/USDC" }, external_id: "order-0d5bc677" },
].map(({ source_total, external_id }, index) => ({
  id: `tr_${index}`,
  external_id,
  status: "executing",
  kind: "cash_out",
  created_at: `2024-12-31T00:00:0${9 - index}Z`,
  source_total,
  destination_total: source_total,
}))

test.each([390, 820, 1280])("large values fit into the table at %i pixels, and digits are whole", async (width) => {
  await using fake = await startFake({ data: large })
  await using opened = await open(fake)
  const { page } = opened
  await page.setViewport({ width, height: 844 })
  await until(page, "3 rows")
  const fits = await page.evaluate(() => {
    const [table, panel] = ["table.transfers", ".view"].map((each) =>
      document.querySelector(each)?.getBoundingClientRect(),
    )
    const first = document.querySelector("tbody tr")?.getBoundingClientRect()
    const cut = [...document.querySelectorAll<HTMLElement>(".amount")].filter(
      (cell) => cell.scrollWidth > cell.clientWidth,
    )
    return {
      excess: (table?.right ?? 1) - (panel?.right ?? 0) > 0,
      firstRowIsSeen: (first?.bottom ?? Infinity) < innerHeight,
      cut: cut.map(({ innerText }) => innerText),
      digits: [...document.querySelectorAll("tr td.amount .digits")].map((digits) => digits.textContent),
      ids: [...document.querySelectorAll<HTMLElement>(".external-id")].filter(
        (each) => each.scrollWidth > each.clientWidth,
      ).length,
    }
  })
  expect(fits).toEqual({
    excess: false,
    firstRowIsSeen: true,
    cut: [],
    digits: ["1250000000.00", "0.54321098", "1.12345678…"].flatMap((text) => [text, text]),
    // The longest is shown with an ellipsis, those of fourteen characters whole.
    ids: 1,
  })
})
