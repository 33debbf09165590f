import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import * as FirstSteps from "../packaging/FirstSteps.ts"
import * as Repository from "../Repository.ts"

test("a section is its files and commands in their order, up to the next section", () => {
  const page =
    "# A\n\n## Try\n\n```sh\nnpm i\n```\n\ntext\n\n```typescript a.test.ts\nx\n```\n\n```json\n{}\n```\n\n```sh\nrun\n```\n\n## Other\n\n```sh\nno\n```\n"
  expect(FirstSteps.partsOf(page, "Try")).toEqual([
    { commands: "npm i\n" },
    { file: "a.test.ts", text: "x\n" },
    { commands: "run\n" },
  ])
  expect(() => FirstSteps.partsOf(page, "Gone")).toThrow('there is no section "Gone"')
})

describe.each(FirstSteps.all)("$page, $heading", ({ page, heading, minutes }) => {
  test("begins with an installation, and then does something, within the minutes that are promised", () => {
    const commands = FirstSteps.partsOf(readFileSync(join(Repository.root, page), "utf8"), heading).flatMap((part) =>
      "commands" in part ? part.commands.trim().split("\n") : [],
    )
    expect(commands[0]).toMatch(/^npm install --(?:global|save-dev) @transferkit\//)
    expect(commands.length).toBeGreaterThan(1)
    expect([1, 5, 10]).toContain(minutes)
  })
})
