/**
 * Every limit on speed, size and requests that TransferKit has set itself. What no machine's noise can break is held by
 * a test or by counting instructions; the rest stands here with the last figure of its benchmark.
 */
import { join } from "node:path"
import type { Budget, Instructions, Measured, Program } from "./Budget.ts"

const root = join(import.meta.dirname, "../../..")
const cli = join(root, "apps/cli/dist/transfers.cjs")
const lambda = join(root, "apps/validation-lambda/dist/lambda.mjs")
const emptyHandler = join(import.meta.dirname, "../peers/lambda-empty.mjs")

const start = (...args: ReadonlyArray<string>): Program => ({ kind: "process", args })

/** What loading a handler takes: the settings name a service that nobody asks. */
const load = (file: string): Program => ({
  kind: "process",
  args: ["-e", `import(${JSON.stringify(file)})`],
  env: {
    TRANSFERS_BASE_URL: "http://127.0.0.1:9",
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  },
})

const server = (name: "fake" | "fastify" | "constant", rows = 1000): Program => ({ kind: "server", server: name, rows })

/** Our share of a benchmark's operation, and a peer's. */
const operation = (
  bench: string,
  name: string,
  peer: string,
  limits: { readonly warmUp: number; readonly times: number; readonly atMost: number },
  ours = "TransferKit",
): Instructions => {
  const { atMost, ...how } = limits
  const program = (contestant: string): Program => ({
    kind: "operation",
    bench,
    contestant,
    operation: name,
    ...how,
  })
  return { kind: "instructions", ours: program(ours), against: program(peer), atMost }
}

const measured = (
  bench: string,
  metric: string,
  [of, to]: readonly [of: string, to?: string],
  limit: Measured["limit"],
): Measured => ({ kind: "measured", bench, metric, of, ...(to === undefined ? {} : { to }), limit })

const fake = "TransferKit, transfers-fake"
const effectClient = "TransferKit, Effect on Node"
const domainTests = "packages/domain/test/budgets.test.ts"

