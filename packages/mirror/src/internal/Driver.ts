/** The driver of a mirror's database, for the modules of this package. All others have the operations of `TransferMirror`. */
import type * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { MirrorError } from "../MirrorError.ts"

export interface Driver {
  readonly sql: SqlClient.SqlClient
  /** Runs SQL, with the errors of a mirror. */
  readonly run: <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>) => Effect.Effect<A, MirrorError>
  /** Runs what has statements of its own, so that no span of them shows a secret. */
  readonly masked: <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Makes one transaction of all that an effect writes. */
  readonly transaction: <A, E, R>(
    body: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, Exclude<E, SqlError> | MirrorError, R>
}

const key = Symbol("@transferkit/mirror/Driver")

/** The operations of a mirror, with the driver under them. A copy of the operations keeps it. */
export const attach = <Operations extends object>(operations: Operations, driver: Driver): Operations =>
  Object.assign(operations, { [key]: driver })

/** The driver under a mirror. */
export const of = (mirror: { readonly address: string }): Driver =>
  (mirror as typeof mirror & { readonly [key]: Driver })[key]
