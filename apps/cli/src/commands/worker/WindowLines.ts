/** The lines between `transfers export --workers` and its workers: a window in, and its transfers out, one a line. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as S from "effect/Schema"

/** Tells a worker to end its window after the next batch. */
export const stop = "stop"

/** Ends a window, whether it was read to its end or stopped. */
export const end = "#"

/** Begins the line after the transfers of a batch. */
export const mark = "#"

const Batch = S.fromJsonString(
  S.Struct({
    /** What is left of the window. */
    checkpoint: Checkpoint.Schema,
    /** Transfers of the window that are still to come, by a guess. */
    expected: S.Finite,
    /** Of the window so far. */
    tally: S.Struct({ pages: S.Int, transfers: S.Int, duplicates: S.Int, outside: S.Int, oversized: S.Int }),
  }),
)

/** What is known after a batch. */
export type Batch = typeof Batch.Type

export const encodeBatch = S.encodeSync(Batch)
export const decodeBatch = S.decodeUnknownResult(Batch)
