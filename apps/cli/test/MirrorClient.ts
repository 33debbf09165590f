/** A client of a mirror's database, for states that no operation of a mirror writes. */
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as PostgresClient from "@transferkit/mirror/PostgresClient"
import * as SqliteClient from "@transferkit/mirror/SqliteClient"
import * as Effect from "effect/Effect"

/** Opens it until the scope ends. */
export const of = Effect.fnUntraced(function* (text: string) {
  const address = yield* Effect.fromResult(MirrorAddress.parse(text))
  if (address._tag === "Postgres") return (yield* PostgresClient.open({ address })).sql
  return (yield* SqliteClient.open({ file: address.file })).sql
})
