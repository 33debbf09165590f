/** The program over PostgreSQL, as a deployment runs it. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../packages/mirror/test/Postgres.ts"
import { demo, run } from "./Cli.ts"

let server: Postgres.Server
beforeAll(async () => {
  server = await Postgres.start()
}, 60_000)
afterAll(() => server.stop())

test.each([{ workers: [] }, { workers: ["--workers", "2"] }])(
  "sync ends when it is done, with $workers",
  async ({ workers }) => {
    await using fake = await startFakeServer({ transfers: 300, partners: ["demo:demo-secret"] })
    const env = { ...demo(fake.url), TRANSFERS_MIRROR: await server.createDatabase() }
    expect(await run(["sync", "--to", env.TRANSFERS_MIRROR, ...workers], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("demo: loaded 300 transfers"),
    })
  },
)
