/** The tools over transfers in memory. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Handlers from "../src/internal/Handlers.ts"
import type * as Mask from "../src/Mask.ts"

/** A transfer of a minute, with fields that the contract does not name. */
export const transfer = (minute: number, more: Readonly<Record<string, unknown>> = {}): Transfer.Transfer =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id: `tr_${minute}`,
        external_id: `order-${minute}`,
        kind: "cash_in",
        status: "complete",
        created_at: new Date(Date.UTC(2024, 8, 1) + minute * 60_000).toISOString(),
        source_total: { amount: "1.00", currency_code: "fiat/USD" },
        ...more,
      }),
    ),
  )

/** The tools over them. */
export const over = (transfers: ReadonlyArray<Transfer.Transfer>, mask: Mask.Mask = (fields) => fields) => {
  const source = TransferSource.layerMemory({
    transfers,
    coverage: Coverage.upTo(Timestamp.parseUnsafe("2100-01-01T00:00:00Z")),
  })
  const pager = TransferPager.layer.pipe(Layer.provide(InMemoryTransferApi.layerSource), Layer.provideMerge(source))
  return Handlers.make({ mask, allowIncomplete: false, runQuery: undefined }).pipe(Effect.provide(pager))
}
