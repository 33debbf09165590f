/** A transfer file as the source of a command: `--from september.csv`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ConnectionFailed } from "@transferkit/domain/TransferApiError"
import type { TransferFilter } from "@transferkit/domain/TransferFilter"
import * as StoredCoverage from "@transferkit/files/exports/StoredCoverage"
import { FileError } from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Globals } from "../flags/Globals.ts"
import { UsageError } from "../UsageError.ts"

/** Its transfers as a service, held in memory. A file has no capabilities. */
export const layer = (path: string) =>
  Layer.effect(
    TransferApi,
    Effect.gen(function* () {
      const format = yield* formatOf(path)
      const store = TransferStore.make()
      yield* Stream.runForEach(TransferFile.transfers({ path, format, csvRaw: yield* isRaw(path) }), (batch) =>
        Effect.forEach(batch, (transfer) =>
          Effect.fromResult(
            Result.mapError(
              TransferStore.insertJson(store, JSON.stringify(transfer)),
              ({ reason }) => new FileError({ path, reason: `${transfer.id}: ${reason}` }),
            ),
          ),
        ),
      )
      const capabilities = new ConnectionFailed({
        reason: `${path} is a file and has no capabilities`,
        isPermanent: true,
      })
      return { ...InMemoryTransferApi.make({ store }), capabilities: Effect.fail(capabilities) }
    }),
  )

/** Its transfers that a filter requests, in the order of the file and without holding them. */
export const selected = Effect.fnUntraced(function* (path: string, { query }: Pick<TransferFilter, "query">) {
  const format = yield* formatOf(path)
  const { created_at = CreatedAt.all, external_id } = query
  return Stream.map(TransferFile.transfers({ path, format, csvRaw: yield* isRaw(path) }), (batch) =>
    batch.filter(
      (transfer) =>
        (created_at === CreatedAt.all || CreatedAt.matches(created_at, transfer.created_at)) &&
        (external_id === undefined || external_id === transfer.external_id),
    ),
  )
})

const formatOf = Effect.fnUntraced(function* (path: string) {
  const { sandbox, asOf } = yield* Globals
  if (sandbox) return yield* new UsageError({ message: "Give --from or --sandbox, not both." })
  if (asOf !== undefined) {
    return yield* new UsageError({ message: `--as-of needs the history of a mirror, and ${path} is a file.` })
  }
  return TransferFormat.ofName(path) ?? (yield* TransferFormat.unknownEnding(path, TransferFormat.formats))
})

/** What a page says of the source: the file, and the hash that its manifest has of it. */
export const origin = Effect.fnUntraced(function* (path: string) {
  const partner = (yield* Globals).partnerId ?? path
  const manifest = yield* ExportFile.manifestBeside(path)
  if (manifest === undefined) return { partner, source: `the file ${path}` }
  const { sha256, started_at } = manifest
  return { partner, source: `the file ${path}, exported at ${started_at}, SHA-256 ${sha256} by its manifest` }
})

/** What its manifest says of it. Without one, nothing is known. */
export const describe = Effect.fnUntraced(function* (path: string) {
  yield* formatOf(path)
  const manifest = yield* ExportFile.manifestBeside(path)
  return { origin: manifest?.origin, coverage: manifest && StoredCoverage.fromStored(manifest) }
})

/** Cells of an export are escaped unless its manifest says otherwise. */
const isRaw = Effect.fnUntraced(function* (path: string) {
  return (yield* ExportFile.manifestBeside(path))?.csv_raw === true
})
