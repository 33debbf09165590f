import { expect, test } from "vitest"
import { markup } from "../src/internal/pages/Html.ts"

test("a text in a page is no markup, and can neither reorder nor hide what is read", () => {
  const text = "<b>\u202e100\u2066\u009b\u200b\u001b\n\t&"
  expect(markup`<i>${text}</i>`.text).toBe("<i>&lt;b&gt;\\u202e100\\u2066\\u009b\\u200b\\u001b\n\t&amp;</i>")
  expect(markup`<i>${[markup`<b>`, "\u202e", 1, undefined]}</i>`.text).toBe("<i><b>\\u202e1</i>")
})
