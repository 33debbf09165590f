/** Any source in order of creation, on disk unless it is so already and is read once. */
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { attempt, FileError } from "../FileError.ts"
import * as TransferDecoder from "../formats/TransferDecoder.ts"
import * as CreationOrder from "../partitions/CreationOrder.ts"
import * as Partitions from "../partitions/Partitions.ts"
import { SortedTexts } from "../partitions/SortedTexts.ts"
import * as ScratchFile from "./ScratchFile.ts"

/** Transfers to decode at once. */
const batchSize = 500

/** How to keep them. The default is for everything but tests. */
export interface Options {
  /**
   * The length of the texts that are kept in memory, in UTF-16 code units.
   * @default 8 Mi
   */
  readonly limit?: number
  /** Whether they are read once. Those of a source that is in order are not kept then. */
  readonly once?: boolean
}

/**
 * Transfers of a source by creation, then by id. They can be read as often as needed, always the same ones, until the
 * scope ends. One that a source has twice is an error. Even those of a file in order are kept: a month of them is less to
 * decode than the whole file again.
 */
export const keep = Effect.fn("OrderedTransfers.keep")(function* <E, R>(
  { name, order }: Pick<TransferSource["Service"], "name" | "order">,
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  { limit = Partitions.defaultLimit, once = false }: Options = {},
): Effect.fn.Return<
  Stream.Stream<ReadonlyArray<Transfer>, E | FileError, R>,
  E | FileError,
  R | Effect.Services<typeof ScratchFile.make>
> {
  if (once && order === "created") return batches
  const texts = new SortedTexts(yield* ScratchFile.make, limit)
  yield* Stream.runForEach(batches, (batch) =>
    attempt(() => batch.forEach((transfer) => texts.add(CreationOrder.of(transfer), JSON.stringify(transfer)))),
  )
  return Stream.suspend(() => {
    let last = ""
    const rows = { [Symbol.iterator]: () => texts.rows() }
    return Stream.mapEffect(Stream.fromIterable(Iterable.chunksOf(rows, batchSize)), (chunk) =>
      attempt(() => {
        for (const { order: place } of chunk) {
          if (place === last) throw new FileError({ path: name, reason: "a transfer is in it more than once" })
          last = place
        }
        return Result.getOrThrow(TransferDecoder.fromJsonTexts(chunk.map(({ text }) => text)))
      }),
    )
  })
})
