/// <reference lib="dom" />
/** The console: requests, faults, and the connection to the fake. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import {
  click,
  collectCopies,
  fill,
  openRow,
  rows,
  startFake,
  textOf,
  until,
  untilGone,
  useBrowser,
} from "./consolePage.ts"

const open = useBrowser()

describe("the requests", () => {
  test("a request is named by its page as it arrives, not by its cursor", async () => {
    await using fake = await startFake({ transfers: 30 })
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await until(page, "live")
    const { json } = await call(`${fake.url}/v1/transfers/search?limit=20`)
    await call(`${fake.url}/v1/transfers/search?limit=20&after_cursor=${json.page_info.end_cursor}`)
    await until(page, "2 requests")
    const [second = ""] = await rows(page)
    expect(second).toContain("page=2")
    expect(second).not.toContain("after_cursor")
  })

  test("appear as they arrive, and are copied as curl commands", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake, "/#requests")
    const { page, complaints } = opened
    await until(page, "No requests yet.")
    await until(page, "live")
    await call(`${fake.url}/v1/transfers/search?limit=2&external_id=it's`)
    await until(page, "external_id=it's")
    expect(await rows(page)).toHaveLength(1)
    const copied = await collectCopies(page)
    await openRow(page, "external_id")
    await click(page, "Copy as curl")
    await until(page, "Copied.")
    expect(await copied()).toBe(
      `curl -G -u 'demo:'"$TRANSFERS_SECRET_KEY" '${fake.url}/v1/transfers/search' \\\n  --data-urlencode 'limit=2' \\\n  --data-urlencode 'external_id=it'\\''s'\n`,
    )
    expect(complaints).toEqual([])
  })

  test("of any method are copied as curl commands that repeat them", async () => {
    await using fake = await startFake({ partners: ["a:1", "it's `me`:2"] })
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await until(page, "live")
    for (const method of ["HEAD", "POST", "GET"]) {
      await call(`${fake.url}/v1/transfers/search?limit=2`, { method, credentials: "it's `me`:2" })
    }
    await page.waitForFunction(() => document.querySelectorAll(".row-button").length === 3)
    const copied = await collectCopies(page)
    await openRow(page, "GET")
    for (const method of ["GET", "POST", "HEAD"]) {
      await page.waitForFunction((text) => document.querySelector("dialog h2")?.textContent?.includes(text), {}, method)
      await click(page, "Copy as curl")
      if (method !== "HEAD") await page.keyboard.press("j")
    }
    await expect.poll(async () => (await copied()).match(/^curl/gm)?.length).toBe(3)
    const env = { PATH: process.env["PATH"], TRANSFERS_SECRET_KEY: "2" }
    await promisify(execFile)("sh", ["-ec", await copied()], { env, timeout: 120_000 })
    const again = fake.requests().slice(3)
    expect(again.map(({ method, status }) => `${method} ${status}`)).toEqual(["GET 200", "POST 405", "HEAD 200"])
    for (const { parameters, partner } of again) expect([parameters, partner]).toEqual([{ limit: "2" }, "it's `me`"])
  })

  test("open with their parameters, response, faults and timing", async () => {
    await using fake = await startFake({ transfers: 3 })
    fake.addFaults({ faults: [{ fault: "latency", ms: 400 }] }, { faults: [{ fault: "status", status: 503 }] })
    const sent = await call(`${fake.url}/v1/transfers/search?limit=2`)
    await using opened = await open(fake, "/#requests")
    const { page, complaints } = opened
    await openRow(page, "limit=2")
    await until(page, "injected_fault")
    const shown = await page.$eval("dialog", (dialog) => dialog.innerText)
    for (const text of [
      "503",
      "limit",
      "latency",
      "status",
      "held back 400 ms",
      JSON.parse(sent.text).errors[0].message,
    ]) {
      expect(shown).toContain(text)
    }
    const [handled, held] = await page.$$eval("dialog .timing .bar span", (parts) =>
      parts.map((part) => part.getBoundingClientRect().width),
    )
    expect(held ?? 0).toBeGreaterThan(handled ?? 0)
    await page.click("dialog a.button")
    await page.waitForFunction(() => scrollY > 500 && document.body.innerText.includes("Search for transfers"))
    expect(complaints).toEqual([])
  })

  test("name the page to which a cursor led, and keep the cursor in the title", async () => {
    await using fake = await startFake({ transfers: 9 })
    const search = `${fake.url}/v1/transfers/search?limit=2`
    const { end_cursor } = JSON.parse((await call(search)).text).page_info
    await call(`${search}&after_cursor=${end_cursor}`)
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await until(page, "page=2")
    const title = await page.$eval("td.request", (cell) => cell.getAttribute("title"))
    expect(title).toBe(`GET /v1/transfers/search limit=2 after_cursor=${end_cursor}`)
  })

  test("are filtered by text and by faults, and cleared", async () => {
    await using fake = await startFake({ transfers: 3 })
    await call(`${fake.url}/v1/capabilities`)
    fake.addFaults({ faults: [{ fault: "bom" }] })
    await call(`${fake.url}/v1/transfers/search?limit=2`)
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await until(page, "capabilities")
    expect(await rows(page)).toHaveLength(2)
    await fill(page, "[data-search]", "limit=2")
    await page.waitForFunction(() => document.querySelectorAll(".row-button").length === 1)
    await fill(page, "[data-search]", "")
    await page.select(".filters select", "with faults")
    await page.waitForFunction(() => document.querySelectorAll(".row-button").length === 1)
    expect((await rows(page))[0]).toContain("bom")
    await click(page, "Clear")
    await until(page, "No requests yet.")
    expect(fake.requests()).toEqual([])
  })
})

describe("the faults", () => {
  test("are switched on and off, by keyboard alone", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "No fault is active.")
    await page.focus("[role=switch]")
    await page.keyboard.press("Space")
    await until(page, "applied 0")
    await until(page, "1 fault active")
    expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(503)
    await page.keyboard.press("Space")
    await until(page, "No fault is active.")
    await untilGone(page, "1 fault active")
    expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
    expect(complaints).toEqual([])
  })

  test("apply to the chosen requests, and are removed one by one or all at once", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "No fault is active.")
    await page.select(".scope select", "2")
    await page.locator("::-p-aria(503 Service Unavailable)").click()
    await until(page, "every 3rd request")
    await page.select(".scope select", "1")
    await page.locator("::-p-aria(Duplicate rows)").click()
    await until(page, "2 faults active")
    await expect.poll(() => page.title()).toBe("(2) transfers-fake")
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await call(`${fake.url}/v1/capabilities`)).status)
    expect(statuses).toEqual([200, 200, 503])
    await until(page, "applied 1 of 3")
    await until(page, "over")
    await click(page, "Remove 503 Service Unavailable")
    await until(page, "1 fault active")
    await click(page, "Remove all")
    await until(page, "No fault is active.")
  })

  test("show how often a rule was applied, and problems of its faults", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake, "/#requests")
    const { page, complaints } = opened
    await until(page, "live")
    await page.click("summary")
    await fill(page, ".own-rule textarea", '{"faults":[{"fault":"odd"}]}')
    await click(page, "Add rule")
    await until(page, "expected fault to be one of")
    const rule = { faults: [{ fault: "insert", transfers: [{ id: "tr_again" }] }] }
    await fill(page, ".own-rule textarea", JSON.stringify(rule))
    await click(page, "Add rule")
    await until(page, "applied 0")
    await untilGone(page, "expected fault to be one of")
    for (let n = 0; n < 2; n++) await call(`${fake.url}/v1/capabilities`)
    await until(page, "applied 2")
    await page.click(".fault-badge")
    expect(await page.evaluate(() => [location.hash, document.activeElement?.id])).toEqual(["#requests", "faults"])
    await page.evaluate(() => document.querySelector<HTMLElement>(".skip")?.click())
    expect(await page.evaluate(() => [location.hash, document.activeElement?.id])).toEqual(["#requests", "main"])
    await openRow(page, "problem")
    await until(page, 'there is one with the id "tr_again"')
    expect(complaints.filter((line) => !line.includes("400"))).toEqual([])
  })
})

describe("the connection", () => {
  test("needs the admin token if there is one", async () => {
    await using fake = await startFake({ transfers: 3, adminToken: "let-me-in" })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "Admin token")
    await page.type("input[type=password]", "wrong")
    await page.keyboard.press("Enter")
    await expect.poll(() => textOf(page)).toContain("The fake rejects this token.")
    expect(await rows(page)).toEqual([])
    await fill(page, "input[type=password]", "let-me-in")
    await page.keyboard.press("Enter")
    await until(page, "3 rows")
    expect(await rows(page)).toHaveLength(3)
    await page.click(".views a.requests")
    await expect.poll(() => textOf(page)).toContain("live")
  })

  test("that is lost is reported, and used again when it is back", async () => {
    const fake = await startFake({ transfers: 3 })
    await using opened = await open(fake, "/#requests")
    const { page } = opened
    await until(page, "live")
    const port = Number(new URL(fake.url).port)
    await fake.close()
    await expect.poll(() => textOf(page)).toContain("The fake does not respond.")
    await until(page, "not connected")
    await using again = await startFake({ transfers: 3, port })
    await expect.poll(() => textOf(page)).not.toContain("The fake does not respond.")
    await until(page, "live")
    await call(`${again.url}/v1/capabilities`)
    await expect.poll(() => rows(page)).toEqual([expect.stringContaining("/v1/capabilities")])
  })
})
