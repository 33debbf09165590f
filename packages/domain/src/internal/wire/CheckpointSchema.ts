/** The schema of {@link file://../../Checkpoint.ts}. Separate, so that programs that only scan load no schema. */
import * as S from "effect/Schema"
import * as Timestamp from "../time/TimestampSchema.ts"
import * as Origin from "./OriginSchema.ts"

const Interval = S.Struct({ gte: S.optionalKey(Timestamp.Schema), lt: S.optionalKey(Timestamp.Schema) }).check(
  S.makeFilter(
    ({ gte, lt }) =>
      gte === undefined ||
      lt === undefined ||
      gte.epochNanoseconds < lt.epochNanoseconds ||
      "an interval whose gte is before its lt",
  ),
)

const Stray = S.Struct({ id: S.String, created_at: Timestamp.Schema })

const GivenUp = S.Struct({ id: S.String, created_at: Timestamp.Schema, external_id: S.optionalKey(S.String) })

const Count = S.Int.check(S.isGreaterThanOrEqualTo(0))

/** The schema of a {@link Checkpoint}. */
export const Schema = S.Struct({
  version: S.Literal(2),
  /** Whose transfers they are, if the service said so. */
  origin: S.optionalKey(Origin.Schema),
  /** The `fingerprint` of the query. */
  query: S.String,
  /** The upper bound that the scan set when it started, because the query has none: nothing from then on is read. */
  until: S.optionalKey(Timestamp.Schema),
  /** Transfers received so far. */
  transfers: Count,
  /** The creation times that are still to be read: from `gte` up to, not including, `lt`, as far as they are set. */
  remaining: S.Array(Interval),
  /** Transfers that the service sent for other creation times than theirs, and that were not received at their own. */
  strays: S.optionalKey(S.Array(Stray)),
  /** Transfers of listings that were not read to their end, and that were not received again. */
  given_up: S.optionalKey(S.Array(GivenUp)),
}).annotate({ identifier: "Checkpoint" })
