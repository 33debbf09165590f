/**
 * The right to sync a partner: a token in the mirror that every transaction of a sync checks, whatever has happened to
 * its connection or its process meanwhile. The lease's length decides only how soon another process may try.
 */
import { hostname } from "node:os"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { MirrorError } from "../MirrorError.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"

/** A lease that this process has taken. A sync that has lost it takes it again before it reads anything. */
export interface Held {
  readonly partner_id: string
  readonly token: Ref.Ref<bigint>
}

/** The leases under which an effect runs, by partner. */
export const Current = Context.Reference<ReadonlyMap<string, Held>>("@transferkit/mirror/Lease", {
  defaultValue: () => new Map(),
})

/** How long a process that does not respond keeps a mirror. */
export const length = Duration.seconds(10)

/** The name of this process. */
export const holder = `${hostname()}:${process.pid}`

const until = (sql: SqlClient.SqlClient) =>
  sql`${SqlText.nowMicros(sql)} + ${sql.literal(String(Duration.toMillis(length) * 1000))}`

/** Who has the lease of a partner, and until when if it is not renewed, in microseconds since 1970. */
export interface Holder {
  readonly holder: string
  readonly expires_us: bigint
}

/** The proof of a lease. */
export interface Token {
  readonly token: bigint
}

/**
 * Takes the lease of a partner. If another process has it: who. One that was not renewed for as long as it lasts is free,
 * whatever instant its row has: a clock may have been set back.
 */
export const take = (sql: SqlClient.SqlClient, partner_id: string, unrenewed?: bigint) =>
  // So that a wait for another writer can be interrupted.
  sql.withTransaction(taking(sql, partner_id, unrenewed))

const taking = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  unrenewed?: bigint,
): Effect.fn.Return<Token | Holder, SqlError> {
  yield* sql`INSERT INTO sync_leases (partner_id, token, holder, expires_us) VALUES (${partner_id}, 0, '', 0)
    ON CONFLICT (partner_id) DO NOTHING`
  const [taken] =
    yield* sql<Token>`UPDATE sync_leases SET token = token + 1, holder = ${holder}, expires_us = ${until(sql)}
    WHERE partner_id = ${partner_id} AND (expires_us < ${SqlText.nowMicros(sql)} OR expires_us = ${unrenewed ?? 0n}) RETURNING token`
  if (taken !== undefined) return taken
  const [other] = yield* sql<Holder>`SELECT holder, expires_us FROM sync_leases WHERE partner_id = ${partner_id}`
  return other ?? { holder: "", expires_us: 0n }
})

/** Who has a lease now, and until when. */
export const holders = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<
    Holder & { readonly partner_id: string }
  >`SELECT partner_id, holder, expires_us FROM sync_leases
    WHERE expires_us > ${SqlText.nowMicros(sql)} ORDER BY partner_id`
  return yield* Effect.forEach(rows, ({ partner_id, holder: whose, expires_us }) => {
    const until = SqlText.instantOf(expires_us)
    return until === undefined
      ? Effect.fail(
          SqlFailure.damaged("sync_leases", { partner_id }, "has an expires_us that is no instant: delete it"),
        )
      : Effect.succeed({ partner_id, lease: { holder: whose, until } })
  })
})

/** Extends a lease. False if another process has taken it. */
export const extend = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, held: Held) {
  const { partner_id } = held
  const token = yield* Ref.get(held.token)
  // A process that is stopped within a transaction would keep the row locked for ever.
  const timeout = sql.literal(`'${Duration.toMillis(length)}'`)
  const result = sql.onDialectOrElse({
    pg: () => sql`set_config('idle_in_transaction_session_timeout', ${timeout}, true)`,
    orElse: () => sql`1`,
  })
  const rows = yield* sql`UPDATE sync_leases SET expires_us = ${until(sql)}
    WHERE partner_id = ${partner_id} AND token = ${token} RETURNING ${result} AS extended`
  return rows.length > 0
})

/** Renews a lease for as long as it runs. */
export const renew = (sql: SqlClient.SqlClient, held: Held) =>
  Effect.forever(
    Effect.andThen(Effect.sleep(Duration.toMillis(length) / 3), Effect.ignore(sql.withTransaction(extend(sql, held)))),
  )

/** Gives a lease back. */
export const release = (sql: SqlClient.SqlClient, { partner_id, token }: Held) =>
  Effect.flatMap(
    Ref.get(token),
    (mine) => sql`UPDATE sync_leases SET expires_us = 0 WHERE partner_id = ${partner_id} AND token = ${mine}`,
  )

/** The first statement of a transaction that writes a partner's rows: it fails if another sync has taken over. */
export const check = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, partner_id: string, mirror: string) {
  const held = (yield* Current).get(partner_id)
  if (held === undefined || (yield* extend(sql, held))) return
  return yield* new MirrorError({ kind: "taken_over", mirror, reason: "another sync has taken over: this one ends" })
})
