/** Closes a month: collects all that its books depend on, makes them, and writes the bundle. */
import { basename, join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Stream from "effect/Stream"
import type * as Books from "../Books.ts"
import * as BookSettings from "../BookSettings.ts"
import * as PrivateFile from "../internal/PrivateFile.ts"
import type { LookUps } from "../LookUps.ts"
import * as CloseBundle from "./CloseBundle.ts"
import * as ClosedBooks from "./ClosedBooks.ts"
import * as CloseManifest from "./CloseManifest.ts"
import * as PreviousClose from "./PreviousClose.ts"
import * as TransferLines from "./TransferLines.ts"

/** What to close, and how. */
export interface Options<E, R, E2, R2> {
  readonly out: string
  readonly month: string
  readonly settings: BookSettings.BookSettings
  readonly ledgers: ReadonlyArray<Books.LedgerPlace>
  readonly words: ClosedBooks.Stored["words"]
  readonly accepted: ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined
  readonly previous: CloseBundle.CloseBundle | undefined
  /** All transfers of {@link timesOf}, in any order. */
  readonly transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>
  readonly lookUps: LookUps<E2, R2>
  readonly origin: Origin.Origin | undefined
  readonly source: string
  readonly as_of: string
  readonly version: string
  readonly command: ReadonlyArray<string>
  readonly closedAt: Timestamp.Timestamp
  readonly signKey: string | undefined
  /** Whether to write the hashes of the ledgers only. */
  readonly withoutLedgers: boolean
  /** Whether an earlier bundle may be replaced. */
  readonly replaces: boolean
}

/** The creation times that a close asks its source for: the period, its grace, and the month of the previous close. */
export const timesOf = (
  settings: BookSettings.BookSettings,
  previous: PreviousClose.PreviousClose | undefined,
): CreatedAt.CreatedAt =>
  previous === undefined
    ? BookSettings.searched(settings)
    : CreatedAt.or(BookSettings.searched(settings), previous.settings.period)

/** Writes the bundle, and returns its books. */
export const write = Effect.fn("Closing.write")(function* <E, R, E2, R2>(options: Options<E, R, E2, R2>) {
  const { settings, month, words, origin, previous, signKey, withoutLedgers, replaces } = options
  const { inputs } = ClosedBooks
  const system = yield* FileSystem.FileSystem
  const folder = yield* FileError.mapTo("the folder for temporary files")(system.makeTempDirectoryScoped())
  const files = new Set<string>()
  const put = Effect.fnUntraced(function* <E3, R3>(
    name: string,
    write: (path: string) => Effect.Effect<unknown, E3, R3>,
  ) {
    yield* write(join(folder, name))
    files.add(name)
  })
  const putText = (name: string, text: string) =>
    put(name, (path) => CloseBundle.named(PrivateFile.write(path, [text]), name))
  const putCopy = (name: string, source: string) => put(name, (path) => PrivateFile.copy(source, path))
  yield* FileError.mapTo("ledgers")(system.makeDirectory(join(folder, "ledgers")))
  const ledgers = yield* Effect.forEach(options.ledgers, ({ path, name }) => {
    const target = CloseManifest.ledgerPath(basename(name ?? path), files)
    return Effect.as(putCopy(target, path), target)
  })
  const { source, as_of } = options
  const whose = { ...(origin === undefined ? {} : { origin }), source, as_of }
  const stored = BookSettings.toStored(settings)
  const earlier = previous && (yield* PreviousClose.read(previous))
  const kept: ClosedBooks.Stored = {
    month,
    ...whose,
    settings: stored,
    words,
    by_key: options.lookUps.byKey !== undefined,
    covered: Selection.timesToWire(options.lookUps.covered),
    ledgers,
    ...(previous && { previous: { month: previous.manifest.month, created_at: previous.manifest.created_at } }),
  }
  yield* putText(inputs.settings, `${JSON.stringify(kept, undefined, 2)}\n`)
  const accepted = merged(options.accepted, earlier?.accepted)
  if (accepted !== undefined) {
    yield* put(inputs.accepted, (path) => AcceptedFile.write(path, accepted))
  }
  const lines = TransferLines.make(yield* ScratchFile.make)
  yield* lines.addAll(options.transfers)
  yield* put(inputs.transfers, (path) => lines.write(path, BookSettings.searched(settings)))
  if (previous !== undefined && earlier !== undefined) {
    yield* putText(inputs.carried, earlier.openItems)
    yield* putCopy(inputs.before, join(previous.folder, inputs.transfers))
    yield* put(inputs.since, (path) => lines.write(path, earlier.settings.period))
  }
  const found = new Map<string, Transfer>()
  const { byKey, again, covered } = options.lookUps
  const recorded = (all: ReturnType<typeof again>) =>
    Effect.tap(all, (transfers) => Effect.sync(() => transfers.forEach((one) => found.set(one.id, one))))
  const lookUps: LookUps<E2, R2> = {
    byKey: byKey && ((keys) => recorded(byKey(keys))),
    again: (earlier) => recorded(again(earlier)),
    covered,
  }
  const given = new Map(options.ledgers.map(({ path, name }, index) => [ledgers[index], name ?? path]))
  const nameOf = (inner: string) => given.get(inner) ?? inner
  const made = yield* Effect.mapError(ClosedBooks.make(folder, folder, lookUps), (error) =>
    // The bundle is not written yet, so the user knows the ledgers by the names that were given.
    error instanceof FileError.FileError
      ? new FileError.FileError({ path: error.path.split(", ").map(nameOf).join(", "), reason: error.reason })
      : error,
  )
  const others = TransferLines.make(yield* ScratchFile.make)
  yield* others.add([...found.values()])
  yield* put(inputs.others, (path) => others.write(path, CreatedAt.all))
  const sha256 = yield* CloseBundle.write(
    options.out,
    folder,
    [...files, ...made.results],
    {
      month,
      created_at: stored.created_at,
      time_zone: stored.time_zone,
      as_of_day: settings.asOfDay ?? "",
      ...whose,
      version: options.version,
      command: options.command,
      closed_at: options.closedAt.text,
      ...(previous === undefined ? {} : { previous: { month: previous.manifest.month, sha256: previous.sha256 } }),
    },
    { signKey, withoutLedgers, replaces },
  )
  return { ...made, sha256 }
})

/** Those that are given come first: they may say more of the same break. */
const merged = (
  given: ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined,
  earlier: ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined,
): ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined => {
  if (given === undefined || earlier === undefined) return given ?? earlier
  const known = new Set(given.map(({ fingerprint }) => fingerprint))
  return [...given, ...earlier.filter(({ fingerprint }) => !known.has(fingerprint))]
}
