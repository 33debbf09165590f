/** The scripts of package.json that are the repository's own: what they are for, what they accept, and what they run. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "./CommandLine.ts"
import * as Repository from "./Repository.ts"

const build = "TURBO_TELEMETRY_DISABLED=1 turbo run build --output-logs=errors-only"
const install = (folder: string): string => `pnpm --dir ${folder} install --frozen-lockfile --silent`
const bench = (script: string): string => `pnpm --dir bench run ${script}`

const benchmark = (name: string): string | undefined =>
  existsSync(name.endsWith(".ts") ? name : join(Repository.root, `bench/src/benches/${name}.ts`))
    ? undefined
    : `No benchmark is called ${name}.`

const path = (operand: string): string | undefined => (existsSync(operand) ? undefined : `${operand} does not exist.`)

const check = { about: "Compares them instead, and fails if they differ." }

export const commands: Readonly<Record<string, Command>> = {
  api: {
    about: "Writes the API report of each library, packages/*/api.md, from its built declarations.",
    options: { check },
    steps: [build, "node scripts/api-reports.ts"],
  },
  "api:check": {
    about: "Fails if the API report of a library is not its API, or names what a user cannot import.",
    steps: [build, "node scripts/api-reports.ts --check"],
  },
  bench: {
    about: "Measures the benchmarks beside their peers, writes bench/results and renders bench/README.md.",
    options: {
      check: { about: "Only compares the contestants' answers." },
      render: { about: "Only renders what was measured before." },
      rounds: { value: "N", about: "Instead of each benchmark's own number." },
    },
    operands: { name: "NAME", fault: benchmark },
    steps: [build, install("bench"), bench("bench")],
  },
  "bench:tables": { about: "Checks the tables of the benchmarks.", steps: [build, install("bench"), bench("tables")] },
  "bench:test": { about: "Runs the tests of the benchmarks.", steps: [install("bench"), bench("test")] },
  "bench:types": { about: "Checks the types of the benchmarks.", steps: [install("bench"), bench("types")] },
  bruno: { about: "Writes the Bruno collection again.", steps: ["node scripts/bruno-collection.ts"] },
  budgets: {
    about: "Counts the instructions behind the budgets under Valgrind, and fails if one is over its limit.",
    options: { record: { about: "Keeps the ratios for the report." } },
    operands: { name: "WORD" },
    steps: [build, install("bench"), bench("budgets")],
  },
  demo: {
    about: "Shows the programs against a fake service, and checks the results independently.",
    steps: ["node scripts/demo.ts"],
  },
  "docs:check": {
    about: "Checks what the documents name, and that each command prints what its page shows.",
    steps: ["node scripts/docs-check.ts", "vitest run --mode docs"],
  },
  "docs:transcript": {
    about: "Records the terminal in the README again.",
    steps: ["node scripts/docs-transcript.ts"],
  },
  "lambda:deploy": {
    about: "Checks what deploys the validation lambda: the CDK's stack and the Terraform configuration.",
    steps: [
      install("apps/validation-lambda/deploy"),
      "tsc -p apps/validation-lambda/deploy",
      "node apps/validation-lambda/deploy/check.ts",
    ],
  },
  "lambda:runtime": {
    about: "Builds AWS's runtime client, for the tests of the validation lambda.",
    options: { "install-tools": { about: "Installs the tools that it needs from Debian first." } },
    steps: ["sh apps/validation-lambda/scripts/build-runtime-client.sh"],
  },
  "lambda:template": {
    about: "Checks the SAM template of the validation lambda against AWS's specification.",
    steps: [
      "node apps/validation-lambda/scripts/TemplateCheck.ts",
      "sh apps/validation-lambda/scripts/check-template.sh",
    ],
  },
  "lint:regex": {
    about: "Fails if a regular expression of a package or app takes more than linear time.",
    steps: ["node scripts/regex-check.ts"],
  },
  mutation: {
    about: "Lists the changes of sources that no test notices, and writes docs/quality.md.",
    options: {
      sample: { value: "SIZE", about: "Tries as many, drawn at random." },
      seed: { value: "TEXT", about: "Draws those of an earlier run again." },
      workers: { value: "COUNT", about: "How many run at a time." },
      render: { about: "Only writes the page." },
    },
    operands: { name: "PATH", fault: path },
    steps: [install("scripts/mutation"), "node scripts/mutation/main.ts"],
  },
  "mutation:page": { about: "Writes docs/quality.md again.", steps: ["node scripts/mutation/main.ts --render"] },
  "packaging:check": {
    about: "Publishes the packages to a registry on this machine, and uses them as their users do.",
    steps: [build, install("scripts/packaging"), "node scripts/packaging-check.ts"],
  },
  release: {
    about: "Shows what a release would do, in a copy of the repository.",
    options: {
      "dry-run": { about: "Required: only the workflow of a release publishes." },
      out: { value: "FOLDER", about: "Keeps the files." },
    },
    steps: ["node scripts/release.ts"],
  },
  schemas: { about: "Writes the JSON Schemas of the packages again.", steps: ["node scripts/json-schemas.ts"] },
  sea: {
    about: "Builds the self-contained executable of the CLI.",
    steps: [install("apps/cli/sea"), "node apps/cli/sea/build.ts"],
  },
  simulate: {
    about: "Runs histories of faults, deaths and changes against the pager, under virtual time.",
    options: {
      seed: { value: "N", about: "Runs that one again. 2,000 new ones without." },
      histories: { value: "N", about: "How many." },
    },
    steps: ["node scripts/simulate/main.ts"],
  },
  site: { about: "Builds the site of the documents.", steps: [install("site"), "pnpm --dir site run build"] },
  "site:dev": {
    about: "Serves the site of the documents, and follows their changes.",
    steps: [install("site"), "pnpm --dir site run dev"],
  },
}
