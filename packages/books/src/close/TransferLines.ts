/** Transfers as lines of a file in order of creation, whatever the order in which they come, in bounded memory. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import * as TransferDecoder from "@transferkit/files/formats/TransferDecoder"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import type { Scratch } from "@transferkit/files/partitions/Scratch"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import type * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as PrivateFile from "../internal/PrivateFile.ts"

/** Transfers that were added. */
export interface TransferLines {
  readonly add: (batch: ReadonlyArray<Transfer>) => Effect.Effect<void, FileError.FileError>
  readonly addAll: <E, R>(
    batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  ) => Effect.Effect<void, E | FileError.FileError, R>
  /** Writes those created in a period. Fails at a transfer that was added twice. */
  readonly write: (path: string, period: CreatedAt.CreatedAt) => Effect.Effect<void, FileError.FileError>
}

/** None so far. */
export const make = (scratch: Scratch): TransferLines => {
  const texts = new SortedTexts(scratch, Partitions.defaultLimit)
  const add: TransferLines["add"] = (batch) =>
    FileError.attempt(() => {
      for (const transfer of batch) texts.add(CreationOrder.of(transfer), JSON.stringify(transfer))
    })
  function* batches(period: CreatedAt.CreatedAt): Generator<ReadonlyArray<Transfer>> {
    let last = ""
    for (const rows of Iterable.chunksOf({ [Symbol.iterator]: () => texts.rows() }, 500)) {
      for (const { order } of rows) {
        if (order === last) throw new Error(`the transfer ${order.slice(22)} came more than once`)
        last = order
      }
      const all = Result.getOrThrow(TransferDecoder.fromJsonTexts(rows.map(({ text }) => text)))
      yield period === CreatedAt.all ? all : all.filter(({ created_at }) => CreatedAt.matches(period, created_at))
    }
  }
  function* lines(period: CreatedAt.CreatedAt): Generator<string> {
    for (const batch of batches(period)) yield batch.map((transfer) => `${JSON.stringify(transfer)}\n`).join("")
  }
  return {
    add,
    addAll: (all) => Stream.runForEach(all, add),
    write: (path, period) => PrivateFile.write(path, lines(period)),
  }
}
