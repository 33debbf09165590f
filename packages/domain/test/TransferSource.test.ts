/** What a source that is read from its beginning finds by its keys. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Transfer from "../src/Transfer.ts"
import * as TransferSource from "../src/TransferSource.ts"

const transferOf = (fields: object) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({ id: "t", kind: "cash_in", status: "executing", created_at: "2024-09-01T00:00:00Z", ...fields }),
    ),
  )

test("a transfer without a key is not found by an empty one", async () => {
  const transfers = [transferOf({ id: "without" }), transferOf({ id: "empty", external_id: "" })]
  const source = await Effect.runPromise(TransferSource.memory({ transfers }))
  for (const field of [undefined, "external_id"] as const) {
    const found = await Effect.runPromise(Stream.runCollect(source.find([""], field)))
    expect(found.map(({ transfer }) => transfer.id)).toEqual(["empty"])
  }
  expect(await Effect.runPromise(Stream.runCollect(source.find([""], "wallet_address")))).toEqual([])
})
