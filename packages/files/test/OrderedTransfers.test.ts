import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as TransferDecoder from "../src/formats/TransferDecoder.ts"
import * as OrderedTransfers from "../src/node/OrderedTransfers.ts"

const transfers = (ids: ReadonlyArray<string>): ReadonlyArray<Transfer> =>
  Result.getOrThrow(
    TransferDecoder.fromJsonTexts(
      ids.map((id) => `{"id":"${id}","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}`),
    ),
  )

/** The ids of each of two readings, and how often the source itself was read for them. */
const readTwice = (order: "created" | "listed", ids: ReadonlyArray<string>, once = false) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        let readings = 0
        const source = Stream.suspend(() => Stream.succeed((readings++, transfers(ids))))
        const kept = yield* OrderedTransfers.keep({ name: "it", order }, source, { once })
        const read = Effect.map(Stream.runCollect(kept), (batches) => batches.flat().map(({ id }) => id))
        return { ids: [yield* read, yield* read], readings }
      }),
    ),
  )

test("keeps transfers in order, so that the source is read once however often they are", async () => {
  const inOrder = ["a", "b", "c"]
  expect(await readTwice("listed", ["c", "a", "b"])).toEqual({ ids: [inOrder, inOrder], readings: 1 })
  expect(await readTwice("created", inOrder)).toEqual({ ids: [inOrder, inOrder], readings: 1 })
})

test("keeps nothing of a source in order that is read once, and all of another", async () => {
  expect(await readTwice("created", ["a", "b"], true)).toMatchObject({ readings: 2 })
  expect(await readTwice("listed", ["b", "a"], true)).toEqual({
    ids: [
      ["a", "b"],
      ["a", "b"],
    ],
    readings: 1,
  })
})

test("rejects a transfer that a source has twice", async () => {
  await expect(readTwice("listed", ["a", "b", "a"])).rejects.toThrow("it: a transfer is in it more than once")
})
