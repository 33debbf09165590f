import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Spool from "../src/node/Spool.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-spool-"))
})
afterAll(() => rm(folder, { recursive: true }))

const header = JSON.stringify({ transfers_spool: 1, filters: {}, created_at: [], started_at: "2024-09-01T00:00:00Z" })

test.each([
  ["", "it is not the spool of an export: it is empty"],
  ["{}\n", "it is not the spool of an export"],
  [`${header}\n#{}\n`, "its checkpoint cannot be resumed: "],
])("resuming %j names its fault", async (text, reason) => {
  const path = join(folder, "out.csv.spool")
  await writeFile(path, text)
  const error = await Effect.runPromise(Effect.scoped(Effect.flip(Spool.resume(path))))
  expect(error).toMatchObject({ _tag: "FileError", path })
  expect(error.reason).toContain(reason)
  expect(error.reason).not.toContain("checkpoint that can be resumed")
})