export const budgets: ReadonlyArray<Budget> = [
  {
    name: "Read and check a page of 20 transfers",
    limit: "1.35 × the time of JSON.parse",
    guards: [
      operation("decode", "page", "JSON.parse, unchecked", { warmUp: 1000, times: 100, atMost: 1.45 }),
      measured("decode", "page", ["TransferKit", "JSON.parse, unchecked"], { atMost: 1.35 }),
    ],
  },
  {
    name: "The 40 timestamps of a page, with their instants",
    limit: "the time of the page's JSON.parse",
    guards: [
      {
        kind: "test",
        file: domainTests,
        name: "the forty timestamps of a page take less than its JSON.parse, their instants included",
      },
    ],
  },
  {
    name: "1,000 texts to the text of their sum",
    limit: "what decimal.js takes alone",
    guards: [
      operation("money", "sum", "decimal.js", { warmUp: 100, times: 20, atMost: 0.9 }),
      measured("money", "sum", ["TransferKit", "decimal.js"], { atMost: 1 }),
    ],
  },
  {
    name: "Add two amounts and print them",
    limit: "1.4 × decimal.js",
    guards: [
      operation("money", "print", "decimal.js", { warmUp: 100, times: 20, atMost: 1.25 }),
      measured("money", "print", ["TransferKit", "decimal.js"], { atMost: 1.4 }),
    ],
  },
  {
    name: "Compare two amounts",
    limit: "1.4 × decimal.js",
    guards: [
      operation("money", "compare", "decimal.js", { warmUp: 100, times: 50, atMost: 1.2 }),
      measured("money", "compare", ["TransferKit", "decimal.js"], { atMost: 1.4 }),
    ],
  },
  {
    name: "Read a filter on created_at",
    limit: "1.6 × min/max by hand",
    guards: [
      operation("created-at", "read", "min/max by hand", { warmUp: 50, times: 20, atMost: 1.5 }),
      measured("created-at", "read", ["TransferKit", "min/max by hand"], { atMost: 1.6 }),
    ],
  },
  {
    name: "Plan a filter's requests",
    limit: "min/max by hand",
    guards: [
      operation("created-at", "plan", "min/max by hand", { warmUp: 50, times: 20, atMost: 0.8 }),
      measured("created-at", "plan", ["TransferKit", "min/max by hand"], { atMost: 1 }),
    ],
  },
  {
    name: "Match an instant, read from its text",
    limit: "1.3 × min/max by hand",
    guards: [
      operation("created-at", "match", "min/max by hand", { warmUp: 50, times: 20, atMost: 1.25 }),
      measured("created-at", "match", ["TransferKit", "min/max by hand"], { atMost: 1.3 }),
    ],
  },
  {
    name: "Requests of a scan of 40,000 transfers, 8 to 32 at once",
    limit: "5 % more than there are pages",
    guards: [
      {
        kind: "test",
        file: "packages/domain/test/scan.speed.test.ts",
        name: "requests at once take little more than a share of the time, and few more requests",
      },
      measured("scan", "requests even", ["scan, 16 at once", "page after page"], { atMost: 1.05 }),
    ],
  },
  {
    name: "Time of a scan of 40,000 transfers, 8 to 32 at once",
    limit: "1.08 × pages / concurrency, in virtual time",
    guards: [
      {
        kind: "test",
        file: "packages/domain/test/scan.speed.test.ts",
        name: "requests at once take little more than a share of the time, and few more requests",
      },
    ],
  },
  {
    name: "A scan with 16 pages at once, over 50 ms",
    limit: "14 × as fast as page after page",
    guards: [measured("scan", "even, 50 ms away", ["page after page", "scan, 16 at once"], { atLeast: 14 })],
  },
  {
    name: "Read a page over HTTP, and check it",
    limit: "1.5 × the CPU time of fetch and JSON.parse, which check nothing",
    guards: [
      operation("clients", "cpu", "fetch", { warmUp: 8, times: 1, atMost: 1.5 }, effectClient),
      measured("clients", "cpu", [effectClient, "fetch"], { atMost: 1.5 }),
    ],
  },
  ...["axios, checked by zod", "got, checked by ajv", "ky, checked by valibot"].flatMap((peer) =>
    [effectClient, "TransferKit, Promise client"].map((ours): Budget => ({
      name: `Read a page over HTTP, and check it: ${ours.replace("TransferKit, ", "")}`,
      limit: `less CPU time than ${peer}`,
      guards: [measured("clients", "cpu", [ours, peer], { atMost: 1 })],
    })),
  ),
  {
    name: "The fake service, a page of a range",
    limit: "half of Fastify by hand",
    guards: [
      {
        kind: "instructions",
        ours: server("fake"),
        against: server("fastify"),
        atMost: 0.5,
      },
      measured("servers", "cpu3", ["Fastify, by hand", fake], { atLeast: 2 }),
    ],
  },
  {
    name: "The fake service, a page of a range",
    limit: "2.5 × a server that sends one constant page",
    guards: [
      {
        kind: "instructions",
        ours: server("fake"),
        against: server("constant"),
        atMost: 2,
      },
      measured("servers", "cpu3", [fake, "node:http, one constant page"], { atMost: 2.5 }),
    ],
  },
  {
    name: "The fake service, a page of a range",
    limit: "a fifth of Prism",
    guards: [measured("servers", "cpu3", ["Prism", fake], { atLeast: 5 })],
  },
  {
    name: "The fake service, a page of a range",
    limit: "a tenth of Mockoon",
    guards: [measured("servers", "cpu3", ["Mockoon", fake], { atLeast: 10 })],
  },
  {
    name: "The fake service, a page of 1,000,000 transfers",
    limit: "1.5 × a page of 1,000",
    guards: [{ kind: "instructions", ours: server("fake", 1_000_000), against: server("fake"), atMost: 1.5 }],
  },
  ...(["p50", "p99"] as const).map((metric) => ({
    name: `The fake service, a page never asked for before, of 10,000 to 10,000,000 transfers: ${metric}`,
    limit: "1.5 × a page of 1,000",
    guards: ["10,000", "100,000", "1,000,000", "10,000,000"].map((rows) =>
      measured("growth", metric, [`TransferKit, ${rows} transfers`, "TransferKit, 1,000 transfers"], { atMost: 1.5 }),
    ),
  })),
  {
    name: "The fake service with 1,000,000 transfers: start and memory",
    limit: "listens within a second, and keeps to 300 MiB",
    guards: [
      {
        kind: "test",
        file: "apps/fake-server/test/scale.test.ts",
        name: "transfers without making them",
      },
    ],
  },
  {
    name: "The fake service, from the start of its process to its first page",
    limit: "300 ms",
    guards: [measured("servers", "startUp", [fake], { atMost: 300 })],
  },
  {
    name: "transfers --version",
    limit: "1.3 × the time of node -e 0",
    guards: [
      { kind: "instructions", ours: start(cli, "--version"), against: start("-e", "0"), atMost: 1.7 },
      {
        kind: "test",
        file: "apps/cli/test/bundle.test.ts",
        name: "--version and --help do not load the program",
      },
      measured("cli", "startUp", ["transfers --version", "node -e 0"], { atMost: 1.3 }),
    ],
  },
  {
    name: "transfers --help",
    limit: "2 × the time of node -e 0",
    guards: [
      { kind: "instructions", ours: start(cli, "--help"), against: start("-e", "0"), atMost: 1.7 },
      measured("cli", "startUp", ["transfers --help", "node -e 0"], { atMost: 2 }),
    ],
  },
  {
    name: "Export 200,000 transfers: memory",
    limit: "250 MiB; in the benchmark 100,000",
    guards: [
      {
        kind: "test",
        file: "apps/cli/test/exports.large.test.ts",
        name: "of 200,000 transfers is written and verified within 250 MiB",
      },
      measured("cli", "memory", ["transfers export, ndjson"], { atMost: 262 }),
    ],
  },
  {
    name: "Reconcile 200,000 rows with 200,000 transfers: time and memory",
    limit: "20 s and 1 GiB",
    guards: [
      {
        kind: "test",
        file: "apps/cli/test/exports.large.test.ts",
        name: "as many rows of a ledger are reconciled within 500 MiB",
      },
      measured("reconcile", "wall", ["TransferKit"], { atMost: 20 }),
      measured("reconcile", "memory", ["TransferKit"], { atMost: 1024 }),
    ],
  },
  {
    name: "The function's zip",
    limit: "120 kB",
    guards: [
      {
        kind: "test",
        file: "apps/validation-lambda/test/bundle.test.ts",
        name: "is one file of at most 120 kB zipped, the same bytes each time",
      },
      measured("lambda", "size", ["TransferKit"], { atMost: 120 }),
    ],
  },
  {
    name: "The function, until its handler is loaded",
    limit: "1.4 × the time of an empty handler",
    guards: [
      { kind: "instructions", ours: load(lambda), against: load(emptyHandler), atMost: 1.6 },
      measured("lambda", "init", ["TransferKit", "empty handler"], { atMost: 1.4 }),
    ],
  },
  {
    name: "The function, until a first answer that needs nobody else's",
    limit: "1.6 × the time of an empty handler",
    guards: [measured("lambda", "refused", ["TransferKit", "empty handler"], { atMost: 1.6 })],
  },
  {
    name: "The function, until its first verdict, for which it asks the service",
    limit: "1.6 × the time of an empty handler that asks the same",
    guards: [
      measured("lambda", "ready", ["TransferKit", "empty handler that asks for the capabilities"], { atMost: 1.6 }),
    ],
  },
  {
    name: "The function, a warm validation",
    limit: "half a millisecond of CPU",
    guards: [
      {
        kind: "test",
        file: "apps/validation-lambda/test/start.test.ts",
        name: "takes at most half a millisecond of CPU for one proposal",
      },
      measured("lambda", "warm", ["TransferKit"], { atMost: 500 }),
    ],
  },
]
