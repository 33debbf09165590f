/**
 * The transfers that an export has received: an append-only file beside its target. A checkpoint follows each batch, so
 * that the file is intact up to its last checkpoint whenever the program is killed. Each checkpoint carries a checksum of
 * all that precedes it, so that an altered spool is not resumed as if it were what the service sent. The batches of a
 * scan are disjoint in time, so a complete spool is read back in order of creation with one batch in memory. It holds
 * transfers as its target does, as JSON or as cells, so that none is taken apart again: as each batch is written in
 * order, formats that hold the same texts copy them. Written by Node itself: Effect's files have no synchronous writes,
 * which make a batch and its place one step.
 */
import { createHash } from "node:crypto"
import * as Files from "node:fs"
import { crc32 } from "node:zlib"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import { IdSet } from "@transferkit/domain/IdSet"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Summary from "@transferkit/domain/Summary"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as StoredCoverage from "../exports/StoredCoverage.ts"
import { FileError, reasonOf } from "../FileError.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import * as TransferDecoder from "../formats/TransferDecoder.ts"
import * as CreationOrder from "../partitions/CreationOrder.ts"
import { fileLines } from "./FileLines.ts"
import * as FileOwner from "./FileOwner.ts"

/** Raised with each change of what a spool holds. */
const version = 3

/** The first line: what is exported, so that only the same export resumes from it. */
export const Header = S.Struct({
  transfers_spool: S.Literal(version),
  /** The filters as given, which may be relative to the start of the export. */
  filters: S.Record(S.String, S.Array(S.String)),
  /** The creation times they meant then, as values of `created_at`. */
  created_at: StoredCoverage.Times,
  ...StoredCoverage.fields,
  started_at: S.String,
  /** Whether its lines are the cells of transfers, for files of columns. Otherwise they are transfers as JSON. */
  rows: S.optionalKey(S.Literal("cells")),
})

/** See the schema. */
export type Header = typeof Header.Type

/** What every spool begins with. */
export const beginning = '{"transfers_spool"'

/** The path of the spool of an export. */
export const pathOf = (out: string): string => `${out}.spool`

/** An open spool. */
export interface Spool {
  readonly path: string
  readonly header: Header
  readonly state: State
}

interface State {
  readonly file: number
  readonly batches: Array<BatchPlace>
  summary: Summary.Summary
  end: number
  /** The checksum of everything up to `end`. */
  checksum: string
  checkpoint: Checkpoint.Checkpoint | undefined
  /** Of what it held when it was opened, and of what a scan delivers since. */
  readonly ids: IdSet
}

/** Where the lines of a batch are in the file, without the last line break. */
interface BatchPlace {
  readonly offset: number
  readonly length: number
  readonly crc32: number
  readonly first: CreationOrder.Placed
  readonly last: CreationOrder.Placed
}

/** The checksum after some lines and a last one without its line break, from the one before them. */
const checksumAfter = (before: string, lines: Uint8Array, last: string): string =>
  createHash("sha256").update(`${before}\n`).update(lines).update(last).digest("base64url")

const noLines = new Uint8Array()

const bytesOf = (texts: ReadonlyArray<string>): Buffer => Buffer.from(texts.map((text) => `${text}\n`).join(""))

const hasCells = ({ header }: Pick<Spool, "header">): boolean => header.rows === "cells"

const lineOf = (self: Spool): ((transfer: Transfer) => string) =>
  hasCells(self)
    ? (transfer) => JSON.stringify(TransferColumns.toCells(transfer))
    : (transfer) => JSON.stringify(transfer)

const total = { by: [] }

const empty = { summary: Summary.summarize([], total), end: 0, checksum: "", checkpoint: undefined }

/** The number of transfers in it. */
export const count = (self: Spool): number => self.state.summary.transfers

/** The totals of its transfers. */
export const summary = (self: Spool): Summary.Summary => self.state.summary

/** The last checkpoint. */
export const checkpoint = (self: Spool): Checkpoint.Checkpoint | undefined => self.state.checkpoint

/** The ids of the transfers that it held when it was opened, for a scan to know them again and to add its own. */
export const ids = (self: Spool): IdSet => self.state.ids

/** Creates a spool. The scope closes the file and leaves it. Fails if one exists. */
export const create = (
  path: string,
  what: Omit<Header, "transfers_spool">,
): Effect.Effect<Spool, FileError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* open(path, "wx+")
    const header: Header = { transfers_spool: version, ...what }
    const text = JSON.stringify(header)
    const line = Buffer.from(`${text}\n`)
    yield* attempt(path, () => writeAll(file, line, 0))
    const checksum = checksumAfter("", noLines, text)
    return { path, header, state: { ...empty, file, batches: [], ids: new IdSet(), end: line.length, checksum } }
  })

