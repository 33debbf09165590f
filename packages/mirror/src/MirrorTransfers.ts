/** All transfers of a mirror in the order in which exports have them: by creation, then by id. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Rows from "./internal/Rows.ts"
import * as SqlText from "./internal/SqlText.ts"
import type { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Transfers to read at once. */
const batchSize = 1000

interface Row {
  readonly id: string
  readonly created_ns: bigint
  readonly body: string
}

/** The transfers of a partner, in batches. */
export const inOrder = (partner_id: string): Stream.Stream<ReadonlyArray<Transfer>, MirrorError, TransferMirror> =>
  Stream.unfold<Row | undefined, ReadonlyArray<Transfer>, MirrorError, TransferMirror>(
    undefined,
    Effect.fnUntraced(function* (after) {
      const { run } = yield* TransferMirror
      const place = after === undefined ? "" : " AND (created_ns, id) > (?, ?)"
      const rows = yield* run((sql) =>
        sql.unsafe<Row>(
          SqlText.place(
            sql,
            `SELECT id, created_ns, body FROM transfers WHERE partner_id = ?${place} ORDER BY created_ns, id LIMIT ${batchSize}`,
          ),
          [partner_id, ...(after === undefined ? [] : [after.created_ns, after.id])],
        ),
      )
      const last = rows.at(-1)
      return last === undefined ? undefined : ([rows.map(({ body }) => Rows.toTransfer(body)), last] as const)
    }),
  )
