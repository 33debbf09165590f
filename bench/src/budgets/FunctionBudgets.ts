/** The limits of the validating function. */
import type { Budget } from "./Budget.ts"
import { inRepository, load, measured, test } from "./Guards.ts"

const lambda = inRepository("apps/validation-lambda/dist/task/lambda.mjs")
const emptyHandler = inRepository("bench/src/peers/lambda-empty.mjs")

export const budgets: ReadonlyArray<Budget> = [
  {
    name: "The function's zip",
    limit: { atMost: 280, unit: "kB" },
    guards: [
      test(
        "apps/validation-lambda/test/bundle.test.ts",
        "is a zip of at most 280 kB, the same bytes each time",
        "expect(archive.length).toBeLessThanOrEqual(280_000)",
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
      { kind: "instructions", ours: load(lambda), against: load(emptyHandler), atMost: 2.2 },
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
