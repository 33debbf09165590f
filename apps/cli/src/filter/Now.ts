/** The current instant, from Effect's clock. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const now: Effect.Effect<Timestamp.Timestamp> = Effect.map(Clock.currentTimeMillis, (millis) =>
  Timestamp.fromDate(new Date(millis)),
)
