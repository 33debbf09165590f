/** Where a first load stands, in the mirror's state. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import { TransferMirror } from "../TransferMirror.ts"
import * as Doubts from "./Doubts.ts"
import * as Driver from "./Driver.ts"
import * as SyncTables from "./SyncTables.ts"
import * as SyncWindows from "./SyncWindows.ts"

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

/**
 * The same of a load that can go on. One with doubts is forgotten, and so are they: it may have read any second without a
 * transfer, so everything is read again.
 */
export const resumable = Effect.fnUntraced(function* (partner_id: string) {
  if (CreatedAt.isEmpty(yield* Doubts.read(partner_id))) return yield* read(partner_id)
  const { transaction } = Driver.of(yield* TransferMirror)
  yield* transaction(
    Effect.gen(function* () {
      yield* SyncTables.removeState(partner_id, "backfill")
      yield* SyncWindows.clear(partner_id)
      yield* Doubts.clear(partner_id)
    }),
  )
  return undefined
})
