/** Databases in which a role cannot make a mirror: the error is why. */
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import { MirrorError } from "../src/MirrorError.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
})
afterAll(() => server.stop())

test.each([
  ["default_transaction_read_only = on", "cannot execute CREATE TABLE in a read-only transaction"],
  [`search_path = '"$user"'`, "no schema has been selected to create in"],
  ["search_path = ''", "no schema has been selected to create in"],
])("with %s", async (setting, reason) => {
  const address = await server.createDatabase()
  await server.execute(
    address,
    `DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting.replaceAll("'", "''")}', current_database()); END $do$`,
  )
  const open = Effect.scoped(Effect.provide(TransferMirror, TransferMirror.layer(address)))
  const error = await Effect.runPromise(Effect.flip(open))
  expect(error).toBeInstanceOf(MirrorError)
  expect(error).toMatchObject({ kind: "rejected", reason })
})
