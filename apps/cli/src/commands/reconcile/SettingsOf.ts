/** The settings of a reconciliation after defaults, so that its result can be repeated. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as DateTime from "effect/DateTime"
import manifest from "../../../package.json" with { type: "json" }
import type * as BookRules from "./BookRules.ts"
import type * as Flags from "./Flags.ts"

/** The settings, as the JSON of a result holds them. */
export const make = (
  { key, amount, tolerance, group, flip_sign, look_ups }: Flags.Input,
  { settlement, period, timeZone, asOfDay, graceDays }: BookRules.BookRules,
) => ({
  version: manifest.version,
  created_at: CreatedAt.ranges(period).flatMap(CreatedAt.printRange),
  time_zone: DateTime.zoneToString(timeZone),
  key,
  amount,
  tolerance,
  group,
  flip_sign,
  settled: settlement.settledStatuses,
  failed: settlement.failedStatuses,
  grace_days: graceDays,
  ...(asOfDay === undefined ? {} : { as_of_day: asOfDay }),
  look_ups,
})
