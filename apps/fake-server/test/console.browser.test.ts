/// <reference lib="dom" />
/** The pages for people, in a real browser that may not reach anything but the fake. */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { promisify } from "node:util"
import type { FakeOptions } from "@transferkit/fake/FakeOptions"
import * as FakeServer from "@transferkit/fake/FakeServer"
import { type Browser, launch, type Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"

/** A fake with the console page of this app. */
const startFake = (options: FakeOptions = {}) =>
  FakeServer.startFakeServer({ ...options, consoleFolder: new URL("../src/console/", import.meta.url) })

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
const open = async (fake: FakeServer.RunningFakeServer, path = "/") => {
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
    await using fake = await startFake({ transfers: 45 })
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
    await using fake = await startFake({ transfers: 3 })
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
      `curl -G -u 'demo:'"$TRANSFERS_SECRET_KEY" '${fake.url}/v1/transfers/search' \\\n  --data-urlencode 'limit=2' \\\n  --data-urlencode 'external_id=it'\\''s'`,
    )
    expect(complaints).toEqual([])
  })

  test("copies requests of any method so that curl makes them again", async () => {
    await using fake = await startFake({ partners: ["a:1", "it's `me`:2"] })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "live")
    for (const method of ["HEAD", "POST", "GET"]) {
      await call(`${fake.url}/v1/transfers/search?limit=2`, { method, credentials: "it's `me`:2" })
    }
    await until(page, "req-3")
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: (text: string) => ((window.name += `${text}\n`), Promise.resolve()) },
      })
      window.name = ""
      for (const button of document.querySelectorAll<HTMLElement>("#journal button")) button.click()
    })
    const commands = await page.evaluate(() => window.name)
    const env = { PATH: process.env["PATH"], TRANSFERS_SECRET_KEY: "2" }
    await promisify(execFile)("sh", ["-ec", commands], { env, timeout: 10_000 })
    const again = fake.requests().slice(3)
    expect(again.map(({ method, status: answered }) => `${method} ${answered}`)).toEqual([
      "GET 200",
      "POST 405",
      "HEAD 200",
    ])
    for (const { parameters, partner } of again) expect([parameters, partner]).toEqual([{ limit: "2" }, "it's `me`"])
  })

  test("takes back what it said was wrong once it is right", async () => {
    await using fake = await startFake({ transfers: 3 })
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "3 of 3 rows")
    await page.type("[name=from]", "yesterday")
    await page.keyboard.press("Enter")
    await until(page, 'created_at cannot be "gte:yesterday"')
    await page.$eval("[name=from]", (field) => ((field as HTMLInputElement).value = ""))
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.getElementById("message")?.textContent === "")
  })

  test("keeps what was typed when it cannot be saved, and says why", async () => {
    await using fake = await startFake()
    await using opened = await open(fake)
    const { page } = opened
    await until(page, "0 in all")
    await clickButton(page, "Insert a transfer")
    const type = (text: string) =>
      page.$eval("#dialog-text", (area, value) => ((area as HTMLTextAreaElement).value = value), text)
    for (const [text, problem] of [
      ['{"id":"tr_1",', "The body is not JSON: "],
      ['{"id":"tr_1","kind":7}', "/kind should be"],
    ] as const) {
      await type(text)
      await clickButton(page, "Save")
      await page.waitForFunction(
        (part) => document.getElementById("dialog-problem")?.innerText.includes(part),
        {},
        problem,
      )
      expect(await page.$eval("#dialog-text", (area) => (area as HTMLTextAreaElement).value)).toBe(text)
    }
    await type('{"id":"tr_1"}')
    await clickButton(page, "Save")
    await until(page, "tr_1 is inserted.")
    expect(await page.$eval("#dialog", (dialog) => (dialog as HTMLDialogElement).open)).toBe(false)
  })

  test.each([360, 1280])(
    "shows every column's start and does not grow wider than %i pixels with long values",
    async (width) => {
      const long = "x".repeat(400)
      const created_at = "2024-09-01T00:00:00Z"
      const data = [{ id: long, external_id: long, kind: long, status: long, created_at }]
      await using fake = await startFake({ data, partners: ["demo:demo-secret", `${long.slice(0, 90)}:x`] })
      await call(`${fake.url}/v1/transfers/search?external_id=${long}`)
      await using opened = await open(fake)
      const { page } = opened
      await page.setViewport({ width, height: 900 })
      await until(page, "1 of 1 rows")
      await until(page, "live")
      const widths = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        cells: [...document.querySelectorAll("td")].map((each) => each.getBoundingClientRect().width),
      }))
      expect(widths.page).toBeLessThanOrEqual(width)
      expect(widths.cells.length).toBeGreaterThan(10)
      expect(Math.max(...widths.cells)).toBeLessThan(600)
    },
  )

  test("switches faults on and off, by keyboard alone", async () => {
    await using fake = await startFake({ transfers: 3 })
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
    await using fake = await startFake({ transfers: 3 })
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
    await using fake = await startFake()
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
    await using fake = await startFake({ transfers: 3, adminToken: "let-me-in" })
    await using opened = await open(fake)
    const { page } = opened
    await page.waitForSelector("#token-field:not([hidden])")
    await page.type("#token", "let-me-in")
    await page.keyboard.press("Tab")
    await until(page, "3 of 3 rows")
  })

  test("follows the system into the dark", async () => {
    await using fake = await startFake()
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
    await using fake = await startFake()
    await using opened = await open(fake, "/docs")
    const { page, complaints } = opened
    await until(page, "Search for transfers")
    await until(page, "Read capabilities")
    await until(page, "after_cursor")
    await until(page, "Username")
    for (const elsewhere of ["Generate SDKs", "Share", "Open API Client"]) {
      expect(await page.evaluate(() => document.body.innerText)).not.toContain(elsewhere)
    }
    expect(complaints).toEqual([])
  })
})
