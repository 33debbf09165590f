import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import * as HelpPages from "../scripts/HelpPages.ts"
import * as ManPage from "../src/help/ManPage.ts"
import { dist } from "./Cli.ts"

const docs = Object.values(await HelpPages.docs())
const page = (description: string, commandPath: ReadonlyArray<string> = ["transfers", "try-it"]): string =>
  ManPage.render(
    {
      description,
      usage: "",
      commandPath,
      flags: [{ name: "out", aliases: ["-o"], type: "FILE", description: Option.some("A file"), required: false }],
      annotations: Context.empty(),
      examples: [{ command: `transfers try-it --jq '."a"' > ~/a`, description: "Ends with `" }],
    },
    { version: "1.2.3-rc.1", all: docs },
  )

test("the package has a manual page for every command, and names each, so that npm installs it", async () => {
  const files = await readdir(join(dist, "man"))
  expect(files.toSorted()).toEqual(docs.map(ManPage.fileName).toSorted())
  expect(manifest.man).toEqual(files.toSorted().map((file) => `dist/man/${file}`))
  expect(await readFile(join(dist, "man", "transfers-profiles-save.1"), "utf8")).toContain(
    `"transfers ${manifest.version.replaceAll("-", "\\-")}"`,
  )
})

test("hyphens, quotes, backslashes, accents and dots at the start stay what they are", () => {
  const lines = page(".hidden 'a' \"b\" \\n x^2 ~ `c` naïve 😀. More.").split("\n")
  const escaped = "hidden \\(aqa\\(aq \\(dqb\\(dq \\(rsn x\\(ha2 \\(ti \\(gac\\(ga na\\[u00EF]ve \\[u1F600]"
  expect(lines[0]).toBe('.TH TRANSFERS\\-TRY\\-IT 1 "" "transfers 1.2.3\\-rc.1"')
  expect(lines).toContain(`transfers\\-try\\-it \\- \\&.${escaped}`)
  expect(lines).toContain(`\\&.${escaped}. More.`)
  expect(lines).toContain("\\fB\\-o, \\-\\-out FILE\\fR")
  expect(lines).toContain("transfers try\\-it \\-\\-jq \\(aq.\\(dqa\\(dq\\(aq > \\(ti/a")
})

test("a page refers to the command above it and to those below it", () => {
  const seeAlso = (path: string): ReadonlyArray<string> => {
    const doc = docs.find(({ commandPath = [] }) => commandPath.join(" ") === path)
    const roff = doc === undefined ? "" : ManPage.render(doc, { version: "1.0.0", all: docs })
    return (roff.split(".SH SEE ALSO\n")[1] ?? "").match(/[a-z]+(?:\\-[a-z]+)*(?=\\fR\(1\))/g) ?? []
  }
  expect(seeAlso("transfers profiles save")).toEqual(["transfers", "transfers\\-profiles"])
  expect(seeAlso("transfers profiles").slice(0, 2)).toEqual(["transfers", "transfers\\-profiles\\-save"])
  expect(seeAlso("transfers show")).toEqual(["transfers"])
  expect(seeAlso("transfers")).toHaveLength(docs.length - 1)
})
