/** What a run of the pager has in common, whichever way it reads: its report. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { TransferApiError } from "../../TransferApiError.ts"
import type { TransferPagerError } from "../../TransferPagerError.ts"
import type { PagerOptions } from "./PagerOptions.ts"
import type { Completeness, Tally } from "./Report.ts"

/**
 * What a pager streams, and the errors of the service and of the pager that can end it.
 *
 * @example
 * const error = await Effect.runPromise(Effect.flip(Stream.runDrain(pager.transfers({}, { limit: 21 }))))
 * error._tag // => "InvalidPagerOption"
 */
export type TransferStream<A> = Stream.Stream<A, TransferApiError | TransferPagerError>

/** Keeps the report: updated by `progress` after each page, and completed when the stream ends. */
export const reporting = <A>(
  { report }: PagerOptions,
  counts: { readonly tally: Tally },
  run: (progress: Effect.Effect<void>) => TransferStream<A>,
): TransferStream<A> => {
  if (report === undefined) return run(Effect.void)
  const write = (completeness: Completeness) =>
    Effect.suspend(() => Ref.set(report, { tally: counts.tally, completeness }))
  let ended = false
  return run(write({ _tag: "Running" })).pipe(
    Stream.onEnd(Effect.sync(() => (ended = true))),
    Stream.onExit((exit) => write(ended ? { _tag: "Complete" } : { _tag: "Cut", by: cutBy(exit) })),
  )
}

const cutBy = (exit: Exit.Exit<unknown, TransferApiError | TransferPagerError>): string => {
  if (Exit.isSuccess(exit)) return "consumer"
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error) ? error.value._tag : "interruption"
}
