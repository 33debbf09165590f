/** Transactions that write rows of a partner: each holds only under the lease of its sync. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as Lease from "./Lease.ts"

/** Runs a transaction that writes. */
export const write = Effect.fnUntraced(function* <A>(
  partner_id: string,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>,
) {
  const mirror = yield* TransferMirror
  const { sql, transaction, run } = Driver.of(mirror)
  return yield* transaction(
    Effect.andThen(
      Lease.check(sql, partner_id, mirror.address),
      run(() => use(sql)),
    ),
  )
})
