/** The limits of the fake service. */
import type { Budget } from "./Budget.ts"
import { firstPages, measured, server, test } from "./Guards.ts"

const fake = "TransferKit, transfers-fake"
const fakeScale = "apps/fake-server/test/scale.large.test.ts"

export const budgets: ReadonlyArray<Budget> = [
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
    // 1.23 with 100,000 transfers; see the notes of the benchmark.
    limit: { atMost: 1.25, unit: "× Fastify by hand" },
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
]
