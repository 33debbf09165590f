/** All that a filter asks the service for, as it comes, with a display of how far it is. */
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { TransferFilter } from "../filter/TransferFilter.ts"
import { type Globals, isForScript } from "../flags/GlobalFlags.ts"
import * as Progress from "./Progress.ts"

/** Batches of a scan, in any order. What only the filter can tell is still among them. */
export const of = ({ query }: TransferFilter, globals: Globals) =>
  Stream.unwrap(
    Effect.map(TransferPager, (pager) => {
      const batches = pager.scan(query)
      return isForScript(globals) ? batches : Progress.over(batches, query.created_at)
    }),
  )
