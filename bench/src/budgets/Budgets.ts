/**
 * Every limit on speed, size and requests that TransferKit sets itself. Whatever does not depend on the machine's load
 * is enforced by a test or by counting instructions; the rest is listed with the last figure of its benchmark.
 */
import { join } from "node:path"
import type { Budget, Instructions, Measured, Program, Serving, Test } from "./Budget.ts"

const root = join(import.meta.dirname, "../../..")
const cli = join(root, "apps/cli/dist/transfers.cjs")
const lambda = join(root, "apps/validation-lambda/dist/task/lambda.mjs")
const promiseClient = join(root, "packages/http-client/dist/bundled/node.js")
const stripe = join(root, "bench/node_modules/stripe/esm/stripe.esm.node.js")
const emptyHandler = join(import.meta.dirname, "../peers/lambda-empty.mjs")

const start = (...args: ReadonlyArray<string>): Program => ({ kind: "process", args })

/** Loads a module. The settings name a service, which receives no request. */
const load = (file: string): Program => ({
  kind: "process",
  args: ["-e", `import(${JSON.stringify(file)})`],
  env: {
    TRANSFERS_BASE_URL: "http://127.0.0.1:9",
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  },
})

const server = (name: Serving["server"], rows = 1000): Program => ({ kind: "server", server: name, rows })
const firstPages = (name: Serving["server"]): Program => ({ kind: "server", server: name, rows: 1000, isFirst: true })

/** An operation of a benchmark, done by us and by a peer. */
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

const measured = (bench: string, metric: string, [of, to]: readonly [of: string, to?: string], per = 1): Measured => ({
  kind: "measured",
  bench,
  metric,
  of,
  ...(to === undefined ? {} : { to }),
  per,
})

/** A test that asserts the limit itself. */
const test = (file: string, name: string, asserts: string, rest: Partial<Test> = {}): Test => ({
  kind: "test",
  file,
  name,
  asserts,
  ...rest,
})

const fake = "TransferKit, transfers-fake"
const effectClient = "TransferKit, Effect on Node"
const fakeScale = "apps/fake-server/test/scale.large.test.ts"
const largeExports = "apps/cli/test/exports.large.test.ts"
const reconciled = "400,000 rows of a ledger are reconciled with as many transfers within 256 MiB"
const mibInMegabytes = 1.048576
const domainTests = "packages/domain/test/budgets.test.ts"

const scanFigures = "packages/domain/test/scan/Scan.figures.test.ts"

const scans = [
  { what: "that are even, in order", name: "cost little more than the ideal", time: 1.12, requests: 1.08 },
  { what: "in twelve bursts, in order", name: "cost a fifth more", time: 1.25, requests: 1.2 },
  { what: "in no order", name: "cost a third more", time: 1.35, requests: 1.25 },
  { what: "by last update", name: "cost half as much again", time: 1.9, requests: 1.5 },
]

