/// <reference lib="dom" />
/** The console of a fake in a real browser, which may only reach the fake. */
import type { FakeOptions } from "@transferkit/fake/FakeOptions"
import * as FakeServer from "@transferkit/fake/FakeServer"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll } from "vitest"
import * as Chromium from "../scripts/Chromium.ts"
import * as ConsoleFiles from "../src/ConsoleFiles.ts"

/** A fake with the console page of this app. */
export const startFake = (options: FakeOptions = {}) =>
  FakeServer.startFakeServer({ ...options, consoleFiles: ConsoleFiles.load })

/** A page of the fake, and its complaints: requests elsewhere, errors, failures. */
export interface Opened extends AsyncDisposable {
  readonly page: Page
  readonly complaints: ReadonlyArray<string>
}

/** Opens pages in a browser that all tests of a file share. */
export const useBrowser = () => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await Chromium.start()
  })
  afterAll(() => browser?.close())
  return async (fake: FakeServer.RunningFakeServer, path = "/"): Promise<Opened> => {
    if (browser === undefined) throw new Error("The browser has not started.")
    const page = await browser.newPage()
    page.setDefaultTimeout(patience.timeout)
    const complaints: Array<string> = []
    page.on("request", (request) => {
      if (!request.url().startsWith(fake.url) && !/^(data|blob):/.test(request.url())) complaints.push(request.url())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
    await page.setViewport({ width: 1280, height: 900 })
    await page.goto(fake.url + path)
    return { page, complaints, [Symbol.asyncDispose]: () => page.close() }
  }
}

/** The texts of the rows of the table. */
export const rows = (page: Page) =>
  page.$$eval("tbody tr:not(.burst)", (found) => found.map((row) => row.textContent ?? ""))

/** All text that the page shows. */
export const textOf = (page: Page) => page.evaluate(() => document.body.innerText)

/** To read all text of the reference in each frame would keep it from loading. */
export const patience = { polling: 100, timeout: 240_000 }

/**
 * Waits until the page shows a text. A document has no body at first: a condition that throws when it is first looked at,
 * as after a click on a link, is never looked at again.
 */
export const until = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body?.innerText.includes(wanted), patience, text)

/** Waits until the page no longer shows a text. */
export const untilGone = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body?.innerText.includes(wanted) === false, patience, text)

/** Clicks a button by its name. */
export const click = (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="button"])`).click()

/** Opens the row that shows a text. */
export const openRow = async (page: Page, text: string) => {
  await until(page, text)
  await page.evaluate((wanted) => {
    const found = [...document.querySelectorAll<HTMLElement>("tbody tr")]
    found.find((row) => row.innerText.includes(wanted))?.click()
  }, text)
  await page.waitForSelector("dialog[open]")
}

/** Replaces the text of a field, as a person who types does. */
export const fill = (page: Page, selector: string, text: string) =>
  page.$eval(
    selector,
    (field, value) => {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error("Not a field.")
      field.value = value
      field.dispatchEvent(new Event("input", { bubbles: true }))
      field.dispatchEvent(new Event("change", { bubbles: true }))
    },
    text,
  )

/** Collects copied texts, and returns those collected so far. */
export const collectCopies = async (page: Page) => {
  await page.evaluate(() => {
    window.name = ""
    const writeText = (text: string) => ((window.name += `${text}\n`), Promise.resolve())
    Object.defineProperty(navigator, "clipboard", { value: { writeText } })
  })
  return () => page.evaluate(() => window.name)
}
