/**
 * The table of consumers: what the published packages are tried with. `pnpm packaging:check` marks each row when it has
 * passed, and fails if one has not. docs/consumers.md is made of it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "../Repository.ts"

/** One way to use the packages. */
export interface Row {
  readonly consumer: string
  readonly versions: string
  readonly tried: string
}

const versionsOf = (folder: string): Readonly<Record<string, string>> => {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return devDependencies
}
const pinned = versionsOf(import.meta.dirname)
const version = (name: string): string => (pinned[name] ?? "").replace(/^.*@/, "")
const catalog = readFileSync(join(Repository.root, "pnpm-workspace.yaml"), "utf8")
const shared = (name: string): string => new RegExp(`^  "?${name}"?: (\\d\\S*)$`, "m").exec(catalog)?.[1] ?? ""

const nodes = `Node ${version("node-22")}, ${shared("node")}, ${version("node-26")}`
const compilers = `TypeScript ${version("typescript-5")}, ${version("typescript-6")}, ${shared("typescript")}`

/** The rows, by the names under which the check marks them. */
export const rows = {
  esm: { consumer: "ES modules", versions: nodes, tried: "the Promise client, every module, every example" },
  commonjs: { consumer: "CommonJS", versions: nodes, tried: "`require` of the Promise client" },
  types: {
    consumer: "Types",
    versions: compilers,
    tried: "`node16`, `nodenext` and `bundler`, from ES modules and from CommonJS, with `skipLibCheck: false`",
  },
  effect: { consumer: "Effect", versions: "another 4.1", tried: "one copy, all modules, all transports" },
  vite: { consumer: "Vite", versions: shared("vite"), tried: "a page in Chromium, a worker in workerd" },
  esbuild: { consumer: "esbuild", versions: shared("esbuild"), tried: "a program, and one error without the client" },
  rollup: { consumer: "Rollup", versions: version("rollup"), tried: "a program, and one error without the client" },
  webpack: { consumer: "webpack", versions: version("webpack"), tried: "a program, and one error without the client" },
  workerd: { consumer: "workerd", versions: version("workerd"), tried: "the worker of `examples/edge-worker`" },
  bun: { consumer: "Bun", versions: version("bun"), tried: "the Promise client, verdicts" },
  deno: {
    consumer: "Deno",
    versions: version("deno"),
    tried: "the same without `--allow-env`, everything passed",
  },
  temporal: {
    consumer: "Temporal",
    versions: `Node ${version("node-26")}, Deno ${version("deno")}`,
    tried: "each time of a transfer as a `Temporal.Instant`, to the nanosecond",
  },
  nodeTest: { consumer: "node:test", versions: version("node-22"), tried: "the fake in the test's process" },
  jest: { consumer: "Jest", versions: "30", tried: "ES modules, with `--experimental-vm-modules`" },
  jestCommonJs: { consumer: "Jest without a flag", versions: "30", tried: "client and fake by `require`" },
  vitest: { consumer: "Vitest", versions: shared("vitest"), tried: "`examples/vitest`, copied and installed" },
  frameworks: { consumer: "Hono, Express", versions: "4, 5", tried: "`examples/validation-endpoint`" },
  mcp: {
    consumer: "MCP clients",
    versions: `SDK ${version("@modelcontextprotocol/sdk")}, client ${version("@modelcontextprotocol/client")}`,
    tried: "the installed `transfers mcp`: its tools, their typed results, a cursor",
  },
  inspector: {
    consumer: "MCP inspector",
    versions: version("@modelcontextprotocol/inspector"),
    tried: "its command line calls a tool of the installed `transfers mcp`",
  },
  mcpb: {
    consumer: "MCP bundles",
    versions: `mcpb ${version("@anthropic-ai/mcpb")}`,
    tried: "`mcpb validate` accepts the manifest of the released bundle",
  },
  pytest: {
    consumer: "pytest",
    versions: "of the system",
    tried: "`examples/tests/pytest` with the installed `transfers-fake`",
  },
} as const satisfies Readonly<Record<string, Row>>

/** The name of a row. */
export type Name = keyof typeof rows

/** The rows of common bundlers. */
export const bundlers = ["esbuild", "rollup", "webpack"] as const satisfies ReadonlyArray<Name>

/** The rows that an example of the repository stands for. */
export const examples: Readonly<Record<string, ReadonlyArray<Name>>> = {
  vitest: ["vitest"],
  "validation-endpoint": ["frameworks"],
}

/** The page. */
export const make = (): string => {
  const lines = Object.values<Row>(rows).map(
    ({ consumer, versions, tried }) => `| ${consumer} | ${versions} | ${tried} | passes |`,
  )
  return `# Who can use the packages

CI publishes all packages to a registry on its own machine, installs them as users do, and tries them with each of these. A row that does not pass fails the change. The command is \`npx -y pnpm@12.21.0 packaging:check\`.

| Consumer | Versions | Tried | Result |
| --- | --- | --- | --- |
${lines.join("\n")}

The fake for \`require\` is \`startFakeServer\`, with everything but its page \`/docs\`, which needs the ES module.
`
}

/** The rows that should have been marked and were not. */
export const missing = (marked: ReadonlySet<Name>): ReadonlyArray<string> =>
  Object.keys(rows).filter((name) => !(marked as ReadonlySet<string>).has(name))
