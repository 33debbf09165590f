import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { sourceLawSuite } from "./SourceLaws.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

sourceLawSuite({ name: "PostgreSQL", address: () => server.createDatabase() }, Seeds.all, 18)
