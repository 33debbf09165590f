import { createHash } from "node:crypto"
import * as TransferPager from "@transferkit/domain/TransferPager"
import { FakeServer } from "@transferkit/fake/FakeServer"
import type { Fault } from "@transferkit/fake/Fault"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as HttpTransferPager from "../src/HttpTransferPager.ts"
import * as NodeTransport from "../src/NodeTransport.ts"

// The nightly workflow sets it to 200,000.
const total = Number(process.env["TRANSFERS_SOAK"] ?? 5000)

/** Every fault that a client can recover from. Those that end an export have their rows in faults.test.ts. */
const faults: ReadonlyArray<Fault> = [
  { fault: "status", status: 408 },
  { fault: "status", status: 500 },
  { fault: "status", status: 502 },
  { fault: "status", status: 503 },
  { fault: "rate_limited", retry_after: "0" },
  { fault: "rate_limited" },
  { fault: "reset", at: "before" },
  { fault: "reset", at: "headers" },
  { fault: "reset", at: "body" },
  { fault: "truncate" },
  { fault: "malformed" },
  { fault: "drip", bytes: 512, every_ms: 1 },
  { fault: "latency", ms: 30 },
  { fault: "clock_skew", seconds: 86_400 },
  { fault: "bom" },
  { fault: "padding", bytes: 100_000 },
  { fault: "nesting", depth: 1000 },
  { fault: "expired_cursor" },
  { fault: "empty_page" },
  { fault: "duplicate_rows", count: 2 },
  { fault: "extra_rows", count: 3 },
]

const kinds = new Set(faults.map(({ fault }) => fault))

/** One request in ten has one of the faults. */
const rules = faults.map((fault) => ({ when: { probability: 0.1 / faults.length }, faults: [fault] as const }))

const exportAll = Effect.fn("exportAll")(function* () {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  const lines = yield* pager.scan({}, { concurrency: 16, report }).pipe(
    Stream.runFold(
      () => new Array<string>(),
      (lines, { results }) => {
        for (const transfer of results) lines.push(JSON.stringify(transfer))
        return lines
      },
    ),
  )
  const digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex")
  return { count: lines.length, digest, report: yield* Ref.get(report) }
})

test(`a scan of ${total} transfers under faults of every kind delivers the same bytes as without`, async () => {
  const { calm, stormy, faulty } = await Effect.gen(function* () {
    const fake = yield* FakeServer
    const client = HttpTransferPager.layer({
      baseUrl: fake.url,
      partnerId: "demo",
      secretKey: Redacted.make("demo-secret"),
      retry: { retries: 8, baseDelay: 2, maxDelay: 20 },
    }).pipe(Layer.provide(NodeTransport.layer))
    const calm = yield* exportAll().pipe(Effect.provide(client))
    fake.addFaults(...rules)
    const stormy = yield* exportAll().pipe(Effect.provide(client))
    return { calm, stormy, faulty: fake.requests().filter(({ faults }) => faults.length > 0) }
  }).pipe(Effect.provide(FakeServer.layer({ transfers: total, journalSize: 100_000 })), Effect.runPromise)

  expect(calm.count).toBe(total)
  expect(stormy.count).toBe(total)
  expect(stormy.digest).toBe(calm.digest)
  expect(stormy.report.completeness).toEqual({ _tag: "Complete" })
  // A short run does not see all of them.
  expect(new Set(faulty.flatMap(({ faults }) => faults)).size).toBeGreaterThanOrEqual(
    Math.min(kinds.size, total / 1250),
  )
  expect(faulty.length / (total / 20)).toBeGreaterThan(0.05)
}, 600_000)
