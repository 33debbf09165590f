import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { sourceTableSuite } from "./SourceTable.ts"

const folder = await mkdtemp(join(tmpdir(), "transfers-table-"))
afterAll(() => rm(folder, { recursive: true }))

let mirrors = 0
sourceTableSuite({ name: "SQLite", address: async () => `sqlite:${join(folder, `mirror-${++mirrors}.db`)}` })
