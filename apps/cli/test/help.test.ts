import { readdir, readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import * as HelpPages from "../scripts/HelpPages.ts"
import * as Style from "../src/terminal/Style.ts"
import { run } from "./Cli.ts"

const golden = fileURLToPath(new URL("./golden/help/", import.meta.url))
const nameOf = (path: string): string => `${path === "" ? "transfers" : path.replaceAll(" ", "-")}.txt`

const pages = await HelpPages.all({ width: 80, style: Style.make({ colour: false }) })
const names = Object.keys(pages)

if (process.env["UPDATE_GOLDEN"] === "1") {
  for (const name of names) await writeFile(`${golden}${nameOf(name)}`, pages[name] ?? "")
}

test("every command has a golden page, and every golden page a command", async () => {
  expect(names.length).toBeGreaterThan(5)
  expect((await readdir(golden)).toSorted()).toEqual(names.map(nameOf).toSorted())
})

test.each(names)(
  "the page of 'transfers %s' matches its golden file, from the sources and from the bundle",
  async (name) => {
    const page = await readFile(`${golden}${nameOf(name)}`, "utf8")
    expect(pages[name]).toBe(page)
    const path = name === "" ? [] : name.split(" ")
    expect(await run([...path, "--help"])).toEqual({ code: 0, stdout: page, stderr: "" })
  },
)

test.each(names)("the page of 'transfers %s' fits 80 columns and has all sections", (name) => {
  const page = pages[name] ?? ""
  expect(page.split("\n").filter((line) => line.length > 80)).toEqual([])
  expect(page.split("\n")[0]).toMatch(/^[A-Z].*\.$|^[A-Z][^.]*$/)
  expect(page).toContain("\nUSAGE\n")
  expect(page).toContain("\nEXIT CODES\n")
  expect(page.match(/^ {2}# /gm)?.length ?? 0).toBeGreaterThanOrEqual(3)
})

test.each([
  [["help"], ""],
  [["help", "export"], "export"],
  [["help", "profiles", "save"], "profiles save"],
])("%j prints the page", async (args, name) => {
  expect(await run(args)).toEqual({ code: 0, stdout: pages[name], stderr: "" })
})

test("help works after other flags and on an otherwise invalid command line", async () => {
  const { code, stdout } = await run(["search", "--limit", "3", "--help"])
  expect({ code, stdout }).toEqual({ code: 0, stdout: pages["search"] })
})

test("--help --output json describes the whole tree, and of a command what is below it", async () => {
  const { code, stdout } = await run(["--help", "--output", "json"])
  expect(code).toBe(0)
  interface Described {
    readonly name: string
    readonly flags: ReadonlyArray<{ readonly name: string; readonly description: string; readonly type: object }>
    readonly subcommands: ReadonlyArray<Described>
  }
  const tree: Described = JSON.parse(stdout)
  const paths = (command: Described, path: ReadonlyArray<string>): ReadonlyArray<string> => [
    path.join(" "),
    ...command.subcommands.flatMap((child) => paths(child, [...path, child.name])),
  ]
  expect(paths(tree, []).toSorted()).toEqual(names.toSorted())
  expect(tree.flags).toContainEqual(expect.objectContaining({ name: "profile", type: { _tag: "String" } }))
  const search = await run(["search", "--help", "--output", "json"])
  expect(JSON.parse(search.stdout)).toEqual(tree.subcommands.find(({ name }) => name === "search"))
})
