/** What an export does from the texts of pages to the bytes of its file, without a service: what its budgets count. */
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as ParquetEncoder from "@transferkit/files/formats/ParquetEncoder"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import type { TransferFormat } from "@transferkit/files/formats/TransferFormat"
import * as Spool from "@transferkit/files/node/Spool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Fixture from "./Fixture.ts"
import { inFolder } from "./SearchServer.ts"

/** As a scan delivers them: windows of some pages each, disjoint in time. */
const windows: ReadonlyArray<ReadonlyArray<string>> = (() => {
  const created = (transfer: unknown): string => String(Object(transfer).created_at)
  const all = Fixture.transfers(Fixture.random(5), 2000).toSorted((a, b) => (created(a) < created(b) ? -1 : 1))
  const pages = Array.from({ length: 100 }, (_, page) =>
    JSON.stringify({ results: all.slice(page * 20, page * 20 + 20), page_info: { has_next_page: false } }),
  )
  return Array.from({ length: 5 }, (_, window) => pages.slice(window * 20, window * 20 + 20))
})()

/** Checks every page, keeps the transfers in a spool, and makes the file of them. Returns its size. */
export const ours = (format: TransferFormat): Promise<number> =>
  inFolder((folder) =>
    Effect.gen(function* () {
      const isOfTexts = format === "ndjson" || format === "json"
      const spool = yield* Spool.create(join(folder, "spool"), {
        filters: {},
        created_at: [],
        started_at: "2024-10-01T00:00:00Z",
        ...(isOfTexts ? {} : { rows: "cells" }),
      })
      for (const pages of windows) {
        const transfers = pages.flatMap((page) => Result.getOrThrow(TransferPage.fromJson(page)).results)
        yield* Spool.append(spool, transfers, { version: 2, query: "q", transfers: 0, remaining: [] })
      }
      let bytes = 0
      const parquet = new ParquetEncoder.ParquetEncoder()
      const encoder = TransferEncoder.make(format === "parquet" ? "csv" : format, { csvRaw: false })
      if (isOfTexts) {
        yield* Stream.runForEach(Spool.sortedTexts(spool), (texts) =>
          Effect.sync(() => (bytes += Buffer.from(encoder.ofTexts?.(texts, bytes === 0) ?? "").length)),
        )
      } else {
        yield* Stream.runForEach(Spool.sortedCells(spool), (rows) =>
          Effect.sync(() => {
            const made = format === "parquet" ? parquet.addCells(rows) : Buffer.from(encoder.ofCells?.(rows) ?? "")
            bytes += made.length
          }),
        )
      }
      return bytes + (format === "parquet" ? parquet.close().length : 0)
    }).pipe(Effect.scoped, Effect.runPromise),
  )

/** What the script with fetch does with its pages. */
export const byHand = (): Promise<number> =>
  inFolder(async (folder) => {
    const file = openSync(join(folder, "out.ndjson"), "w")
    let bytes = 0
    for (const page of windows.flat()) {
      const { results }: { readonly results: ReadonlyArray<unknown> } = JSON.parse(page)
      bytes += writeSync(file, results.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
    }
    closeSync(file)
    return bytes
  })
