/// <reference lib="dom" />
/** The page of a certificate as people see it: on screens of any width, on paper, and with a screen reader. */
import { execFileSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, describe, expect, test } from "vitest"
import * as WrittenPages from "./WrittenPages.ts"

const { file, open, run } = WrittenPages.use()

beforeAll(async () => {
  await using fake = await startFakeServer({ transfers: 50 })
  await run(["certify", "--rate", "1000", "--html", file("certificate.html")], {
    TRANSFERS_BASE_URL: fake.url,
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  })
})

describe("a certificate", () => {
  const rows = () => [...document.querySelectorAll("details tr")].filter((row) => row.checkVisibility()).length
  const excess = () => document.documentElement.scrollWidth - innerWidth

  test("has its long lists closed on a phone, and scrolls at most one way when they are open", async () => {
    const page = await open("certificate.html", 390)
    expect(await page.evaluate(rows)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1500)
    await page.$$eval("summary", (all) => all.forEach((each) => each.click()))
    expect(await page.evaluate(rows)).toBeGreaterThan(60)
    expect(await page.evaluate(excess)).toBe(0)
    await page.close()
  })

  test("shows them on a desktop, with no name over two lines", async () => {
    const page = await open("certificate.html", 1280)
    expect(await page.evaluate(rows)).toBeGreaterThan(60)
    const lines = await page.$$eval("td code, td:first-child > span", (all) =>
      all.map((name) => name.getClientRects().length),
    )
    expect(lines.length).toBeGreaterThan(60)
    expect(new Set(lines)).toEqual(new Set([1]))
    expect(await page.evaluate(excess)).toBe(0)
    await page.close()
  })

  test("has them on paper", async () => {
    const page = await open("certificate.html")
    await writeFile(file("certificate.pdf"), await page.pdf({ format: "A4" }))
    const text = execFileSync("pdftotext", ["-layout", file("certificate.pdf"), "-"], { encoding: "utf8" })
    expect(text).toMatch(/search-status/)
    expect(text).toMatch(/largest page/)
    await page.close()
  })

  test("has no barrier that axe finds", async () => {
    const page = await open("certificate.html", 390)
    await page.evaluate(await readFile(WrittenPages.axe, "utf8"))
    const { violations } = (await page.evaluate("axe.run()")) as {
      readonly violations: ReadonlyArray<{ readonly id: string }>
    }
    expect(violations.map(({ id }) => id)).toEqual([])
    await page.close()
  })
})
