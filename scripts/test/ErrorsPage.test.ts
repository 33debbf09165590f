import { expect, it } from "vitest"
import * as ErrorsPage from "../ErrorsPage.ts"
import * as Generated from "../Generated.ts"

it("docs/errors.md is what the sources say (pnpm generate writes it)", () => {
  expect(Generated.outdated()).not.toContain("docs/errors.md")
})

it("has an exit code for every error", () => {
  expect(ErrorsPage.markdown()).not.toContain("Exit code undefined")
  expect(ErrorsPage.markdown().match(/^### /gm)?.length).toBeGreaterThan(20)
})

it("reads meaning and messages of an error", () => {
  const source =
    '/** Too late.\n * Really. */\nexport class Late extends Data.TaggedError("Late")<{}> {\n  override get message(): string {\n    return `By ${a ? `${b} s` : ""} late.`\n  }\n}\n'
  expect(ErrorsPage.errorsIn(source)).toEqual([
    { name: "Late", meaning: "Too late. Really.", messages: ["By … late."] },
  ])
})
