/**
 * `node apps/fake-server/scripts/screenshot.ts` renders the picture in the README. With a folder as its argument, it
 * renders every state of the console there, at three widths, in both themes.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import type { Browser, Page } from "puppeteer-core"
import * as ConsoleFiles from "../src/ConsoleFiles.ts"
import * as Chromium from "./Chromium.ts"

interface Scene {
  readonly name: string
  readonly view: string
  readonly act?: (page: Page) => Promise<unknown>
  readonly fake?: "busy" | "empty" | "closed"
}

const until = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body?.innerText.includes(wanted), { timeout: 10_000 }, text)

const clickRow = async (page: Page, text: string) => {
  await until(page, text)
  await page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll<HTMLElement>("tbody tr")]
    rows.find((row) => row.innerText.includes(wanted))?.click()
  }, text)
  await page.waitForSelector("dialog[open]")
}

const click = (page: Page, name: string) => page.locator(`::-p-aria(${name}[role="button"])`).click()

const scenes: ReadonlyArray<Scene> = [
  { name: "transfers", view: "transfers" },
  { name: "transfer", view: "transfers", act: (page) => clickRow(page, "executing") },
  {
    name: "editor",
    view: "transfers",
    act: async (page) => {
      await click(page, "Insert")
      await page.waitForSelector("dialog[open]")
      await page.type("dialog textarea", '"id": "tr_1",')
      await page.click("dialog .primary")
      await until(page, "The body is not JSON")
    },
  },
  { name: "requests", view: "requests", act: (page) => until(page, "live") },
  { name: "request", view: "requests", act: (page) => clickRow(page, "drip") },
  { name: "faults", view: "faults" },
  { name: "capabilities", view: "capabilities" },
  { name: "no-transfers", view: "transfers", fake: "empty", act: (page) => until(page, "There are no transfers") },
  { name: "no-requests", view: "requests", fake: "empty", act: (page) => until(page, "No requests yet") },
  {
    name: "lost",
    view: "transfers",
    fake: "closed",
    act: (page) => until(page, "does not respond"),
  },
  { name: "token", view: "token", fake: "closed", act: (page) => until(page, "Admin token") },
]

const credentials = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`

/** A fake with transfers, active faults, and requests that met them. */
const startBusy = async (): Promise<RunningFakeServer> => {
  const fake = await startFakeServer({ transfers: 5000, seed: 2024, partners, consoleFiles: ConsoleFiles.load })
  const request = async (target: string, headers = { authorization: credentials }) => {
    const response = await fetch(fake.url + target, { headers }).catch(() => undefined)
    return response?.text().catch(() => "") ?? ""
  }
  const scan = async (pages: number) => {
    let cursor = ""
    for (let page = 0; page < pages; page++) {
      const text = await request(`/v1/transfers/search?limit=20${cursor}`)
      const found = /"end_cursor":"([^"]+)"/.exec(text)?.[1]
      if (found !== undefined) cursor = `&after_cursor=${found}`
    }
  }
  await fetch(`${fake.url}/_fake/transfers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ external_id: "order-1001" }, { external_id: "order-1002" }]),
  })
  await scan(3)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await request("/v1/capabilities")
  fake.addFaults(
    { when: { request: { every: 3 } }, faults: [{ fault: "latency", ms: 120 }] },
    { when: { probability: 0.2 }, faults: [{ fault: "status", status: 503 }] },
    { times: 1, faults: [{ fault: "drip", bytes: 2000, every_ms: 20 }] },
  )
  await scan(9)
  await request("/v1/transfers/search?created_at=yesterday")
  await request("/v1/transfers/search?external_id=order-1001&created_at=gte:2024-12-01T00:00:00Z")
  await request("/v1/transfers/search", { authorization: "" })
  await request("/v1/transfers")
  return fake
}

const partners = ["demo:demo-secret", "acme:acme-secret"]

const startFor = (scene: Scene): Promise<RunningFakeServer> => {
  if (scene.fake === "empty") return startFakeServer({ consoleFiles: ConsoleFiles.load })
  const token = scene.view === "token" ? { adminToken: "secret" } : {}
  return scene.fake === "closed"
    ? startFakeServer({ transfers: 40, consoleFiles: ConsoleFiles.load, ...token })
    : startBusy()
}

const shoot = async (
  browser: Browser,
  scene: Scene,
  { width, theme, file }: { readonly width: number; readonly theme: string; readonly file: string },
  shared?: RunningFakeServer,
): Promise<void> => {
  const fake = scene.fake === undefined && shared !== undefined ? shared : await startFor(scene)
  const page = await browser.newPage()
  await page.setViewport({ width, height: width < 500 ? 844 : width < 1000 ? 1180 : 800 })
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ])
  await page.goto(`${fake.url}/#${scene.view}`)
  await page.waitForSelector("main h2")
  if (scene.name === "lost") {
    await until(page, "complete")
    await fake.close()
  }
  await scene.act?.(page)
  await new Promise((resolve) => setTimeout(resolve, 400))
  await page.screenshot({ path: file as `${string}.webp`, ...(file.endsWith(".webp") && { quality: 85 }) })
  await page.close()
  if (fake !== shared && scene.name !== "lost") await fake.close()
}

const [folder, only] = process.argv.slice(2)
const browser = await Chromium.start()
const busy = await startBusy()
if (folder === undefined) {
  const scene = scenes.find(({ name }) => name === "requests")
  const file = path.join(import.meta.dirname, "../console.webp")
  if (scene !== undefined) await shoot(browser, scene, { width: 1280, theme: "light", file }, busy)
} else {
  await fs.mkdir(folder, { recursive: true })
  for (const scene of scenes) {
    for (const width of [390, 768, 1280]) {
      for (const theme of ["light", "dark"]) {
        const name = `${scene.name}-${width}-${theme}`
        if (only !== undefined && !new RegExp(only).test(name)) continue
        await shoot(browser, scene, { width, theme, file: path.join(folder, `${name}.png`) }, busy)
      }
    }
  }
}
await busy.close()
await browser.close()