/** Appends a batch of a scan and the checkpoint after it. No transfer of another batch was created between its own. */
export const append = (
  self: Spool,
  transfers: ReadonlyArray<Transfer>,
  after: Checkpoint.Checkpoint,
): Effect.Effect<void, FileError> =>
  attempt(self.path, () => {
    const { state } = self
    const inOrder = transfers.toSorted(CreationOrder.compare)
    const lines = bytesOf(inOrder.map(lineOf(self)))
    const place = JSON.stringify(after)
    const checksum = checksumAfter(state.checksum, lines, place)
    const mark = Buffer.from(`#${checksum} ${place}\n`)
    writeAll(state.file, Buffer.concat([lines, mark]), state.end)
    addBatch(state, inOrder, lines)
    state.end += lines.length + mark.length
    state.checksum = checksum
    state.checkpoint = after
  })

/** All transfers by creation, then by id. */
export const sorted = (self: Spool): Stream.Stream<ReadonlyArray<Transfer>, FileError> =>
  inOrder(self, (batch) => Result.getOrThrow(decode(self.header, textAt(self.state.file, batch).split("\n"))))

/** Their JSON texts, joined by line breaks. */
export const sortedTexts = (self: Spool): Stream.Stream<string, FileError> =>
  hasCells(self)
    ? Stream.map(sorted(self), (transfers) => transfers.map((transfer) => JSON.stringify(transfer)).join("\n"))
    : inOrder(self, (batch) => textAt(self.state.file, batch))

/** Their cells. */
export const sortedCells = (self: Spool): Stream.Stream<ReadonlyArray<TransferColumns.Cells>, FileError> =>
  hasCells(self)
    ? inOrder(self, (batch) => JSON.parse(`[${textAt(self.state.file, batch).replaceAll("\n", ",")}]`))
    : Stream.map(sorted(self), (transfers) => transfers.map((transfer) => TransferColumns.toCells(transfer)))

const inOrder = <A>({ path, state }: Spool, read: (batch: BatchPlace) => A): Stream.Stream<A, FileError> =>
  Stream.suspend(() => {
    const batches = state.batches.toSorted((a, b) => CreationOrder.compare(a.first, b.first))
    return Stream.fromIterable(batches.entries()).pipe(
      Stream.mapEffect(([index, batch]) =>
        attempt(path, () => {
          const before = batches[index - 1]
          if (before !== undefined && CreationOrder.compare(before.last, batch.first) >= 0) {
            throw new Error("it is damaged: its batches overlap")
          }
          return read(batch)
        }),
      ),
    )
  })

const textAt = (file: number, { offset, length, crc32: expected }: BatchPlace): string => {
  const bytes = Buffer.allocUnsafe(length)
  Files.readSync(file, bytes, 0, length, offset)
  if (crc32(bytes) !== expected) throw new Error("it is damaged: a batch was altered since it was written")
  return bytes.toString("utf8", 0, length - 1)
}

/** Notes a batch, which is in order and whose lines begin at `end`. An empty one has no place. */
const addBatch = (state: State, transfers: ReadonlyArray<Transfer>, lines: Buffer): void => {
  const [first, last] = [transfers[0], transfers.at(-1)]
  if (first === undefined || last === undefined) return
  state.summary = Summary.combine([state.summary, Summary.summarize(transfers, total)], total)
  state.batches.push({
    offset: state.end,
    length: lines.length,
    crc32: crc32(lines),
    first: placeOf(first),
    last: placeOf(last),
  })
}

const isSorted = (transfers: ReadonlyArray<Transfer>): boolean =>
  transfers.every((transfer, index) => {
    const before = transfers[index - 1]
    return before === undefined || CreationOrder.compare(before, transfer) <= 0
  })

/** Without the rest of the transfer, which would stay in memory. */
const placeOf = ({ id, created_at }: Transfer): CreationOrder.Placed => ({ id, created_at })

/** Opens a spool to resume. Anything after its last checkpoint is truncated, and will be received again. */
export const resume = (path: string): Effect.Effect<Spool, FileError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* open(path, "r+")
    yield* attempt(path, () => checkOwner(file))
    const state: State = { ...empty, file, batches: [], ids: new IdSet() }
    const header = yield* attempt(path, () => Result.getOrThrow(restore(state)))
    yield* attempt(path, () => Files.ftruncateSync(file, state.end))
    return { path, header, state }
  })

