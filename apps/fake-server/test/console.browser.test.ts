/// <reference lib="dom" />
/** The pages for people, in a real browser that may not reach anything but the fake. */
import * as fs from "node:fs"
import { startFakeServer, type RunningFakeServer } from "@transferkit/fake-server/FakeServer"
import { type Browser, launch, type Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { call } from "./partner.ts"

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

let browser: Browser

beforeAll(async () => {
  const executablePath = browsers.find((path) => fs.existsSync(path))
  if (executablePath === undefined)
    throw new Error(`These tests need Chromium at ${browsers.join(" or ")}: apt-get install chromium`)
  browser = await launch({ executablePath, args: ["--no-sandbox"] })
}, 60_000)

afterAll(() => browser?.close())

/** A page of the fake, and what it did that it should not: requests elsewhere, errors, failures. */
const open = async (fake: RunningFakeServer, path = "/") => {
  const page = await browser.newPage()
  const complaints: Array<string> = []
  page.on("request", (request) => {
    if (!request.url().startsWith(fake.url) && !/^(data|blob):/.test(request.url())) complaints.push(request.url())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
  await page.goto(fake.url + path)
  return { page, complaints, [Symbol.asyncDispose]: () => page.close() }
}

const rows = (page: Page, body = "#rows") =>
  page.$$eval(`${body} tr`, (found) => found.map((row) => row.textContent ?? ""))

const until = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 10_000 }, text)

const clickButton = async (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="button"])`).click()

describe("the console", { timeout: 30_000 }, () => {
  test("shows transfers, a page after the other, and finds by external_id", async () => {
    await using fake = await startFakeServer({ transfers: 45 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "20 of 20 rows")
    const [first] = (await call(`${fake.url}/v1/transfers/search`)).json.results
    expect((await rows(page))[0]).toContain(first.id)
    expect((await rows(page))[0]).toContain(`${first.source_total.amount} ${first.source_total.currency_code}`)
    await clickButton(page, "Next page")
    await page.waitForFunction((id) => !document.getElementById("rows")?.textContent?.includes(id), {}, first.id)
    await page.keyboard.press("/")
    await page.keyboard.type(first.external_id)
    await page.keyboard.press("Enter")
    await until(page, "of 1 rows")
    expect((await rows(page))[0]).toContain(first.id)
    expect(complaints).toEqual([])
  })

  test("shows requests as they come, and copies them as curl", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "live")
    await call(`${fake.url}/v1/transfers/search?limit=2&external_id=it's`)
    await until(page, "external_id=it's")
    expect(await rows(page, "#journal")).toHaveLength(1)
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: (text: string) => ((window.name = text), Promise.resolve()) },
      })
    })
    await page.click("#journal button")
    await until(page, "Copied.")
    expect(await page.evaluate(() => window.name)).toBe(
      `curl -G -u "demo:$TRANSFERS_SECRET_KEY" '${fake.url}/v1/transfers/search' \\\n  --data-urlencode 'limit=2' \\\n  --data-urlencode 'external_id=it'\\''s'`,
    )
    expect(complaints).toEqual([])
  })

  test("switches faults on and off, by keyboard alone", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "Every answer is 503")
    await page.focus("#switches input")
    await page.keyboard.press("Space")
    await until(page, "applied 0")
    expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(503)
    await page.keyboard.press("Space")
    await page.waitForFunction(() => document.getElementById("rules")?.childElementCount === 0)
    expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
    expect(complaints).toEqual([])
  })

  test("shows how often a rule was applied, and what a fault could not do", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    await using opened = await open(fake)
    const { page, complaints } = opened
    await until(page, "live")
    const rule = { faults: [{ fault: "insert", transfers: [{ id: "tr_again" }] }] }
    await page.$eval("#rule", (area, value) => ((area as HTMLTextAreaElement).value = value), JSON.stringify(rule))
    await clickButton(page, "Add rule")
    await until(page, "applied 0")
    for (let n = 0; n < 2; n++) await call(`${fake.url}/v1/capabilities`)
    await until(page, "applied 2")
    await until(page, 'there is one with the id "tr_again"')
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
    expect(complaints).toEqual([])
  })

  test("inserts a transfer, moves the clock on, changes and removes it", async () => {
    await using fake = await startFakeServer()
    await using opened = await open(fake)
    const { page, complaints } = opened
    const answerDialog = async (text: string, name: string) => {
      await page.waitForSelector("dialog[open]")
      if (text !== "")
        await page.$eval("#dialog-text", (area, value) => ((area as HTMLTextAreaElement).value = value), text)
      await clickButton(page, name)
    }
    await until(page, "0 in all")
    await clickButton(page, "Insert a transfer")
    await answerDialog('{"id":"tr_mine"}', "Save")
    await until(page, "tr_mine is inserted.")
    expect((await rows(page))[0]).toContain("executing")
    await clickButton(page, "Advance")
    await until(page, "It is 2025-01-01T00:15:00Z now.")
    expect((await rows(page))[0]).toMatch(/complete|declined/)
    await clickButton(page, "tr_mine")
    await answerDialog('{"kind":"cash_in","status":"odd","created_at":"2025-01-01T00:00:00Z"}', "Save")
    await until(page, "tr_mine is changed.")
    expect((await call(`${fake.url}/v1/transfers/search`)).json.results).toEqual([
      { id: "tr_mine", kind: "cash_in", status: "odd", created_at: "2025-01-01T00:00:00Z" },
    ])
    await clickButton(page, "tr_mine")
    await answerDialog("", "Remove")
    await until(page, "tr_mine is removed.")
    expect(await rows(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test("asks for the admin token where there is one", async () => {
    await using fake = await startFakeServer({ transfers: 3, adminToken: "let-me-in" })
    await using opened = await open(fake)
    const { page } = opened
    await page.waitForSelector("#token-field:not([hidden])")
    await page.type("#token", "let-me-in")
    await page.keyboard.press("Tab")
    await until(page, "3 of 3 rows")
  })

  test("follows the system into the dark", async () => {
    await using fake = await startFakeServer()
    await using opened = await open(fake)
    const { page } = opened
    const background = async (value: string) => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    }
    expect(await background("light")).toBe("rgb(255, 255, 255)")
    expect(await background("dark")).toBe("rgb(20, 24, 31)")
  })
})

describe("the reference", { timeout: 60_000 }, () => {
  test("works offline and names both operations", async () => {
    await using fake = await startFakeServer()
    await using opened = await open(fake, "/docs")
    const { page, complaints } = opened
    await until(page, "Search for transfers")
    await until(page, "Read capabilities")
    await until(page, "after_cursor")
    expect(complaints).toEqual([])
  })
})
