/**
 * A folder of Parquet files, one for each partner and month of creation, which warehouses read as they are. A month that
 * changed gets a new file beside the old one, and the manifest, which names the files, is replaced last: whoever reads by
 * it sees one state. A column has one type in every file, for ever.
 */
import { createHash, type Hash } from "node:crypto"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { FileError, mapTo, reasonOf } from "../FileError.ts"
import * as ParquetEncoder from "../formats/ParquetEncoder.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import type { AmountForm } from "../formats/TransferFormat.ts"
import * as WrittenForm from "../formats/WrittenForm.ts"
import * as AtomicFile from "../node/AtomicFile.ts"
import * as FileLock from "../node/FileLock.ts"
import * as TextFile from "../node/TextFile.ts"
import * as DatasetManifest from "./DatasetManifest.ts"

/** A transfer, and when it was seen: RFC 3339 in UTC. One that vanished stays, with its instant. */
export interface Row {
  readonly transfer: Transfer
  readonly first_seen_at: string
  readonly seen_at: string
  readonly vanished_at: string | undefined
}

/** The transfers of a partner, by month, such as `2024-09`. */
export interface Source<E, R> {
  readonly partner_id: string
  /** The service that has them, if it is known. */
  readonly base_url: string | undefined
  readonly complete_until: string | undefined
  /** The state of their history that is in the rows, by an id that no other has, and the last change until then. */
  readonly state: { readonly id: string; readonly position: bigint }
  /** Whether their history goes on from a state. */
  readonly follows: (state: string) => Effect.Effect<boolean, E, R>
  /** The months that changed since a position; all of them without one. */
  readonly changed: (since: bigint | undefined) => Effect.Effect<ReadonlyArray<string>, E, R>
  readonly rows: (month: string) => Stream.Stream<ReadonlyArray<Row>, E, R>
}

/** How to write. */
export interface Options {
  readonly folder: string
  /** @default as the data set was begun, at first as decimals */
  readonly amounts?: AmountForm | undefined
}

/** What was written. */
export interface Written {
  readonly files: number
  readonly rows: number
}

const columnsOf = (amounts: AmountForm): string => {
  const columns = [...TransferColumns.flat, ...TransferColumns.ofHistory].map(({ name, kind }) => `${name} ${kind}`)
  return createHash("sha256")
    .update([amounts, ...columns].join("\n"))
    .digest("hex")
    .slice(0, 16)
}

/** How long a file that was replaced stays. */
const graceMillis = 3_600_000

