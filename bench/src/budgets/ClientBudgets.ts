/** The limits of the clients. */
import type { Budget } from "./Budget.ts"
import { inRepository, load, measured, operation, test } from "./Guards.ts"

const promiseClient = inRepository("packages/http-client/dist/bundled/node.js")
const stripe = inRepository("bench/node_modules/stripe/esm/stripe.esm.node.js")
const effectClient = "TransferKit, Effect on Node"

/** To read a page. */
export const reading: ReadonlyArray<Budget> = [
  {
    name: "Read a page over HTTP, and check it",
    // 1.43 on one processor and 1.55 on another, for which V8 compiles otherwise.
    limit: { atMost: 1.6, unit: "× the CPU time of fetch and JSON.parse, which check nothing" },
    guards: [
      // Over sockets V8 compiles at other moments in each run: 1.15 to 1.7 times were seen in one run of each.
      operation("clients", "cpu", "fetch", { warmUp: 8, times: 1, runs: 3, atMost: 1.7 }, effectClient),
      measured("clients", "cpu", [effectClient, "fetch"]),
    ],
  },
  ...["axios, checked by zod", "got, checked by ajv", "ky, checked by valibot"].flatMap((peer) =>
    [effectClient, "TransferKit, Promise client"].map((ours): Budget => ({
      name: `Read a page over HTTP, and check it: ${ours.replace("TransferKit, ", "")}`,
      // From 0.92 to 1.02 in each run: as much as they, within what a run varies.
      limit: { atMost: 1.05, unit: `× the CPU time of ${peer}` },
      guards: [measured("clients", "cpu", [ours, peer])],
    })),
  ),
]

/** To load the Promise client. */
export const loading: ReadonlyArray<Budget> = [
  ...(
    [
      ["The Promise client, minified and gzipped", 64, "own"],
      ["The Promise client, minified and gzipped with decimal.js", 77, "all"],
    ] as const
  ).map(([name, atMost, counted]): Budget => ({
    name,
    limit: { atMost, unit: "kB" },
    guards: [
      test(
        "packages/http-client/test/bundle.test.ts",
        "takes at most 64 kB when it is gzipped, and 77 kB with decimal.js",
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
]
