import { describe, expect, it } from "vitest"
import * as DocsCheck from "../DocsCheck.ts"
import * as Documents from "../Documents.ts"
import * as Repository from "../Repository.ts"

/** A double of the programs' `--help`. */
const helpOf: DocsCheck.HelpOf = (program, command) =>
  program === "transfers-fake"
    ? "--port --seed TRANSFERS_FAKE_PORT"
    : command === undefined || command === "search"
      ? "--limit --output"
      : command === "profiles"
        ? "--output"
        : command === "profiles save"
          ? "--base-url"
          : undefined

const problemsOf = (markdown: string): ReadonlyArray<string> =>
  DocsCheck.problems(Repository.root, [Documents.parse("README.md", markdown)], helpOf)

describe("rejects a document that names", () => {
  it.each([
    ["a missing link target", "[x](docs/nowhere.md)", "no such link target: docs/nowhere.md"],
    ["a missing file of the tree", `[x](${Repository.tree}docs/nowhere.md)`, "no such link target: https:"],
    ["a missing heading", "# One\n[x](#two)", "no such heading: #two"],
    ["a missing path", "`packages/domain/src/Monay.ts`", "no such path: packages/domain/src/Monay.ts"],
    ["a missing file name", "`Monay.ts`", "no such path: Monay.ts"],
    ["a glob that matches nothing", "`packages/*/nothing`", "no such path: packages/*/nothing"],
    [
      "a missing module",
      '```ts\nimport * as X from "@transferkit/domain/Monay"\n```',
      "no such module: @transferkit/domain/Monay",
    ],
    ["a missing script", "```sh\npnpm nonsense\n```", "no such script in package.json: pnpm nonsense"],
    ["another pnpm", "`npx -y pnpm@1.2.3 test`", "pnpm@1.2.3 is not the pinned"],
    ["a missing command", "`transfers destroy`", "no such command: transfers destroy"],
    [
      "a missing flag",
      "```console\n$ transfers search --limit 5 --al=1 | head\n```",
      "no such flag: transfers search --al",
    ],
    ["a flag of a subcommand", "`transfers profiles --base-url x`", "no such flag: transfers profiles --base-url"],
    ["a missing flag of the fake", "```sh\nA=1 transfers-fake --sed 5\n```", "no such flag: transfers-fake --sed"],
    ["a variable that no source reads", "`TRANSFERS_NO_SUCH_THING`", "no source reads TRANSFERS_NO_SUCH_THING"],
  ])("%s", (_, markdown, problem) => {
    expect(problemsOf(markdown)).toEqual([expect.stringContaining(`README.md: ${problem}`)])
  })
})

it("rejects a relative link in the README of a package, whose page is elsewhere", () => {
  const readme = Documents.parse("packages/domain/README.md", "[x](../../docs/codes.md)")
  expect(DocsCheck.problems(Repository.root, [readme], helpOf)).toEqual([
    expect.stringContaining("not a link on the package's page: ../../docs/codes.md"),
  ])
})

describe("accepts a document that names", () => {
  it.each([
    [
      "existing things",
      "# A b\n[x](#a-b) [y](package.json) `packages/*/src` `Money.ts` `scripts/docs-check.ts` `apps/cli/dist`",
    ],
    ["a file of the tree by its address", `[x](${Repository.tree}docs/codes.md)`],
    ["a web page", "[x](https://www.rfc-editor.org/rfc/rfc3339)"],
    ["the pinned pnpm and its scripts", `\`npx -y ${Repository.packageManager(Repository.root)} test\``],
    ["pnpm alone", `\`npx -y ${Repository.packageManager(Repository.root)}\``],
    ["commands and flags", "```console\n$ transfers search --limit=5 # first page\nno --such output\n```"],
    ["a flag of a subcommand", "`transfers profiles save live --base-url x`"],
    ["a variable of the fake", "`TRANSFERS_FAKE_PORT`"],
    ["files of the reader", "`ledger.csv`, `out/transfers.ndjson`, `application/json`, `fiat/USD`"],
  ])("%s", (_, markdown) => {
    expect(problemsOf(markdown)).toEqual([])
  })
})

describe("documents", () => {
  it("gives a text block as the output of the block before it", () => {
    const { blocks } = Documents.parse(
      "a.md",
      "1. x\n   ```ts\n   1\n   ```\n   ```text\n   2\n   ```\n\n```ts\n3\n```\n",
    )
    expect(blocks.filter(({ info }) => info === "ts")).toEqual([
      { info: "ts", text: "1", output: "2" },
      { info: "ts", text: "3", output: undefined },
    ])
  })

  it("are found in the whole repository", () => {
    expect(Documents.read(Repository.root).map(({ path }) => path)).toEqual(
      expect.arrayContaining([".changeset/README.md", "README.md"]),
    )
  })
})
