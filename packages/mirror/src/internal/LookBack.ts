/** How far back a pass reads: by how late transfers have appeared in this service so far. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted, duration } from "@transferkit/domain/Quantity"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as Lateness from "./Lateness.ts"
import * as LoadPosition from "./LoadPosition.ts"
import * as MirrorClock from "./MirrorClock.ts"
import * as SyncTables from "./SyncTables.ts"

/** Observations of lateness that are older do not count. */
const remembered = Duration.days(30)

/** Fewer observations are too few to measure by. */
const enough = 10_000

const usual = Duration.hours(1)
const least = Duration.minutes(10)
/** Beyond that, a pass would read much of the history. A verification finds what is later. */
const most = Duration.days(7)

/** By how much the look-back exceeds the latest that was seen. */
const margin = 4n

/** What may be wrong with a sync. */
export interface Warning {
  readonly about: "clock" | "look_back" | "missed" | "outside" | "service_clock"
  readonly message: string
}

/** A look-back, and why it may be too short. */
export interface LookBack {
  readonly lookBack: Duration.Duration
  readonly warnings: ReadonlyArray<Warning>
}

/** The look-back of a partner's next pass, and what it follows from. One that the user has set stays. */
export const of = Effect.fnUntraced(function* (partner_id: string, given?: Duration.Duration) {
  const { run } = Driver.of(yield* TransferMirror)
  const last = yield* SyncTables.lastPass(partner_id)
  const since = last === undefined ? undefined : Timestamp.toUtc(Timestamp.lookBack(last, remembered)).text
  const measured = yield* run((sql) => Lateness.measured(sql, partner_id, since?.slice(0, 10) ?? ""))
  const decided = decide(measured, given)
  return { ...decided, measured, last, recent: yield* recentTimes(partner_id, { lookBack: decided.lookBack, last }) }
})

/** The look-back by what was measured. */
export const decide = (measured: Lateness.Measured, given: Duration.Duration | undefined): LookBack => {
  const { observed, longest, missed, longestMissed, ahead } = measured
  const needed = Duration.nanos(longest * margin)
  const seconds = (nanoseconds: bigint) => duration(Math.floor(Duration.toSeconds(Duration.nanos(nanoseconds))))
  const warnings: Array<Warning> = []
  if (given !== undefined && Duration.isGreaterThan(needed, given)) {
    warnings.push({
      about: "look_back",
      message: `--look-back ${Duration.toSeconds(given)} is too short for this service: a transfer appeared at least ${seconds(longest)} after its creation. Leave it out, or give at least ${Math.ceil(Duration.toSeconds(needed))}`,
    })
  }
  if (missed > 0) {
    warnings.push({
      about: "missed",
      message: `${counted(missed, "transfer")} appeared later than passes look back, at least ${seconds(longestMissed)} after creation: ${given === undefined ? "passes look back twice as far now" : "give a longer --look-back"}, and sync --verify finds what was missed`,
    })
  }
  if (Duration.isGreaterThan(Duration.nanos(ahead), Duration.minutes(1))) {
    warnings.push({
      about: "service_clock",
      message: `the service dates transfers up to ${seconds(ahead)} after the mirror sees them: the clock of one of them is wrong`,
    })
  }
  if (given !== undefined) return { lookBack: given, warnings }
  const byMeasure = observed < enough ? usual : Duration.max(usual, Duration.max(least, needed))
  const lookBack = Duration.min(missed > 0 ? Duration.times(byMeasure, 2) : byMeasure, most)
  return { lookBack, warnings }
}

/**
 * The creation times from which on there may be transfers that were not read. Not later than the start of the last reading
 * that is believed: an instant of a clock that was ahead, or a transfer that is dated ahead, may be later than what was read.
 * Nor than the latest transfer before that start, in case that clock was ahead and its instant has passed.
 */
const recentTimes = Effect.fnUntraced(function* (
  partner_id: string,
  { lookBack, last }: { readonly lookBack: Duration.Duration; readonly last: Timestamp.Timestamp | undefined },
) {
  const since = yield* SyncTables.sinceFloor(partner_id)
  const began = last ?? (yield* loadBegan(partner_id))
  if (began === undefined) return since
  const now = Timestamp.fromDate(new Date(yield* Clock.currentTimeMillis))
  const known = Timestamp.compare(began, now) <= 0 ? began : now
  const read = yield* SyncTables.latestCreation(partner_id, known.epochNanoseconds)
  if (read === undefined) return since
  const back = Timestamp.lookBack(Timestamp.fromEpochNanoseconds(read), lookBack)
  return CreatedAt.and(since, CreatedAt.gte(Timestamp.fromEpochSeconds(Timestamp.epochSeconds(back))))
})

/** When the load began, unless by a clock that was ahead: what it has read is not known then. */
const loadBegan = Effect.fnUntraced(function* (partner_id: string) {
  const position = yield* LoadPosition.read(partner_id)
  if (position === undefined) return undefined
  return Timestamp.compare(position.started_at, yield* MirrorClock.latestNow) <= 0 ? position.started_at : undefined
})
