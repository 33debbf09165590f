/** A kind of database to run the suites on: each test gets a mirror of its own. */
import { existsSync, statfsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"

export interface Database {
  readonly name: "SQLite" | "PostgreSQL"
  /** The address of a new, empty mirror. */
  readonly fresh: () => Promise<string>
}

const memory = "/dev/shm"

/** In memory, where the system has room for files there: these tests would wait for the disk most of their time. */
const parent = (): string => {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < 1e9 ? tmpdir() : memory
}

/** SQLite, in a folder that is removed after the tests of the file. */
export const sqlite = (): Database => {
  let folder = ""
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(parent(), "mirror-"))
  })
  afterAll(() => rm(folder, { recursive: true }))
  return { name: "SQLite", fresh: async () => `sqlite:${join(folder, `${++count}.db`)}` }
}

/** What the tests know as the clock of a database: a mirror asks PostgreSQL itself for the time of its statement. */
const clock = `
  CREATE TABLE test_clock (millis BIGINT NOT NULL);
  INSERT INTO test_clock VALUES (${Date.parse("2025-01-01T00:00:00Z")});
  ALTER FUNCTION pg_catalog.statement_timestamp() RENAME TO true_timestamp;
  CREATE FUNCTION pg_catalog.statement_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT to_timestamp(millis / 1000.0) FROM public.test_clock';
`

/** A PostgreSQL that is there, or one that is started for the tests of the file. */
export const postgres = (): Database => {
  let server: Postgres.Server
  beforeAll(async () => {
    server = await Postgres.start()
  }, 60_000)
  afterAll(() => server.stop())
  return {
    name: "PostgreSQL",
    fresh: async () => {
      const address = await server.createDatabase()
      await server.execute(address, clock)
      return address
    },
  }
}
