import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import * as Transcript from "../Transcript.ts"

it("the terminal in the README shows what the commands print", async () => {
  expect(readFileSync(Transcript.file, "utf8")).toBe(await Transcript.record())
})

it("draws a line as wide as its characters, and nothing for an empty one", () => {
  const svg = Transcript.picture(["$ a < b", "", "█"])
  expect(svg).toContain('textLength="55" class="command">$ a &lt; b</text>')
  expect(svg.match(/<text /g)).toHaveLength(2)
})
