/** Where a first load stands, in the mirror's state. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import * as SyncTables from "./SyncTables.ts"

const Position = S.fromJsonString(
  S.Struct({
    started_at: Timestamp.Schema,
    until: Timestamp.Schema,
    checkpoint: S.optionalKey(Checkpoint.Schema),
  }),
)

/** Without a checkpoint nothing was read, or it is read by windows. */
export interface LoadPosition {
  readonly started_at: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
  readonly checkpoint?: Checkpoint.Checkpoint
}

// Written out, because the types of the schema name what only the domain can import.
const decode: (text: unknown) => Effect.Effect<LoadPosition, S.SchemaError> = S.decodeUnknownEffect(Position)

/** As the mirror's state holds it. */
export const encode: (position: LoadPosition) => string = S.encodeSync(Position)

/** The position of a partner's load, if it has begun. */
export const read = Effect.fnUntraced(function* (partner_id: string) {
  const saved = yield* SyncTables.state(partner_id, "backfill")
  if (saved === undefined) return undefined
  return yield* decode(saved).pipe(
    Effect.catch(() => SyncTables.damaged(partner_id, "backfill", "has a value that is no position of a load")),
  )
})

/** The most spans of seconds. Beyond that, one of them includes what is between. */
const mostSpans = 1000

/**
 * The seconds of transfers that came for creation times which are not theirs, and that the load has yet to find at their
 * own: it may have read these seconds without them.
 */
export const due = ({ strays = [] }: Pick<Checkpoint.Checkpoint, "strays">): CreatedAt.CreatedAt => {
  const seconds = [...new Set(strays.map(({ created_at }) => Timestamp.epochSeconds(created_at)))].sort((a, b) => a - b)
  const spans: Array<{ readonly from: number; to: number }> = []
  for (const from of seconds) {
    const last = spans.at(-1)
    if (last !== undefined && (last.to === from || spans.length === mostSpans)) last.to = from + 1
    else spans.push({ from, to: from + 1 })
  }
  return spans.reduce((all, span) => CreatedAt.or(all, RefreshPlan.createdAt({ ...span, pages: 1 })), CreatedAt.none)
}

/** Where to read on if windows have read the rest: what is {@link due}. */
export const afterWindows = (checkpoint: Checkpoint.Checkpoint): Checkpoint.Checkpoint => ({
  ...checkpoint,
  remaining: CreatedAt.intervals(due(checkpoint)).map(({ first, end }) => ({
    ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first) }),
    ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end) }),
  })),
})