/** Brings the files of some partners up to date. Those of others stay. */
export const write = Effect.fn("TransferDataset.write")(function* <E, R>(
  { folder, amounts: asked }: Options,
  sources: ReadonlyArray<Source<E, R>>,
) {
  const files = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const path = join(folder, DatasetManifest.name)
  yield* mapTo(folder)(files.makeDirectory(folder, { recursive: true }))
  yield* FileLock.hold(path)
  const before = yield* readManifest(path)
  const amounts = asked ?? before?.amounts ?? "decimal"
  if (before !== undefined && before.amounts !== amounts) {
    return yield* new FileError({
      path,
      reason: `the data set has amounts as ${before.amounts}, and a column keeps its type: leave --amounts out, or begin another folder`,
    })
  }
  const columns = columnsOf(amounts)
  const now = yield* Clock.currentTimeMillis
  const current = new Map((before?.files ?? []).map((file) => [`${file.partner_id}/${file.month}`, file]))
  const isKept = ({ at }: { readonly at: string }) => now - Date.parse(at) < graceMillis
  const replaced = (before?.replaced ?? []).filter(isKept)
  const at = new Date(now).toISOString()
  const written = { files: 0, rows: 0 }
  const knownOf = (partner_id: string) => before?.partners.find((one) => one.partner_id === partner_id)
  // Of all partners before anything is written.
  for (const source of sources) {
    const known = knownOf(source.partner_id)
    const reason = known && (yield* strangeness(known, source))
    if (reason !== undefined) return yield* new FileError({ path, reason })
  }
  for (const { partner_id, state, changed, rows } of sources) {
    const { position } = state
    const known = knownOf(partner_id)
    const since = known?.columns === columns ? known.position : undefined
    if (since === position) continue
    for (const month of yield* changed(since)) {
      const place = { folder, amounts, partner_id, month }
      const file = yield* writeMonth(place, rows(month))
      const key = `${partner_id}/${month}`
      const old = current.get(key)
      if (old !== undefined && old.path !== file?.path) replaced.push({ path: old.path, at })
      current.delete(key)
      if (file === undefined) continue
      current.set(key, file)
      written.files++
      written.rows += file.rows
    }
  }
  const fresh = sources.map(({ partner_id, base_url, state, complete_until }) => ({
    partner_id,
    columns,
    ...(base_url === undefined ? {} : { base_url }),
    state: state.id,
    position: state.position,
    ...(complete_until === undefined ? {} : { complete_until }),
  }))
  const others = (before?.partners ?? []).filter((one) =>
    fresh.every(({ partner_id }) => partner_id !== one.partner_id),
  )
  const names = [...current.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const isNamed = new Set(names.map((file) => file.path))
  const manifest: DatasetManifest.DatasetManifest = {
    transfers_dataset: 1,
    amounts,
    partners: [...others, ...fresh],
    files: names,
    replaced: replaced.filter((one) => !isNamed.has(one.path)),
  }
  yield* AtomicFile.writeText(path, DatasetManifest.toJson(manifest))
  yield* sweep(folder, new Set([...isNamed, ...manifest.replaced.map((one) => one.path)]))
  return written satisfies Written
}, Effect.scoped)

/** Why a mirror does not go on with what the files have. The numbers of changes are the same in every mirror. */
const strangeness = Effect.fnUntraced(function* <E, R>(
  known: DatasetManifest.DatasetManifest["partners"][number],
  { partner_id, base_url, follows }: Pick<Source<E, R>, "partner_id" | "base_url" | "follows">,
) {
  const whose = `the data set has the transfers of ${JSON.stringify(partner_id)}`
  const what = "Name another folder, or remove this one, so that it is written anew"
  if (known.base_url !== base_url) {
    return `${whose} at ${known.base_url ?? "an unknown service"}, and this mirror those at ${base_url ?? "one"}. ${what}`
  }
  return (yield* follows(known.state))
    ? undefined
    : `${whose} with a history that this mirror has not: it is another one, or was restored or copied before. ${what}`
})

const readManifest = Effect.fnUntraced(function* (path: string) {
  if (!(yield* TextFile.exists(path))) return undefined
  const text = yield* TextFile.read(path)
  return yield* Effect.fromResult(
    Result.mapError(DatasetManifest.parse(text), (reason) => new FileError({ path, reason })),
  )
})

interface Place {
  readonly folder: string
  readonly amounts: AmountForm
  readonly partner_id: string
  readonly month: string
}

/** Whether no link is on the way to a path within a root, which is a real path itself. */
const isReal = Effect.fnUntraced(function* (root: string, path: string) {
  const files = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const real = yield* Effect.orElseSucceed(files.realPath(join(root, path)), () => undefined)
  return real === join(root, path)
})

/** Warehouses read partitions from the names of folders. A partner's id may have any character. */
const partitionOf = ({ partner_id, month }: Place): string =>
  `partner=${encodeURIComponent(partner_id).replaceAll(".", "%2E")}/month=${month}`

const writeMonth = Effect.fnUntraced(function* <E, R>(
  place: Place,
  batches: Stream.Stream<ReadonlyArray<Row>, E, R>,
): Effect.fn.Return<DatasetManifest.File | undefined, E | FileError, R | FileSystem.FileSystem | Path.Path> {
  const files = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const partition = partitionOf(place)
  const target = join(place.folder, partition)
  yield* mapTo(target)(files.makeDirectory(target, { recursive: true }))
  if (!(yield* isReal(yield* mapTo(place.folder)(files.realPath(place.folder)), partition))) {
    return yield* new FileError({ path: target, reason: "it leads out of the data set by a link: remove the link" })
  }
  // No reader takes a file of this name for one of the data set.
  const next = join(target, "next")
  const hash = createHash("sha256")
  const encoder = new ParquetEncoder.ParquetEncoder({ amounts: place.amounts, more: TransferColumns.ofHistory })
  const counts = yield* AtomicFile.write(next, (append) => encode(batches, { encoder, hash, path: target, append }))
  const sha256 = hash.digest("hex")
  const path = `${partition}/${sha256.slice(0, 16)}.parquet`
  yield* mapTo(path)(counts.rows === 0 ? files.remove(next) : files.rename(next, join(place.folder, path)))
  const { partner_id, month } = place
  return counts.rows === 0 ? undefined : { path, partner_id, month, ...counts, sha256 }
})

interface Encoding {
  readonly encoder: ParquetEncoder.ParquetEncoder
  readonly hash: Hash
  readonly path: string
  readonly append: AtomicFile.Append
}

const encode = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Row>, E, R>,
  { encoder, hash, path, append }: Encoding,
) {
  const counts = { rows: 0, bytes: 0 }
  const put = (bytes: Uint8Array) => {
    hash.update(bytes)
    counts.bytes += bytes.length
    return append(bytes)
  }
  yield* Stream.runForEach(batches, (batch) => {
    counts.rows += batch.length
    const transfers = batch.map(({ transfer }) => transfer)
    return Effect.flatMap(
      Effect.try({
        try: () => encoder.add(transfers, (index) => valuesOf(batch[index])),
        catch: (error) => new FileError({ path, reason: reasonOf(error) }),
      }),
      put,
    )
  })
  yield* put(encoder.close())
  return counts
})

/** In the order of `TransferColumns.ofHistory`. */
const valuesOf = (row: Row | undefined): ReadonlyArray<bigint | undefined> => {
  if (row === undefined) return []
  const { transfer, first_seen_at, seen_at, vanished_at } = row
  return [transfer.created_at.epochNanoseconds, micros(first_seen_at), micros(seen_at), micros(vanished_at)]
}

const micros = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : WrittenForm.microseconds(Timestamp.parseUnsafe(text).epochNanoseconds)

/**
 * Removes files of the partitions that no manifest names any more, and what killed processes left. A link may lead to the
 * files of somebody else, or back: none is followed.
 */
const sweep = Effect.fnUntraced(function* (folder: string, kept: ReadonlySet<string>) {
  const files = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const root = yield* mapTo(folder)(files.realPath(folder))
  /** What of a pattern is in a folder, unless that is a link or none. */
  const within = Effect.fnUntraced(function* (path: string, pattern: RegExp) {
    if (!(yield* isReal(root, path))) return []
    const names = yield* Effect.orElseSucceed(files.readDirectory(join(root, path)), () => [])
    return names.filter((name) => pattern.test(name)).map((name) => (path === "" ? name : `${path}/${name}`))
  })
  for (const partner of yield* within("", /^partner=/)) {
    for (const month of yield* within(partner, /^month=\d{4}-\d\d$/)) {
      for (const path of yield* within(month, /^(?:[\da-f]{16}\.parquet|next(?:\.[-\da-f]+\.writing)?)$/)) {
        if (!kept.has(path) && (yield* isReal(root, path))) yield* mapTo(path)(files.remove(join(root, path)))
      }
    }
  }
})
