import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as ReleasedMirrors from "./ReleasedMirrors.ts"
import { releasedSuite } from "./suites/released.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

releasedSuite(async (release) => {
  const address = await server.createDatabase()
  await server.execute(address, readFileSync(join(ReleasedMirrors.folder, release, "mirror.pg.sql"), "utf8"))
  return address
})
