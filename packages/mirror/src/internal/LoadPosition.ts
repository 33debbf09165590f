/** Where a first load stands, in the mirror's state. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
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

/** See the schema. Without a checkpoint nothing was read, or it is read by windows. */
export type LoadPosition = typeof Position.Type

const decode = S.decodeUnknownEffect(Position)

/** As the mirror's state holds it. */
export const encode = S.encodeSync(Position)

/** The position of a partner's load, if it has begun. */
export const read = Effect.fnUntraced(function* (partner_id: string) {
  const saved = yield* SyncTables.state(partner_id, "backfill")
  return saved === undefined ? undefined : yield* Effect.orDie(decode(saved))
})
