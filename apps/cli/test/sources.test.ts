import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { sourceLawSuite } from "./SourceLaws.ts"

const folder = await mkdtemp(join(tmpdir(), "transfers-mirror-"))
afterAll(() => rm(folder, { recursive: true }))

sourceLawSuite({ name: "SQLite", address: async () => `sqlite:${join(folder, "mirror.db")}` }, Seeds.all, 18)