/** Removes a spool. */
export const remove = (path: string): Effect.Effect<void, FileError> =>
  attempt(path, () => Files.rmSync(path, { force: true }))

// ---------------------------------------------------------------------------------------------------- reading back

const readHeader = JsonDocument.reader(Header)

const headerOf = (text: string): Result.Result<Header, Error> =>
  Result.mapError(readHeader(text), (reason) =>
    text.startsWith(`{"transfers_spool":${version},`)
      ? new Error(`it is damaged: ${reason}`)
      : new Error("it is not the spool of an export of this version"),
  )

const altered = (transfers: number): string =>
  `it was altered: a checksum does not match, in the batch after ${transfers} ${transfers === 1 ? "transfer" : "transfers"}`

/** A batch is a window: hardly more than the transfers of one second that a scan accepts. */
const maxBatch = { lines: 250_000, bytes: 256 * 1024 * 1024 }

const restore = (state: State): Result.Result<Header, Error> =>
  Result.gen(function* () {
    let header: Header | undefined
    let waiting: Array<string> = []
    for (const line of fileLines(state.file)) {
      if (header === undefined) {
        header = yield* headerOf(line.text)
        state.checksum = checksumAfter("", noLines, line.text)
        state.end = line.end
      } else if (line.text.startsWith("#")) {
        const place = line.text.slice(line.text.indexOf(" ") + 1)
        const lines = bytesOf(waiting)
        state.checksum = checksumAfter(state.checksum, lines, place)
        if (line.text !== `#${state.checksum} ${place}`)
          return yield* Result.fail(new Error(altered(state.summary.transfers)))
        state.checkpoint = yield* Result.mapError(
          Checkpoint.fromJson(place),
          ({ reason }) => new Error(`its checkpoint cannot be resumed: ${reason}`),
        )
        const transfers = yield* decode(header, waiting)
        if (!isSorted(transfers)) return yield* Result.fail(new Error("it is damaged: a batch is out of order"))
        for (const { id } of transfers) state.ids.add(id)
        addBatch(state, transfers, lines)
        waiting = []
        state.end = line.end
      } else {
        waiting.push(line.text)
        if (waiting.length > maxBatch.lines || line.end - state.end > maxBatch.bytes) {
          return yield* Result.fail(new Error(`it is damaged: there is no checkpoint for ${waiting.length} lines`))
        }
      }
    }
    return header ?? (yield* Result.fail(new Error("it is not the spool of an export: it is empty")))
  })

const decode = (header: Header, lines: ReadonlyArray<string>): Result.Result<ReadonlyArray<Transfer>, Error> =>
  Result.mapError(
    Result.flatMap(hasCells({ header }) ? jsonTexts(lines) : Result.succeed(lines), TransferDecoder.fromJsonTexts),
    ({ message }) => new Error(`it is damaged: ${message}`),
  )

const jsonTexts = (lines: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, Error> =>
  Result.try({
    try: () =>
      lines.map((line) => {
        if (JsonBounds.isExceeded(line)) throw new Error(JsonBounds.tooMany(JsonBounds.most))
        const cells: unknown = JSON.parse(line)
        if (!isCells(cells)) throw new Error("a line does not hold the cells of a transfer")
        return TransferDecoder.jsonTextOfCells(
          cells.map((cell) => cell ?? undefined),
          TransferColumns.flat,
        )
      }),
    catch: (error) => new Error(reasonOf(error)),
  })

const isCells = (value: unknown): value is TransferColumns.Cells =>
  Array.isArray(value) &&
  value.length === TransferColumns.flat.length &&
  value.every((cell) => cell === null || typeof cell === "string")

// ---------------------------------------------------------------------------------------------------- the file

const open = (path: string, flags: string): Effect.Effect<number, FileError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(path, () => Files.openSync(path, flags, 0o600)),
    (file) => Effect.sync(() => Files.closeSync(file)),
  )

/** Whoever made a spool can read what is written to it, and hand in transfers. */
const checkOwner = (file: number): void => {
  const uid = FileOwner.other(Files.fstatSync(file))
  if (uid !== undefined) {
    throw new Error(`it belongs to another user (uid ${uid}), who could read what is written to it`)
  }
}

const writeAll = (file: number, bytes: Buffer, position: number): void => {
  let written = 0
  while (written < bytes.length) {
    written += Files.writeSync(file, bytes, written, bytes.length - written, position + written)
  }
}

const attempt = <A>(path: string, body: () => A): Effect.Effect<A, FileError> =>
  Effect.try({ try: body, catch: (error) => new FileError({ path, reason: reasonOf(error) }) })
