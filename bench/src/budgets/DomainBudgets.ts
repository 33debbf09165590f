/** The limits of pages, amounts, filters and scans. */
import type { Budget } from "./Budget.ts"
import { measured, operation, test } from "./Guards.ts"

const domainTests = "packages/domain/test/budgets.test.ts"

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
    guards: [
      operation("money", "add", "decimal.js", { warmUp: 100, times: 20, atMost: 1.3 }),
      measured("money", "add", ["TransferKit", "decimal.js"]),
    ],
  },
  {
    name: "Add two amounts and print them",
    limit: { atMost: 1, unit: "× decimal.js" },
    guards: [
      operation("money", "print", "decimal.js", { warmUp: 100, times: 20, atMost: 0.7 }),
      measured("money", "print", ["TransferKit", "decimal.js"]),
    ],
  },
  {
    name: "Compare two amounts",
    limit: { atMost: 1, unit: "× bignumber.js" },
    guards: [
      operation("money", "compare", "bignumber.js", { warmUp: 100, times: 50, atMost: 1 }),
      measured("money", "compare", ["TransferKit", "bignumber.js"]),
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
    // Two thirds of the instructions, but they wait for memory: an instant is a BigInt, and each is an allocation.
    limit: { atMost: 1.05, unit: "× min/max by hand" },
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
  {
    name: "A scan with 16 windows at once, over 50 ms",
    limit: { atLeast: 14, unit: "× the speed of page after page" },
    guards: [measured("scan", "even, 50 ms away", ["page after page", "scan, 16 at once"])],
  },
  {
    name: "A scan with 64 windows at once, over 50 ms, from a service on its own core",
    // 49 times in virtual time; see the notes of the benchmark.
    limit: { atLeast: 36, unit: "× the speed of page after page" },
    guards: [measured("scan", "even, 50 ms away", ["page after page", "scan, 64 at once"])],
  },
]
