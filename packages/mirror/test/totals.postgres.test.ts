/** Totals that several transactions add to at once, without the lease that keeps syncs apart. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as MirrorSummary from "../src/MirrorSummary.ts"
import * as MirrorSync from "../src/MirrorSync.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

const transferOf = (id: string, day: string) =>
  Lab.ok(
    Transfer.fromJson(
      JSON.stringify({
        id,
        kind: "cash_in",
        status: "complete",
        created_at: `${day}T00:00:00Z`,
        source_total: { amount: "1.50", currency_code: "fiat/USD" },
      }),
    ),
  )

/** Without it, each transaction would wait for the clock of the mirror. */
const seen_at = "2025-01-01T00:00:01.000Z"

test("count each transfer that was written, and no other", async () => {
  const address = await server.createDatabase()
  await server.execute(address, "CREATE TABLE test_clock (millis BIGINT); INSERT INTO test_clock VALUES (0)")
  const lab = Lab.make(address, { count: 0 })
  await Lab.run(lab, MirrorSync.sync({ partner_id: Lab.partner_id }))
  const written = await Lab.run(
    lab,
    Effect.gen(function* () {
      const { apply } = yield* TransferMirror
      const of = (id: string, day: string) =>
        apply({
          partner_id: Lab.partner_id,
          window: CreatedAt.none,
          transfers: [transferOf(id, day)],
          run_id: 1n,
          seen_at,
        })
      let count = 0
      // At once on a day that has no totals yet, and then on the same day.
      for (let round = 0; round < 30; round++) {
        const day = `2024-03-${String(1 + Math.floor(round / 3)).padStart(2, "0")}`
        const ids = [0, 1, 2, 3].map((n) => `tr_${round}_${n}`)
        const exits = yield* Effect.forEach(ids, (id) => Effect.exit(of(id, day)), { concurrency: "unbounded" })
        count += exits.filter(Exit.isSuccess).length
      }
      return count
    }),
  )
  const summary = await Lab.run(lab, MirrorSummary.summarize({ partner_id: Lab.partner_id, by: [] }))
  const [row] = await Lab.query(lab, "SELECT COUNT(*) AS transfers FROM transfers")
  expect(row).toEqual({ transfers: BigInt(written) })
  expect(written).toBe(120)
  expect(summary?.summary.transfers).toBe(written)
  expect(summary?.summary.groups[0]?.totals.source_total?.map(String)).toEqual([
    `${(written * 1.5).toFixed(2)} fiat/USD`,
  ])
})
