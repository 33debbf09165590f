/** The limits of the program transfers. */
import type { Budget } from "./Budget.ts"
import { inRepository, measured, operation, start, test } from "./Guards.ts"

const cli = inRepository("apps/cli/dist/transfers.cjs")
const largeExports = "apps/cli/test/exports.large.test.ts"
const reconciled = "400,000 rows of a ledger are reconciled with as many transfers within 256 MiB"
const mibInMegabytes = 1.048576
/** 2,000 transfers each time. */
/** After fewer, what is counted depends on whether V8 is compiling just then. */
const written = { warmUp: 10, times: 1 }

export const budgets: ReadonlyArray<Budget> = [
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
        // f12ddab kept all code that a run had compiled, and looked for the key in fewer encodings.
        per: 8.36,
        atMost: 1.1,
      },
    ],
  },
  {
    name: "transfers whoami --sandbox",
    // Counted as 0.98 on one processor and as 1.002 on another, for which V8 compiles otherwise.
    limit: { atMost: 1.02, unit: "× the instructions of commit 2f95540" },
    guards: [
      {
        kind: "instructions",
        ours: start(cli, "whoami", "--sandbox"),
        against: start("-e", "0"),
        per: 6.325,
        atMost: 1.02,
      },
    ],
  },
  {
    name: "transfers search --sandbox",
    // 2f95540 did not ask the source what it has, and its sandbox ended on a fixed day, which is what the rest comes to:
    // counted as 1.09 on one processor, and up to 0.02 more on another.
    limit: { atMost: 1.11, unit: "× the instructions of commit 2f95540" },
    guards: [
      {
        kind: "instructions",
        ours: start(cli, "search", "--sandbox"),
        against: start("-e", "0"),
        per: 6.957,
        atMost: 1.11,
      },
    ],
  },
  {
    name: "Export 100,000 transfers as NDJSON",
    limit: { atMost: 1.25, unit: "× the time of a script with fetch, which checks nothing" },
    guards: [measured("cli", "wall", ["transfers export, ndjson", "fetch script, ndjson"])],
  },
  {
    name: "Export transfers as NDJSON",
    limit: { atMost: 1.55, unit: "× the CPU time of a script with fetch, which checks nothing" },
    guards: [
      // Without HTTP, which both do: the check, the order, the totals, and the spool with its checksums.
      operation("cli", "write", "fetch script, ndjson", { ...written, atMost: 3 }, "transfers export, ndjson"),
      measured("cli", "cpu", ["transfers export, ndjson", "fetch script, ndjson"]),
    ],
  },
  {
    name: "Export transfers as CSV",
    limit: { atMost: 1.1, unit: "× the time as NDJSON" },
    guards: [
      operation("cli", "write", "transfers export, ndjson", { ...written, atMost: 1.7 }, "transfers export, csv"),
      measured("cli", "wall", ["transfers export, csv", "transfers export, ndjson"]),
    ],
  },
  {
    name: "Export transfers as Parquet",
    limit: { atMost: 1.4, unit: "× the time as NDJSON" },
    guards: [
      // Without HTTP, which is most of both.
      operation("cli", "write", "transfers export, ndjson", { ...written, atMost: 3.2 }, "transfers export, parquet"),
      measured("cli", "wall", ["transfers export, parquet", "transfers export, ndjson"]),
    ],
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
    name: "Reconcile a ledger with transfers",
    limit: { atMost: 2.5, unit: "× the CPU time of a script that holds both in memory, and checks nothing" },
    guards: [
      // Of 2,000 rows, spread over as many partitions as millions are.
      operation("reconcile", "pair", "Node, by hand in memory", { warmUp: 5, times: 1, atMost: 4.5 }),
      measured("reconcile", "cpu", ["TransferKit", "Node, by hand in memory"]),
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
]
