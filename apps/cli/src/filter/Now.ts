/** The current instant, from Effect's clock. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const now: Effect.Effect<Timestamp.Timestamp> = Effect.map(Clock.currentTimeMillis, (millis) =>
  Timestamp.fromDate(new Date(millis)),
)

/** Where the transfers of the sandbox end if `--now` is not given: a day, so that all runs of a day read the same. */
export const today: Effect.Effect<string> = Effect.map(now, ({ text }) => text.slice(0, 10))