export const budgets: ReadonlyArray<Budget> = [
  {
    name: "Read and check a page of 20 transfers",
    limit: { atMost: 1.35, unit: "× the time of JSON.parse" },
    guards: [
      operation("decode", "page", "JSON.parse, unchecked", { warmUp: 1000, times: 100, atMost: 1.4 }),
      measured("decode", "page", ["TransferKit", "JSON.parse, unchecked"]),
    ],
  },
  {
    name: "The 40 timestamps of a page, with their instants",
    limit: { atMost: 1, unit: "× the time of the page's JSON.parse" },
    guards: [
      test(
        domainTests,
        "the forty timestamps of a page take less than its JSON.parse, their instants included",
        ".toBeLessThan(1)",
      ),
    ],
  },
  {
    name: "1,000 texts to the text of their sum",
    limit: { atMost: 1, unit: "× the time of decimal.js alone" },
    guards: [
      operation("money", "sum", "decimal.js", { warmUp: 100, times: 20, atMost: 0.6 }),
      measured("money", "sum", ["TransferKit", "decimal.js"]),
    ],
  },
  {
    name: "1,000 texts to the text of their sum",
    limit: { atMost: 1, unit: "× the time of Effect's BigDecimal" },
    guards: [
      operation("money", "sum", "effect BigDecimal", { warmUp: 100, times: 20, atMost: 1 }),
      measured("money", "sum", ["TransferKit", "effect BigDecimal"]),
    ],
  },
  {
    name: "Add two amounts",
    limit: { atMost: 1.3, unit: "× decimal.js, which prints nothing" },
    guards: [measured("money", "add", ["TransferKit", "decimal.js"])],
  },
  {
    name: "Add two amounts and print them",
    limit: { atMost: 1.4, unit: "× decimal.js" },
    guards: [
      operation("money", "print", "decimal.js", { warmUp: 100, times: 20, atMost: 1.25 }),
      measured("money", "print", ["TransferKit", "decimal.js"]),
    ],
  },
  {
    name: "Compare two amounts",
    limit: { atMost: 1.4, unit: "× decimal.js" },
    guards: [
      operation("money", "compare", "decimal.js", { warmUp: 100, times: 50, atMost: 1.2 }),
      measured("money", "compare", ["TransferKit", "decimal.js"]),
    ],
  },
  {
    name: "Read a filter on created_at",
    limit: { atMost: 1.6, unit: "× min/max by hand" },
    guards: [
      operation("created-at", "read", "min/max by hand", { warmUp: 50, times: 20, atMost: 1.5 }),
      measured("created-at", "read", ["TransferKit", "min/max by hand"]),
    ],
  },
  {
    name: "Plan a filter's requests",
    limit: { atMost: 1, unit: "× min/max by hand" },
    guards: [
      operation("created-at", "plan", "min/max by hand", { warmUp: 50, times: 20, atMost: 0.8 }),
      measured("created-at", "plan", ["TransferKit", "min/max by hand"]),
    ],
  },
  {
    name: "Match an instant, read from its text",
    limit: { atMost: 1.3, unit: "× min/max by hand" },
    guards: [
      operation("created-at", "match", "min/max by hand", { warmUp: 50, times: 20, atMost: 1.25 }),
      measured("created-at", "match", ["TransferKit", "min/max by hand"]),
    ],
  },
  ...scans.flatMap(({ what, name, time, requests }): ReadonlyArray<Budget> => [
    {
      name: `A scan of 40,000 transfers ${what}, 16 windows at once: time`,
      limit: { atMost: time, unit: "× pages / windows, in virtual time" },
      guards: [test(scanFigures, name, `expect(time).toBeLessThanOrEqual(${time})`)],
    },
    {
      name: `A scan of 40,000 transfers ${what}, 16 windows at once: requests`,
      limit: { atMost: requests, unit: "× the pages" },
      guards: [test(scanFigures, name, `expect(requests).toBeLessThanOrEqual(${requests})`)],
    },
  ]),
  {
    name: "A scan with 16 windows at once, over 50 ms",
    limit: { atLeast: 14, unit: "× the speed of page after page" },
    guards: [measured("scan", "even, 50 ms away", ["page after page", "scan, 16 at once"])],
  },
  {
    name: "A scan with 64 windows at once, over 50 ms, from a service on its own core",
    limit: { atLeast: 40, unit: "× the speed of page after page" },
    guards: [measured("scan", "even, 50 ms away", ["page after page", "scan, 64 at once"])],
  },
  {
    name: "Read a page over HTTP, and check it",
    limit: { atMost: 1.5, unit: "× the CPU time of fetch and JSON.parse, which check nothing" },
    guards: [
      operation("clients", "cpu", "fetch", { warmUp: 8, times: 1, atMost: 1.5 }, effectClient),
      measured("clients", "cpu", [effectClient, "fetch"]),
    ],
  },
  ...["axios, checked by zod", "got, checked by ajv", "ky, checked by valibot"].flatMap((peer) =>
    [effectClient, "TransferKit, Promise client"].map((ours): Budget => ({
      name: `Read a page over HTTP, and check it: ${ours.replace("TransferKit, ", "")}`,
      limit: { atMost: 1, unit: `× the CPU time of ${peer}` },
      guards: [measured("clients", "cpu", [ours, peer])],
    })),
  ),
  {
    name: "The fake service, a page of a range",
    limit: { atMost: 0.5, unit: "× Fastify by hand" },
    guards: [
      {
        kind: "instructions",
        ours: server("fake"),
        against: server("fastify"),
        atMost: 0.5,
      },
      measured("servers", "cpu3", [fake, "Fastify, by hand"]),
    ],
  },
  {
    name: "The fake service, a page of a range",
    limit: { atMost: 2.5, unit: "× a server that sends one constant page" },
    guards: [
      {
        kind: "instructions",
        ours: server("fake"),
        against: server("constant"),
        atMost: 2,
      },
      measured("servers", "cpu3", [fake, "node:http, one constant page"]),
    ],
  },
  {
    name: "The fake service, a page of a range",
    limit: { atMost: 0.2, unit: "× Prism" },
    guards: [measured("servers", "cpu3", [fake, "Prism"])],
  },
  {
    name: "The fake service, a page of a range",
    limit: { atMost: 0.1, unit: "× Mockoon" },
    guards: [measured("servers", "cpu3", [fake, "Mockoon"])],
  },
  {
    name: "The fake service, a page of 1,000,000 transfers",
    limit: { atMost: 1.5, unit: "× a page of 1,000" },
    guards: [{ kind: "instructions", ours: server("fake", 1_000_000), against: server("fake"), atMost: 1.5 }],
  },
  ...(["p50", "p99"] as const).map((metric) => ({
    name: `The fake service, a page requested for the first time, of 10,000 to 10,000,000 transfers: ${metric}`,
    limit: { atMost: 1.5, unit: "× a page of 1,000" },
    guards: ["10,000", "100,000", "1,000,000", "10,000,000"].map((rows) =>
      measured("growth", metric, [`TransferKit, ${rows} transfers`, "TransferKit, 1,000 transfers"]),
    ),
  })),
  {
    name: "The fake service, a page requested for the first time, of 1,000, 100,000 and 1,000,000 transfers",
    limit: { atMost: 1, unit: "× Fastify by hand" },
    guards: [
      { kind: "instructions", ours: firstPages("fake"), against: firstPages("fastify"), atMost: 0.6 },
      ...["1,000", "100,000", "1,000,000"].map((rows) =>
        measured("growth", "cpu", [`TransferKit, ${rows} transfers`, `Fastify by hand, ${rows} transfers`]),
      ),
    ],
  },
  {
    name: "The fake service with 1,000,000 transfers, until it listens",
    limit: { atMost: 1000, unit: "ms of CPU" },
    guards: [test(fakeScale, "transfers without making them", "expect(large.ms).toBeLessThan(1000)")],
  },
  {
    name: "The fake service with 1,000,000 transfers: memory",
    limit: { atMost: 300, unit: "MiB" },
    guards: [
      test(fakeScale, "transfers without making them", "expect(await peakMemory(large.child)).toBeLessThan(300)"),
    ],
  },
  {
    name: "The fake service, from the start of its process to its first page",
    limit: { atMost: 300, unit: "ms" },
    guards: [measured("servers", "startUp", [fake])],
  },
  {
    name: "transfers --version",
    limit: { atMost: 1.3, unit: "× the time of node -e 0" },
    guards: [
      { kind: "instructions", ours: start(cli, "--version"), against: start("-e", "0"), atMost: 1.7 },
      test(
        "apps/cli/test/bundle.test.ts",
        "the CPU time of a start stays within its bounds",
        "expect(ratio.version).toBeLessThan(1.6)",
        { differs: "× the CPU time on a busy machine" },
      ),
      measured("cli", "startUp", ["transfers --version", "node -e 0"]),
    ],
  },
  {
    name: "transfers --help",
    limit: { atMost: 2, unit: "× the time of node -e 0" },
    guards: [
      { kind: "instructions", ours: start(cli, "--help"), against: start("-e", "0"), atMost: 1.75 },
      test(
        "apps/cli/test/bundle.test.ts",
        "the CPU time of a start stays within its bounds",
        "expect(ratio.help).toBeLessThan(2)",
      ),
      measured("cli", "startUp", ["transfers --help", "node -e 0"]),
    ],
  },
  {
    name: "transfers search, a page of the service",
    limit: { atMost: 1.25, unit: "× the time of commit f12ddab" },
    guards: [
      {
        kind: "instructions",
        ours: { kind: "request", args: [cli, "search", "--limit", "5"] },
        against: start("-e", "0"),
        // f12ddab kept all code that a run had compiled.
        per: 8.36,
        atMost: 1.05,
      },
    ],
  },
  {
    name: "Export 100,000 transfers as NDJSON",
    limit: { atMost: 1, unit: "× the time of a script with fetch, which checks nothing" },
    guards: [measured("cli", "wall", ["transfers export, ndjson", "fetch script, ndjson"])],
  },
  {
    name: "Export 100,000 transfers: memory",
    limit: { atMost: 250, unit: "MiB" },
    guards: [
      test(
        largeExports,
        "of 100,000 transfers is written and verified within 250 MiB",
        "expect(exported.memory).toBeLessThan(250)",
      ),
      measured("cli", "memory", ["transfers export, ndjson"], mibInMegabytes),
    ],
  },
  {
    name: "Reconcile 200,000 rows with 200,000 transfers",
    limit: { atMost: 20, unit: "s" },
    guards: [
      test(largeExports, reconciled, "expect(cpu).toBeLessThan(60)", {
        differs: "s of CPU for 400,000 on a busy machine",
      }),
      measured("reconcile", "wall", ["TransferKit"]),
    ],
  },
  {
    name: "Reconcile 200,000 rows with 200,000 transfers: memory",
    limit: { atMost: 256, unit: "MiB" },
    guards: [
      test(largeExports, reconciled, "expect(memory).toBeLessThan(256)"),
      measured("reconcile", "memory", ["TransferKit"]),
    ],
  },
  ...(
    [
      ["The Promise client, minified and gzipped", 56, "own"],
      ["The Promise client, minified and gzipped with decimal.js", 70, "all"],
    ] as const
  ).map(([name, atMost, counted]): Budget => ({
    name,
    limit: { atMost, unit: "kB" },
    guards: [
      test(
        "packages/http-client/test/bundle.test.ts",
        "takes at most 56 kB when it is gzipped, and 70 kB with decimal.js",
        `expect(${counted}).toBeLessThanOrEqual(${atMost}_000)`,
        { per: 1000 },
      ),
    ],
  })),
  {
    name: "The Promise client, a cold import",
    limit: { atMost: 0.3, unit: "× the time of stripe's" },
    guards: [{ kind: "instructions", ours: load(promiseClient), against: load(stripe), atMost: 0.3 }],
  },
  {
    name: "The function's zip",
    limit: { atMost: 250, unit: "kB" },
    guards: [
      test(
        "apps/validation-lambda/test/bundle.test.ts",
        "is a zip of at most 250 kB, the same bytes each time",
        "expect(archive.length).toBeLessThanOrEqual(250_000)",
        { per: 1000 },
      ),
      measured("lambda", "size", ["TransferKit"]),
    ],
  },
  {
    name: "The function, until its handler is loaded",
    limit: { atMost: 1.9, unit: "× the time of an empty handler" },
    guards: [
      // 2.001 with files of proposals and traces of calls, which load when they are needed.
      { kind: "instructions", ours: load(lambda), against: load(emptyHandler), atMost: 2.1 },
      measured("lambda", "init", ["TransferKit", "empty handler"]),
    ],
  },
  {
    name: "The function, until a first response without a request to the service",
    limit: { atMost: 1.9, unit: "× the time of an empty handler" },
    guards: [measured("lambda", "rejected", ["TransferKit", "empty handler"])],
  },
  ...["middy and zod", "Hono and zod"].map((peer): Budget => ({
    name: "The function, until its first verdict",
    limit: { atMost: 1, unit: `× the time of ${peer}` },
    guards: [measured("lambda", "ready", ["TransferKit", `${peer}, by hand`])],
  })),
  {
    name: "The function, a warm validation",
    limit: { atMost: 500, unit: "µs of CPU" },
    guards: [
      test(
        "apps/validation-lambda/test/start.test.ts",
        "takes at most half a millisecond of CPU for one proposal",
        "expect(millis).toBeLessThan(0.5)",
        { per: 0.001 },
      ),
      measured("lambda", "warm", ["TransferKit"]),
    ],
  },
]
