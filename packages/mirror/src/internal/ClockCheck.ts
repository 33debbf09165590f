/** Whether the clock of a mirror can be right: it is never behind the last instant of the history, but by a little. */
import * as Coverage from "@transferkit/domain/Coverage"
import { duration } from "@transferkit/domain/Quantity"
import * as Effect from "effect/Effect"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import type { Warning } from "./LookBack.ts"
import * as MirrorClock from "./MirrorClock.ts"

/** Milliseconds by which the clock is behind the last instant of the history. */
export const behind = Effect.flatMap(TransferMirror, (mirror) => Driver.of(mirror).run(MirrorClock.behind))

/** Says so if it is wrong. */
export const warnings = Effect.gen(function* () {
  const millis = yield* behind
  if (millis <= Coverage.tolerated) return []
  const { address } = yield* TransferMirror
  const whose = address.startsWith("sqlite:") ? "this machine" : "the database"
  const warning: Warning = {
    about: "clock",
    message: `the clock of ${whose} is ${duration(millis / 1000)} behind the last instant of the mirror: it was set back, or was ahead before. The history counts on from there, so until then --as-of shows what is known now. What a sync has read by a clock that was ahead counts as read with the next sync by a right clock`,
  }
  return [warning]
})
