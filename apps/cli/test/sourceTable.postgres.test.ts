import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import { sourceTableSuite } from "./SourceTable.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

sourceTableSuite({ name: "PostgreSQL", address: () => server.createDatabase() })
