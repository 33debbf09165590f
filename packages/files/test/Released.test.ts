/** What each release wrote is read by this version, with equal transfers. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, describe, expect, test } from "vitest"
import * as ExportCheck from "../src/exports/ExportCheck.ts"
import * as TransferFormat from "../src/formats/TransferFormat.ts"
import * as ExportFile from "../src/node/ExportFile.ts"
import * as Spool from "../src/node/Spool.ts"
import * as TransferFile from "../src/node/TransferFile.ts"
import { scratchInMemory } from "./partitions/scratchInMemory.ts"
import * as ReleasedFiles from "./ReleasedFiles.ts"

const scratch = mkdtempSync(join(tmpdir(), "transfers-released-"))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The fields of a transfer in one order, with what each is: a field that was unknown then has its type now. */
const fieldsOf = (transfer: Transfer) =>
  Object.entries(transfer)
    .map(([name, value]: readonly [string, unknown]) => {
      const type = Money.isMoney(value) ? "money" : Timestamp.isTimestamp(value) ? "instant" : typeof value
      return `${name} ${type} ${JSON.stringify(value)}`
    })
    .sort()

describe.each(readdirSync(ReleasedFiles.folder))("of %s", (release) => {
  const folder = join(ReleasedFiles.folder, release)
  const text = (file: string): string => readFileSync(join(folder, file), "utf8")
  const sent = Result.getOrThrow(TransferPage.fromJson(text("sent.json"))).results.map(fieldsOf)

  test.each(TransferFormat.formats)("%s is read, and is as its manifest says", async (format) => {
    const path = join(folder, `transfers.${format}`)
    const checked = Effect.gen(function* () {
      const transfers = TransferFile.transfers({ path, format, csvCells: "rfc4180" })
      const manifest = yield* ExportFile.readManifest(path)
      const found = { file: `transfers.${format}`, ...(yield* TransferFile.fingerprint(path)), transfers }
      const checks = yield* ExportCheck.check(found, manifest, scratchInMemory())
      return { read: (yield* Stream.runCollect(transfers)).flat(), failed: checks.filter(({ ok }) => !ok) }
    })
    const { read, failed } = await Effect.runPromise(Effect.provide(checked, NodeServices.layer))
    expect(read.map(fieldsOf)).toEqual(sent)
    expect(failed).toEqual([])
  })

  test("a spool is resumed", async () => {
    const path = join(scratch, "transfers.ndjson.spool")
    copyFileSync(join(folder, "transfers.ndjson.spool"), path)
    const resumed = Effect.flatMap(Spool.resume(path), (spool) =>
      Effect.map(Stream.runCollect(Spool.sorted(spool)), (batches) => ({ spool, read: batches.flat() })),
    )
    const { spool, read } = await Effect.runPromise(Effect.scoped(resumed))
    expect(read.map(fieldsOf)).toEqual(sent)
    expect(Spool.checkpoint(spool)).toMatchObject({ transfers: 4, remaining: [] })
  })

  test("a checkpoint is read", () => {
    const { transfers, remaining } = Result.getOrThrow(Checkpoint.fromJson(text("checkpoint.json")))
    expect([transfers, remaining.length, remaining[0]?.gte?.text]).toEqual([2, 1, "2024-09-03T00:00:00Z"])
  })
})

test("the files of the coming release are those that this version writes (pnpm artefacts writes them)", async () => {
  const again = join(scratch, "again")
  await ReleasedFiles.write(again)
  expect(readdirSync(ReleasedFiles.next)).toEqual(readdirSync(again))
  for (const file of readdirSync(again)) {
    expect(readFileSync(join(ReleasedFiles.next, file)).equals(readFileSync(join(again, file))), file).toBe(true)
  }
})
