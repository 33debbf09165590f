/** The manual pages as groff shows them. It has to be installed: CI has a step for this. */
import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import * as HelpPages from "../scripts/HelpPages.ts"
import * as HelpContent from "../src/help/HelpContent.ts"
import * as ManPage from "../src/help/ManPage.ts"

const docs = Object.entries(await HelpPages.docs())
const all = docs.map(([, doc]) => doc)

test.each(docs)(
  "groff shows the page of 'transfers %s' without a warning, with every flag and example as it is",
  (_, doc) => {
    const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=400n"], {
      input: ManPage.render(doc, { version: "1.0.0", all }),
      encoding: "utf8",
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const { sections } = HelpContent.of(doc)
    const shown = sections
      .filter(({ title }) => title !== "MORE")
      .flatMap(({ rows, examples }) => [
        ...rows.flat(),
        ...examples.flatMap(({ command, description = "" }) => [command, description]),
      ])
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.filter((text) => !stdout.includes(text))).toEqual([])
  },
)
