/** All transfers of a source that a filter requests, with a display of the progress. */
import { type SourceQuery, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Progress from "./Progress.ts"

/** Batches in the order of the source. `filter.keeps` has not been applied to them. */
export const of = (query: SourceQuery) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { transfers } = yield* TransferSource
      return Stream.map(Progress.over(transfers(query)), ({ results }) => results)
    }),
  )
