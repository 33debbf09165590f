/** A mirror in PostgreSQL that was synced, and a role that may only read it. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import { type Options, type QueryOptions, TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"

export interface ReaderLab {
  readonly server: Postgres.Server
  readonly lab: Lab.Lab
  /** An address, that of the mirror by default, as the role that reads. */
  readonly asReader: (address?: string) => string
  readonly close: () => Promise<void>
}

const make = async (): Promise<ReaderLab> => {
  const server = await Postgres.start()
  const address = await server.createDatabase()
  await server.execute(address, "CREATE TABLE test_clock (millis BIGINT); INSERT INTO test_clock VALUES (0)")
  const lab = Lab.make(address, { count: 60 })
  await Lab.sync(lab)
  await server.execute(address, readFileSync(new URL("../sql/reader-role.sql", import.meta.url), "utf8"))
  return {
    server,
    lab,
    asReader: (to = address) => {
      const url = new URL(to)
      url.username = "transfers_reader"
      return url.href
    },
    close: async () => {
      await server.execute(address, "DROP OWNED BY transfers_reader; DROP ROLE transfers_reader")
      await server.stop()
    },
  }
}

/** The lab of a test file, from before its first test until after its last. */
export const ofFile = (): Omit<ReaderLab, "close"> => {
  let made: ReaderLab
  beforeAll(async () => {
    made = await make()
  }, 60_000)
  afterAll(() => made.close())
  return {
    get server() {
      return made.server
    },
    get lab() {
      return made.lab
    },
    asReader: (to) => made.asReader(to),
  }
}

/** Runs a query on a mirror that is opened for it. */
export const ask = (address: string, text: string, options: QueryOptions = {}, open: Options = { readOnly: true }) =>
  Effect.runPromise(
    Effect.flatMap(TransferMirror, ({ query }) => query(text, options)).pipe(
      Effect.map(({ rows }) => rows),
      Effect.provide(TransferMirror.layer(address, open)),
    ),
  )
