/** Whether an export begins, goes on or is complete: only the same export of the same transfers goes on. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import type * as ExportManifest from "../exports/ExportManifest.ts"
import * as StoredCoverage from "../exports/StoredCoverage.ts"
import { FileError } from "../FileError.ts"
import * as TransferFormat from "../formats/TransferFormat.ts"
import * as AtomicFile from "./AtomicFile.ts"
import * as ExportFile from "./ExportFile.ts"
import * as Spool from "./Spool.ts"
import * as TextFile from "./TextFile.ts"
import * as TransferFile from "./TransferFile.ts"

/** What is to be exported. */
export interface Export {
  readonly out: string
  readonly resume: boolean
  readonly force: boolean
  readonly origin: Origin.Origin | undefined
  /** The filters as given. */
  readonly filters: Spool.Header["filters"]
  /** What they mean now. */
  readonly asked: Selection.Selection
  /** What the source holds, and what the file may claim by it; undefined if the source is unknown. */
  readonly source: Coverage.Coverage | undefined
  readonly claim: Coverage.Coverage | undefined
  /** Whether the source gets no more transfers, as a file: then all that it has is there, whenever it was created. */
  readonly isFinal: boolean
  readonly started_at: Timestamp.Timestamp
  /** Creation times in words. */
  readonly nameOf: (created_at: CreatedAt.CreatedAt) => string
  /** How the file is written, in the words of its manifest. */
  readonly written: Pick<ExportManifest.ExportManifest, "format" | "columns" | "csv_dialect" | "csv_raw">
}

/** The spool to continue; none if the file is complete and only `--resume` was given. */
export const open = Effect.fnUntraced(function* (job: Export) {
  const { out, resume, force, origin, filters, asked, isFinal, started_at } = job
  const path = Spool.pathOf(out)
  const [isThere, isComplete] = [yield* TextFile.exists(path), yield* TextFile.exists(out)]
  if (isThere) yield* AtomicFile.spare(path, Spool.beginning)
  if (resume && isThere) return yield* resumed(path, job)
  if (resume && isComplete) return yield* checkComplete(job)
  if (isComplete && !force) return yield* new FileError({ path: out, reason: "it already exists; --force replaces it" })
  if (isThere && !force) {
    return yield* new FileError({
      path,
      reason: "an export was interrupted; --resume continues it, --force starts again",
    })
  }
  yield* Spool.remove(path)
  // Transfers created from now on are not part of this export, so it has an end. A source may claim them, by another clock.
  const claim = job.claim && Coverage.until(job.claim, started_at)
  const known = isFinal ? CreatedAt.all : CreatedAt.lte(started_at)
  const read = StoredCoverage.timesOf(CreatedAt.and(asked.created_at, known), started_at)
  return yield* Spool.create(path, {
    filters,
    ...(origin && { origin }),
    created_at: read,
    ...(claim && { ...StoredCoverage.toStored(claim), ...(isFinal && { read }) }),
    started_at: started_at.text,
    ...(TransferFormat.isOfColumns(job.written.format) && { rows: "cells" }),
  })
})

const resumed = Effect.fnUntraced(function* (path: string, { origin, filters, source, nameOf }: Export) {
  const spool = yield* Effect.mapError(
    Spool.resume(path),
    ({ reason }) => new FileError({ path, reason: `${reason}; --force starts again` }),
  )
  const { header } = spool
  if (header.origin !== undefined && origin !== undefined && Origin.differ(header.origin, origin)) {
    return yield* new FileError({
      path,
      reason: `it belongs to an export of ${Origin.print(header.origin)}, not of ${Origin.print(origin)}. Resume it there, or start again with --force`,
    })
  }
  const [before, after] = [header.filters, filters].map((given) => JSON.stringify(given))
  if (before !== after) {
    return yield* new FileError({
      path,
      reason: `it belongs to an export with the filters ${before}, not ${after}. Resume with the same filters, or start again with --force`,
    })
  }
  const begun = StoredCoverage.fromStored(header)
  if (begun !== undefined && !has(source, begun)) {
    return yield* new FileError({
      path,
      reason: `it belongs to an export of ${nameOf(begun.extent.created_at)} as of ${begun.as_of.text}, of which this source lacks some. Resume it with the source with which it began, or start again with --force`,
    })
  }
  return spool
})

