/** What a mirror in PostgreSQL asks of its sessions. That the database understands it is tested with a real one. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Options, TransferMirror } from "../src/TransferMirror.ts"
import * as PostgresWire from "./PostgresWire.ts"

let wire: PostgresWire.PostgresWire
beforeEach(async () => {
  wire = await PostgresWire.start()
})
afterEach(() => wire.close())

const open = <A, E>(use: (mirror: TransferMirror["Service"]) => Effect.Effect<A, E>, options: Options): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(TransferMirror, use), TransferMirror.layer(wire.address, options)))

const asked = () => wire.sessions.flatMap(({ statements }) => statements)

test("a reader's sessions are read-only from their start, and have the name of the program", async () => {
  await open(({ run }) => run((sql) => sql`SELECT 1`), { readOnly: true })
  expect(wire.sessions.length).toBeGreaterThan(0)
  for (const { settings } of wire.sessions) {
    expect(settings.get("default_transaction_read_only")).toBe("on")
    expect(settings.get("application_name")).toBe("transfers")
    expect(settings.get("user")).toBe("me")
  }
  expect(asked().filter((statement) => /CREATE|INSERT|DROP/.test(statement))).toEqual([])
})

test("a writer's sessions may write, and create what is missing", async () => {
  await open(({ run }) => run((sql) => sql`SELECT 1`), {})
  expect(wire.sessions.map(({ settings }) => settings.get("default_transaction_read_only"))).not.toContain("on")
  expect(asked().some((statement) => statement.startsWith("CREATE TABLE mirrored_transfers"))).toBe(true)
  expect(asked().filter((statement) => statement.startsWith("DROP VIEW"))).toEqual([])
})

test("a mirror without sums drops the views that add amounts", async () => {
  await open(({ run }) => run((sql) => sql`SELECT 1`), { sums: false })
  expect(asked().filter((statement) => statement.startsWith("DROP VIEW"))).toEqual([
    "DROP VIEW IF EXISTS daily_totals",
    "DROP VIEW IF EXISTS fees_by_currency",
  ])
})

test("the view of an instant is one session, which turns read-only when it has its views", async () => {
  const asOf = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")
  await open(({ run }) => Effect.all([run((sql) => sql`SELECT 1`), run((sql) => sql`SELECT 2`)], { concurrency: 2 }), {
    asOf,
  })
  expect(wire.sessions).toHaveLength(1)
  expect(wire.sessions[0]?.settings.has("default_transaction_read_only")).toBe(false)
  const statements = asked()
  const turn = statements.indexOf("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
  const views = statements.map((statement) => statement.startsWith("CREATE TEMP VIEW"))
  expect(views.indexOf(true)).toBeGreaterThanOrEqual(0)
  expect(turn).toBe(views.lastIndexOf(true) + 1)
  expect(statements.some((statement) => statement.includes("CREATE TABLE"))).toBe(false)
})

test("a sync holds the lock of its schema, and is busy if the database does not give it", async () => {
  const error = await open(({ lock }) => Effect.flip(Effect.scoped(lock)), {})
  expect(error).toMatchObject({ _tag: "MirrorBusy", message: expect.stringContaining("another process is syncing it") })
  expect(asked().filter((statement) => statement.includes("advisory"))).toEqual([
    expect.stringContaining("pg_try_advisory_lock(hashtextextended('transferkit mirror ' || current_schema(), 0))"),
  ])
})

test("an error has the reason that the system gives, and no password", async () => {
  await wire.close()
  const error = await open(() => Effect.void, {}).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toMatchObject({ _tag: "MirrorError" })
  expect(String(error)).toMatch(/^MirrorError: postgres:\/\/me@127\.0\.0\.1:\d+\/transfers: /)
  expect(String(error)).not.toContain("secret")
  wire = await PostgresWire.start()
})
