/** Transactions that write rows of a partner: each holds only under the lease of its sync. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TransferMirror } from "../TransferMirror.ts"
import * as Lease from "./Lease.ts"

/** Runs a transaction that writes. */
export const write = Effect.fnUntraced(function* <A>(
  partner_id: string,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>,
) {
  const { sql, address, transaction, run } = yield* TransferMirror
  return yield* transaction(
    Effect.andThen(
      Lease.check(sql, partner_id, address),
      run(() => use(sql)),
    ),
  )
})
