import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"
import * as Transcript from "../Transcript.ts"

it.each([
  ["wide", Transcript.wide],
  ["narrow", Transcript.narrow],
])("the %s terminal in the README shows what the commands print", async (_, shown) => {
  expect(readFileSync(shown.file, "utf8")).toBe(await Transcript.record(shown))
})

it.each([
  ["wide", Transcript.wide],
  ["narrow", Transcript.narrow],
])("the %s terminal shows commands without a filter that only the picture needs, and no id twice", (_, shown) => {
  expect(shown.commands.join("\n")).not.toMatch(/grep|sed|awk|cut/)
  for (const line of readFileSync(shown.file, "utf8").split("\n")) {
    const ids = line.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
    expect(new Set(ids).size).toBe(ids.length)
  }
})

it("the wide terminal is read on a tablet of 768 pixels without scrolling", () => {
  const [, width] = /viewBox="0 0 (\d+) /.exec(readFileSync(Transcript.wide.file, "utf8")) ?? []
  const styles = readFileSync(join(Repository.root, "site/.vitepress/theme/style.css"), "utf8")
  const [, least] = /picture > img \{\s*min-width: (\d+)px/.exec(styles) ?? []
  // The site leaves 48 pixels beside the page.
  const shown = Math.max(Number(least), 768 - 2 * 48)
  expect(shown).toBeLessThanOrEqual(768 - 2 * 48)
  expect((13 * shown) / Number(width)).toBeGreaterThanOrEqual(10.5)
})

it("draws a line as wide as its characters, and nothing for an empty one", () => {
  const svg = Transcript.picture(["$ a < b", "", "█"], 108)
  expect(svg).toContain('textLength="55" class="command">$ a &lt; b</text>')
  expect(svg.match(/<text /g)).toHaveLength(2)
})

it.each(["terminal", "windows", "money"])("the README has a picture of %s that people can read on a phone", (name) => {
  const readme = readFileSync(join(Repository.root, "README.md"), "utf8")
  expect(readme).toContain(`<source media="(max-width: 600px)" srcset="docs/pictures/${name}-narrow.svg">![`)
  const svg = readFileSync(join(Repository.root, `docs/pictures/${name}-narrow.svg`), "utf8")
  const [, width] = /viewBox="0 0 (\d+) /.exec(svg) ?? []
  const sizes = [...svg.matchAll(/(?:font|font-size):(\d+)px/g)].map(([, size]) => Number(size))
  // GitHub and the site leave 24 pixels beside a page on each side of a screen of 390.
  expect(Math.min(...sizes) * Math.min(1, (390 - 2 * 24) / Number(width))).toBeGreaterThanOrEqual(10)
})
