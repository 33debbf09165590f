/**
 * What a large mirror takes to answer. The limits are those of a million transfers, which take minutes to load:
 * `MIRROR_ROWS=1000000 pnpm test:large`. With fewer, that of a plan is lower in proportion; summaries add up the totals
 * of days, which are as many.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as Summary from "@transferkit/domain/Summary"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as SyncTables from "../src/internal/SyncTables.ts"
import * as MirrorSummary from "../src/MirrorSummary.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const count = Number(process.env["MIRROR_ROWS"] ?? 200_000)
const share = count / 1_000_000
const batch = 1000
const partner_id = "demo"
const by = ["month", "status", "currency"] as const
const generator = TransferGenerator.make({ count })

let folder: string
let address: string
let expected: Summary.Summary

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-large-"))
  address = `sqlite:${join(folder, "transfers.db")}`
  const parts: Array<Summary.Summary> = []
  const load = Effect.gen(function* () {
    const mirror = yield* TransferMirror
    for (let first = 0; first < count; first += batch) {
      const transfers = Array.from({ length: batch }, (_, index) => transferAt(first + index))
      parts.push(Summary.summarize(transfers, { by }))
      const seen_at = "2025-01-01T00:00:00.000Z"
      // No window: nothing that is there can be missing.
      yield* mirror.apply({ partner_id, window: CreatedAt.none, transfers, seen_at, run_id: 1n, logsCreated: false })
    }
    yield* SyncTables.completeTotals(partner_id)
    yield* SyncTables.completeIndexes
  })
  await Effect.runPromise(Effect.provide(load, TransferMirror.layer(address)))
  expected = Summary.combine(parts, { by })
}, 1_200_000)
afterAll(() => rm(folder, { recursive: true }))

const transferAt = (index: number): Transfer.Transfer =>
  Result.getOrThrow(Transfer.fromJson(TransferGenerator.json(generator, index)))

/** Milliseconds of processor time: SQLite answers in this process, and other processes do not count. */
const processorTime = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Runs an effect on the mirror, and returns its result with the time it took, opening included. */
const timed = async <A, E>(effect: Effect.Effect<A, E, TransferMirror>): Promise<readonly [A, number]> => {
  const started = process.cpuUsage()
  const result = await Effect.runPromise(Effect.provide(effect, TransferMirror.layer(address, { readOnly: true })))
  return [result, processorTime(started)]
}

test("a transfer with its history is found in less than 100 ms, by both of its ids", async () => {
  const { id, external_id = "" } = transferAt(123_456)
  for (const name of [id, external_id]) {
    const [found, millis] = await timed(Effect.flatMap(TransferMirror, ({ find }) => find(name)))
    expect(found.map(({ transfer }) => transfer.id)).toContain(id)
    expect(millis).toBeLessThan(100)
  }
})

test("a summary of a million takes less than two seconds, and is that of the transfers", async () => {
  const [summary, millis] = await timed(MirrorSummary.summarize({ partner_id, by }))
  expect(JSON.stringify(summary?.summary)).toBe(JSON.stringify(expected))
  expect(millis).toBeLessThan(2000)
  const [, daily] = await timed(MirrorSummary.summarize({ partner_id, by: ["day", "currency"] }))
  expect(daily).toBeLessThan(2000)
})

test.each([
  ["month-end", "daily_totals WHERE created_day >= '2024-10-01' AND created_day < '2024-11-01'"],
  ["the fees of a month", "fees_by_currency WHERE created_month = '2024-10'"],
  ["a day", "transfers WHERE partner_id = 'demo' AND created_day = '2024-10-01'"],
  ["a wallet", "transfers WHERE wallet_address = 'x'"],
  ["a transaction hash", "transfers WHERE network_transaction_id = 'x'"],
  ["an external id", "transfers WHERE external_id = 'x'"],
])("%s is answered in less than 0.3 s", async (_, from) => {
  const [, millis] = await timed(Effect.flatMap(TransferMirror, ({ query }) => query(`SELECT * FROM ${from}`)))
  expect(millis).toBeLessThan(300)
})

test("a pass over a million with 3 % open is planned in less than a second, with at most 1.2 times the pages of the best plan", async () => {
  const [seconds, reading] = await timed(SyncTables.openSeconds(partner_id, CreatedAt.all, "2024-01-01T00:00:00.000Z"))
  expect(seconds.length).toBeGreaterThan(25_000 * share)
  const started = process.cpuUsage()
  const requests = RefreshPlan.plan(seconds)
  expect(reading + processorTime(started)).toBeLessThan(1000 * share)
  const pages = requests.reduce((sum, request) => sum + request.pages, 0)
  expect(pages).toBeLessThanOrEqual(1.2 * fewestPages(seconds))
})

/** The pages of the best plan: for each second, the best of all requests that end with it. */
const fewestPages = (seconds: ReadonlyArray<RefreshPlan.Second>): number => {
  const before = Float64Array.from(seconds, (second) => second.before)
  const best = new Float64Array(seconds.length + 1)
  seconds.forEach((last, end) => {
    const through = last.before + last.transfers
    let least = Infinity
    for (let start = end; start >= 0; start--) {
      const pages = Math.ceil((through - (before[start] ?? 0)) / 20)
      least = Math.min(least, (best[start] ?? 0) + pages)
      // No request that begins earlier can be part of a better plan: this one alone takes more.
      if (pages > least) break
    }
    best[end + 1] = least
  })
  return best[seconds.length] ?? 0
}