/** Whether a source has all that a file claims that began with another one: the rest of it comes from this source. */
const has = (source: Coverage.Coverage | undefined, claimed: Coverage.Coverage): boolean =>
  source !== undefined &&
  Timestamp.compare(claimed.as_of, source.as_of) <= 0 &&
  CreatedAt.implies(Coverage.held(claimed), Coverage.held(source)) &&
  Selection.beyond(claimed.extent.only, source.extent.only).length === 0 &&
  Coverage.alsoFinal(source, claimed.final).length === 0

/**
 * Fails unless the finished file is as it was exported, and what this export would make: the same text of a filter may mean
 * other times now.
 */
const checkComplete = Effect.fnUntraced(function* (job: Export) {
  const manifest = yield* ExportFile.readManifest(job.out)
  const { bytes, sha256 } = yield* TransferFile.fingerprint(job.out)
  if (bytes !== manifest.bytes || sha256 !== manifest.sha256) {
    const found = bytes === manifest.bytes ? "another SHA-256 than" : `${bytes} bytes, not the ${manifest.bytes} of`
    return yield* new FileError({
      path: job.out,
      reason: `it has ${found} its manifest: it was changed since it was exported. Export it again with --force, or name another file`,
    })
  }
  const difference = differenceOf(manifest, job)
  if (difference === undefined) return undefined
  return yield* new FileError({
    path: job.out,
    reason: `it is complete, and another export: it is ${difference}. Name another file, or replace it with --force`,
  })
})

const differenceOf = (manifest: ExportManifest.ExportManifest, job: Export): string | undefined => {
  const { origin, written, asked, claim, filters } = job
  if (manifest.origin !== undefined && origin !== undefined && Origin.differ(manifest.origin, origin)) {
    return `of ${Origin.print(manifest.origin)}, not of ${Origin.print(origin)}`
  }
  if (manifest.format !== written.format) return `${manifest.format}, not ${written.format}`
  const [columns, wanted] = [manifest.columns, written.columns].map((names) => names?.join() ?? "all")
  if (columns !== wanted) return `a file with the columns ${columns}, not ${wanted}`
  const [dialect, other] = [manifest.csv_dialect, written.csv_dialect].map((name) => name ?? "rfc4180")
  if (dialect !== other) return `CSV of the dialect ${dialect}, not ${other}`
  if ((manifest.csv_raw ?? false) !== (written.csv_raw ?? false)) {
    return manifest.csv_raw === true ? "CSV with raw cells" : "CSV with escaped cells"
  }
  const stored = StoredCoverage.fromStored(manifest)
  if (stored === undefined) {
    const [before, after] = [manifest.filters, filters].map((given) => JSON.stringify(given))
    return before === after ? undefined : `one with the filters ${before}, not ${after}`
  }
  const coverage = Coverage.believed(stored, job.started_at)
  const times = CreatedAt.and(claim?.extent.created_at ?? asked.created_at, CreatedAt.lte(coverage.as_of))
  if (!CreatedAt.equals(times, coverage.extent.created_at)) {
    return `of ${job.nameOf(coverage.extent.created_at)}, not of ${job.nameOf(asked.created_at)}`
  }
  const wantedOnly = claim?.extent.only ?? asked.only
  const [held, only] = [coverage.extent.only, wantedOnly].map((one) => JSON.stringify(Selection.restrict(one)))
  if (held !== only) return `one with ${held}, not ${only}`
  const lacks = CreatedAt.difference(coverage.unread, claim?.unread ?? CreatedAt.none)
  if (!CreatedAt.isEmpty(lacks)) return `one without what was created ${job.nameOf(lacks)}`
  const final = Coverage.alsoFinal(coverage, claim?.final)
  return final.length === 0 ? undefined : `one that takes transfers with status ${final.join(", ")} as final`
}
