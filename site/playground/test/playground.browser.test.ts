/// <reference lib="dom" />
import type { Page } from "puppeteer-core"
import { describe, expect, it } from "vitest"
import { axe, until, usePlayground } from "./openPlayground.ts"

const open = usePlayground()
const quick = "transfers=400&latency=10"

describe("the scan", () => {
  it("is drawn while it runs, and names what the loop lost", async () => {
    await using opened = await open(`#scan?shape=displaced&${quick}`)
    const { page } = opened
    await until(page, "All ")
    await until(page, "Lost without a word: tr_")
    const drawn = await page.$eval("canvas", (canvas) => {
      const { width, height } = canvas
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? []
      return new Set(Array.from({ length: pixels.length / 4 }, (_, at) => pixels.slice(4 * at, 4 * at + 3).join(" ")))
        .size
    })
    expect(drawn).toBeGreaterThan(3)
    expect(opened.complaints).toEqual([])
  })

  it("is a link: what one sets is in the address, and the address sets it", async () => {
    await using opened = await open(`#scan?${quick}`)
    const { page } = opened
    await page.select("select", "shuffled")
    await page.waitForFunction(() => location.hash.includes("shape=shuffled"))
    const [, fragment = ""] = page.url().split("#")
    await using again = await open(`#${fragment}`)
    expect(await again.page.$eval("select", ({ value }) => value)).toBe("shuffled")
  })

  it("opens a history of the simulator", async () => {
    const history = JSON.stringify({ ages: [1000, 5000, 9000], order: "by-id", displaced: 1, limit: 1, windowSize: 20 })
    await using opened = await open(`#scan?latency=10&history=${encodeURIComponent(history)}`)
    await until(opened.page, "A history of the simulator: 3 transfers, by-id.")
    await until(opened.page, "All ")
  })

  it("loads at most 150 kB, compressed", async () => {
    await using opened = await open("#scan")
    expect(opened.loaded() / 1000).toBeLessThan(150)
  })

  it("draws twice a second for who wants less motion", async () => {
    await using opened = await open("#scan?transfers=3000&latency=100", { lessMotion: true })
    const figures = () => opened.page.$eval("dd", ({ textContent }) => textContent)
    const seen = new Set<string | null>()
    for (const until = performance.now() + 1500; performance.now() < until;) seen.add(await figures())
    expect(seen.size).toBeLessThan(7)
    expect(seen.size).toBeGreaterThan(1)
  })

  it("spends less than a frame of 16 ms on a frame, with 64 windows at once", async () => {
    await using opened = await open("#scan?shape=even&transfers=10000&latency=120&windows=64")
    const session = await opened.page.createCDPSession()
    // What the thread worked, so that no other program of the machine counts.
    await session.send("Performance.enable", { timeDomain: "threadTicks" })
    const worked = async () => {
      const { metrics } = await session.send("Performance.getMetrics")
      return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN)
    }
    const costs: Array<number> = []
    for (let round = 0; round < 5; round++) {
      const before = await worked()
      const frames = await opened.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let count = 0
            const end = performance.now() + 500
            const next = (now: number) => (++count, now < end ? requestAnimationFrame(next) : resolve(count))
            requestAnimationFrame(next)
          }),
      )
      costs.push(((await worked()) - before) / frames)
    }
    expect(Math.min(...costs)).toBeLessThan(16)
  })
})

describe("the filter", () => {
  it("shows instants, requests and what is filtered here, and says what is wrong", async () => {
    await using opened = await open("#filter")
    const { page } = opened
    await page.waitForSelector("input[type=text]")
    const type = async (text: string) => {
      await page.$eval("input[type=text]", (input) => ((input.value = ""), input.focus()))
      await page.type("input[type=text]", text)
    }
    await type("until 2024-09-01T00:00:00.5Z")
    await until(page, "GET /v1/transfers/search?created_at=lt:2024-09-01T00:00:01Z")
    await until(page, "then keeps here lte:2024-09-01T00:00:00.5Z")
    await type("2024-09 or soon")
    await until(page, '"soon" is not a time')
    expect(page.url()).toContain("created=2024-09+or+soon")
    expect(opened.complaints).toEqual([])
  })
})

describe("money and books", () => {
  it("adds exactly, reads a ledger, and says why one is refused", async () => {
    await using opened = await open("#ledger")
    const { page } = opened
    await until(page, "1000000.000000000000000001")
    await until(page, "4 breaks")
    await until(page, "bookings, in columns between commas, with a decimal point.")
    await until(page, "Booked, but not settled")
    await page.$eval("textarea", (area) => {
      area.value = "a,b\n1,2\n"
      area.dispatchEvent(new Event("input", { bubbles: true }))
    })
    await until(page, "The ledger cannot be read")
    expect(opened.complaints).toEqual([])
  })
})

