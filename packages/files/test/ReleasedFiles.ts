/**
 * One file of each format that the programs write: later versions read those of each release, with equal transfers. Those of
 * the coming release are in a folder `next`, which the release renames to its version; from then on they never change.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as Checkpoint from "@transferkit/domain/Checkpoint"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TransferFormat from "../src/formats/TransferFormat.ts"
import * as ExportFile from "../src/node/ExportFile.ts"
import * as Spool from "../src/node/Spool.ts"

/** The folder of all releases. */
export const folder = join(import.meta.dirname, "released")

/** That of the coming one. */
export const next = join(folder, "next")

const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })

/** What the service sent, in order of creation. The fields that no contract names yet are read as what they become. */
const sent: ReadonlyArray<object> = [
  {
    id: "tr_1",
    external_id: "order-1",
    kind: "cash_in",
    status: "complete",
    network_transaction_id: "0xabc",
    created_at: "2024-09-01T10:00:00.120Z",
    updated_at: "2024-09-01T12:30:00.123456789+02:00",
    source_total: usd("105.00"),
    source_total_usd: usd("105.0"),
    source_subtotal: usd("100"),
    source_subtotal_usd: usd("100.00"),
    destination_total: { amount: "0.031234567890123456", currency_code: "ethereum/ETH" },
    destination_total_usd: usd("-0.50"),
    wallet_address: "0xdef",
    payment_method: "card",
    service_fee: usd("4.00"),
    service_fee_usd: usd("4.00"),
    network_fee: usd("999999999999999999.999999999999999999"),
    network_fee_usd: usd("1.000000000000000000"),
  },
  { id: "tr_2", kind: "cash_out", status: "executing", created_at: "2024-09-02T00:00:00Z" },
  {
    id: "tr_3",
    external_id: '=HYPERLINK("x")',
    kind: "gift",
    status: "held",
    created_at: "2024-09-03T00:00:00.000000001Z",
    payment_method: 'two\nlines, "quoted"; ünïcödé',
  },
  {
    id: "tr_4",
    kind: "cash_in",
    status: "declined",
    created_at: "2024-09-04T23:59:59.999-01:00",
    colour: { deep: ["red", null, 1.5] },
    bank_fee: usd("0.30"),
    settled_at: "2024-09-05T08:00:00.500Z",
  },
]

/** Writes all of them into a folder, which is emptied first. The same version writes the same bytes. */
export const write = (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const page = JSON.stringify({ results: sent, page_info: { has_next_page: false } }, undefined, 2)
  writeFileSync(join(folder, "sent.json"), `${page}\n`)
  writeFileSync(join(folder, "checkpoint.json"), `${JSON.stringify(checkpoint(2, ["gte", "2024-09-03T00:00:00Z"]))}\n`)
  const transfers = Result.getOrThrow(TransferPage.fromJson(page)).results
  return Effect.runPromise(Effect.provide(Effect.scoped(exportAll(folder, transfers)), NodeServices.layer))
}

const exportAll = Effect.fnUntraced(function* (folder: string, transfers: ReadonlyArray<Transfer>) {
  const spool = yield* Spool.create(join(folder, "transfers.ndjson.spool"), {
    filters: { since: ["2024-09"], status: ["complete", "executing"] },
    created_at: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
    origin: { base_url: "https://api.example.com", partner_id: "demo" },
    as_of: "2024-10-01T00:00:00Z",
    started_at: "2024-10-01T00:00:00Z",
  })
  yield* Spool.append(spool, transfers.slice(2), checkpoint(2, ["lt", "2024-09-03T00:00:00Z"]))
  yield* Spool.append(spool, transfers.slice(0, 2), checkpoint(4))
  for (const format of TransferFormat.formats) {
    const path = join(folder, `transfers.${format}`)
    yield* ExportFile.write(spool, { path, format, csvRaw: false, createTable: false })
  }
})

const checkpoint = (
  transfers: number,
  ...bounds: ReadonlyArray<readonly ["gte" | "lt", string]>
): Checkpoint.Checkpoint =>
  JSON.parse(
    JSON.stringify({
      version: 2,
      query: "CreatedAt(gte:2024-09-01T00:00:00Z,lt:2024-10-01T00:00:00Z)",
      transfers,
      remaining: bounds.map((bound) => Object.fromEntries([bound])),
    }),
  )
