/** All transfers that a filter requests of the service, with a display of the progress. */
import type { TransferFilter } from "@transferkit/domain/TransferFilter"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isForScript } from "../flags/Globals.ts"
import * as Progress from "./Progress.ts"

/** Batches of a scan, in any order. `filter.keeps` has not been applied to them. */
export const of = ({ query }: Pick<TransferFilter, "query">) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const pager = yield* TransferPager
      const batches = pager.scan(query)
      return (yield* isForScript) ? batches : Progress.over(batches)
    }),
  )