describe("the fake", () => {
  it("serves its console and clients in the page, and a fault reaches them", async () => {
    await using opened = await open("#fake")
    const { page } = opened
    const frame = await (await page.waitForSelector("iframe"))?.contentFrame()
    await frame?.waitForSelector("tbody tr")
    await (await page.waitForSelector("button.primary"))?.click()
    await until(page, "TransferKit: 600 transfers, each once.")
    await frame?.evaluate(() =>
      fetch("/_fake/faults", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"when":{"request":{"from":1}},"times":1,"faults":[{"fault":"status","status":503}]}',
      }),
    )
    await page.evaluate(() =>
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.includes("loop"))?.click(),
    )
    await until(page, "The loop: 0 transfers")
    expect(opened.complaints).toEqual([])
  })
})

/** Settings whose longest value is cut, instants on two lines, and rows of a ledger on two lines. */
const brokenTexts = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const cut = [...document.querySelectorAll("select")].filter((select) => {
      const given = select.offsetWidth
      select.style.width = "auto"
      const needed = select.offsetWidth
      select.style.width = ""
      return given < needed
    })
    const broken = [...document.querySelectorAll<HTMLElement>(".bound")].filter(
      (bound) => bound.offsetHeight > 1.9 * parseFloat(getComputedStyle(bound).fontSize),
    )
    const wrapping = [...document.querySelectorAll("textarea")].filter(
      (area) =>
        getComputedStyle(area).whiteSpaceCollapse !== "preserve" || getComputedStyle(area).textWrapMode !== "nowrap",
    )
    return [...cut, ...broken, ...wrapping].map(({ outerHTML }) => outerHTML.slice(0, 80))
  })

interface Checked {
  readonly passes: ReadonlyArray<unknown>
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
}

const tools = ["scan?transfers=400&latency=10", "filter", "ledger", "fake"]
const visitors = [1280, 768, 390].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })))

describe.each(tools)("#%s", (tool) => {
  it.each(visitors)(
    "has no fault of accessibility and no sideways scrolling at $width px, $scheme",
    async (visitor) => {
      await using opened = await open(`#${tool}`, visitor)
      const { page } = opened
      await page.waitForSelector("h2")
      await page.waitForFunction(
        () => !document.body.innerText.includes("Loading…") && !document.body.innerText.includes("Reading…"),
      )
      // The page's policy lets no script in but its own: a debugger may.
      await page.evaluate(await axe())
      const violations = await page.evaluate(async () => {
        const found: Checked = await Object(globalThis)["axe"].run(document, { iframes: false })
        return found.passes.length === 0
          ? ["axe checked nothing"]
          : found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      })
      expect(violations).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      const cut = await page.$$eval(".table", (all) => all.map((each) => each.scrollWidth - each.clientWidth))
      expect(cut).toEqual(cut.map(() => 0))
      expect(await brokenTexts(page)).toEqual([])
      expect(opened.complaints).toEqual([])
    },
  )
})

it("can be used with the keyboard: a tool is a link, and a setting is a control", async () => {
  await using opened = await open(`#scan?${quick}`)
  const { page } = opened
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 20) ?? "")
  const seen: Array<string> = []
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press("Tab")
    seen.push(await focused())
  }
  expect(seen.slice(0, 6)).toEqual(["Skip to the content", "TransferKit", "Scan", "Filter", "Money and books", "Fake"])
  await page.focus('a[href="#filter"]')
  await page.keyboard.press("Enter")
  await until(page, "Transfers created")
  expect(await page.title()).toBe("Filter · TransferKit playground")
  await page.goBack()
  await until(page, "A cursor loop")
})

it("shows external ids whole in the console of a phone", async () => {
  await using opened = await open("#fake", { width: 390 })
  const frame = await (await opened.page.waitForSelector("iframe"))?.contentFrame()
  await frame?.waitForSelector("tbody tr")
  const cut = await frame?.$$eval(
    "tbody td",
    (all) => all.filter((cell) => cell.textContent?.startsWith("order-") && cell.scrollWidth > cell.clientWidth).length,
  )
  expect(cut).toBe(0)
})

it("stands within another page without its frame", async () => {
  await using opened = await open("?embedded#filter")
  await until(opened.page, "Transfers created")
  expect(await opened.page.$eval("header", (header) => header.getBoundingClientRect().height)).toBe(0)
  expect(await opened.page.$("nav")).toBeNull()
  expect(opened.complaints).toEqual([])
})
