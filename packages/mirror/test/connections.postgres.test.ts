/** Connections to PostgreSQL that end while a sync uses them: it goes on with new ones, or ends so that it can be retried. */
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Driver from "../src/internal/Driver.ts"
import * as MirrorClock from "../src/internal/MirrorClock.ts"
import * as SqlFailure from "../src/internal/SqlFailure.ts"
import { MirrorError } from "../src/MirrorError.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const terminate =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

/** A mirror that was synced once, and a transfer that has changed since. */
const changed = async (settings = "SELECT 1") => {
  const address = await server.createDatabase()
  await server.execute(address, "CREATE TABLE test_clock (millis BIGINT); INSERT INTO test_clock VALUES (0)")
  await server.execute(address, settings)
  const lab = Lab.make(address, { count: 400 })
  for (const n of [1, 2, 3]) {
    const created_at = `2024-06-0${n}T00:00:00Z`
    Lab.ok(TransferStore.insert(lab.store, { id: `open-${n}`, kind: "cash_in", status: "executing", created_at }))
  }
  await Lab.sync(lab)
  for (const n of [1, 2, 3]) Lab.ok(TransferStore.change(lab.store, `open-${n}`, { status: "complete" }))
  return lab
}

const isInOrder = async (lab: Lab.Lab) => {
  expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
  const changes = await Lab.query(lab, "SELECT id, event FROM transfer_changes ORDER BY id")
  expect(changes).toEqual(["open-1", "open-2", "open-3"].map((id) => ({ id, event: "changed" })))
  expect(await Lab.query(lab, "SELECT * FROM transfer_changes WHERE since_at >= seen_at")).toEqual([])
}

describe("a pass", () => {
  test.each([1, 2, 5])("whose backends are killed at its request %i goes on with others", async (at) => {
    const lab = await changed()
    lab.searches = 0
    lab.onSearch = () => (lab.searches === at ? server.execute(lab.address, terminate) : undefined)
    expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", vanished: 0, created: 0 }])
    await isInOrder(lab)
  })

  test("whose sessions end while it waits for a response goes on with others", async () => {
    const lab = await changed(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = 200', current_database()); END $$",
    )
    lab.onSearch = () => sleep(300).then(() => undefined)
    expect(await Lab.sync(lab)).toMatchObject([{ kind: "pass", vanished: 0, created: 0 }])
    await isInOrder(lab)
  })

  test("whose backends are killed all the time ends with an error that can be retried, and the next sync succeeds", async () => {
    const lab = await changed()
    lab.onSearch = () => server.execute(lab.address, terminate).catch(() => {})
    const failed = await Lab.sync(lab).catch((error: unknown) => error)
    // It may have had a connection that was made after the last kill.
    if (failed instanceof MirrorError) expect(failed).toMatchObject({ kind: "unavailable", isRetryable: true })
    else expect(failed).toMatchObject([{ kind: "pass" }])
    lab.onSearch = () => {}
    await Lab.sync(lab)
    await isInOrder(lab)
  }, 60_000)
})

test("transactions that wait for each other all succeed, though the database is serializable by default", async () => {
  const lab = await changed(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$",
  )
  const stamps = await Lab.run(
    lab,
    Effect.flatMap(TransferMirror, (mirror) =>
      Effect.forEach(Array.from({ length: 40 }), () => Driver.of(mirror).run(MirrorClock.stamp), { concurrency: 4 }),
    ),
  )
  expect(new Set(stamps).size).toBe(40)
  await Lab.sync(lab)
  await isInOrder(lab)
})

describe("what the driver does when its connection is gone", () => {
  const closed = new Error("Connection closed")
  const unknown = new SqlError({ reason: new UnknownError({ cause: closed, message: "Failed", operation: "execute" }) })

  test.each([
    ["dies of the socket's error", Effect.die(closed)],
    ["dies of an error of its own", Effect.die(unknown)],
    ["fails with what it does not know", Effect.fail(unknown)],
  ])("%s: that is an error of the mirror that can be retried", async (_, happens) => {
    const failure = await Effect.runPromise(Effect.flip(SqlFailure.translate("postgres://db")(happens)))
    expect(failure).toMatchObject({
      _tag: "MirrorError",
      kind: "unavailable",
      isRetryable: true,
      message: "postgres://db: Connection closed.",
    })
  })

  test.each(["57P01", "57P02", "57P03", "57P05", "53300"])(
    "the database says %s: it may be there later",
    async (code) => {
      const cause = Object.assign(new Error("the database system is shutting down"), { code })
      const away = new SqlError({ reason: new UnknownError({ cause, message: "Failed", operation: "connect" }) })
      const failure = await Effect.runPromise(Effect.flip(SqlFailure.translate("postgres://db")(Effect.fail(away))))
      expect(failure).toMatchObject({ kind: "unavailable", isRetryable: true })
    },
  )

  test("is a defect otherwise", async () => {
    const broken = SqlFailure.translate("postgres://db")(Effect.die(new TypeError("x is not a function")))
    await expect(Effect.runPromise(broken)).rejects.toThrow("x is not a function")
  })
})
