/**
 * The books of a closed month, computed from the files of its bundle alone, so that anybody can repeat them. The files that
 * this reads are its inputs, and those that it writes are its results.
 */
import { basename, join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as StoredCoverage from "@transferkit/files/exports/StoredCoverage"
import * as FileError from "@transferkit/files/FileError"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as ClosePage from "@transferkit/report/ClosePage"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Books from "../Books.ts"
import * as BookSettings from "../BookSettings.ts"
import * as PrivateFile from "../internal/PrivateFile.ts"
import type { LookUps } from "../LookUps.ts"
import * as OpenItems from "../OpenItems.ts"
import * as Changes from "./Changes.ts"
import * as CloseBundle from "./CloseBundle.ts"
import * as CloseManifest from "./CloseManifest.ts"

/** The names of the inputs that are not ledgers. Those that a month does not have are absent. */
export const inputs = {
  settings: "settings.json",
  transfers: "transfers.ndjson",
  /** Transfers that were looked up. */
  others: "others.ndjson",
  accepted: "accepted.json",
  /** The open items of the previous close, as in its bundle. */
  carried: "carried.json",
  /** The transfers of the previous close, as in its bundle. */
  before: "before.ndjson",
  /** The transfers of its month now. */
  since: "since.ndjson",
} as const

/** The names of the results. */
export const results = {
  openItems: "open-items.json",
  reconciliation: "reconciliation.json",
  report: "report.html",
  /** What has changed since in the month of the previous close; absent without one. */
  changes: "changes.json",
} as const

/** What is in `settings.json`. */
export const Stored = S.Struct({
  month: S.String,
  /** Whose transfers they are, where they were read, and the instant up to which that was complete. */
  origin: S.optionalKey(Origin.Schema),
  source: S.String,
  as_of: S.String,
  settings: BookSettings.Stored,
  words: S.Struct({ searched: S.String, absence: S.String }),
  /** Whether the source found transfers by their keys, and the creation times of which it had every transfer. */
  by_key: S.Boolean,
  covered: S.Array(StoredCoverage.Times),
  ledgers: S.Array(S.String).check(S.isMaxLength(1000)),
  /** The month of the close that it starts from. */
  previous: S.optionalKey(S.Struct({ month: S.String, created_at: StoredCoverage.Times })),
})

/** See the schema. */
export type Stored = typeof Stored.Type

const parse = JsonDocument.reader(Stored)

/** The settings of a bundle's folder. */
export const read = Effect.fnUntraced(function* (folder: string) {
  const text = yield* CloseBundle.textOf(folder, inputs.settings)
  const kept = yield* orFail(
    inputs.settings,
    Result.mapError(parse(text ?? ""), (reason) => `it is not what transfers close writes: ${reason}`),
  )
  const settings = yield* orFail(inputs.settings, BookSettings.fromStored(kept.settings))
  const period = Result.getOrElse(CreatedAt.month(kept.month, settings.timeZone), () => CreatedAt.none)
  const { month, ledgers } = kept
  // A path out of the bundle would read the files of whoever verifies it.
  const wrong = ledgers.find((path, index) => !CloseManifest.isLedger(path) || ledgers.indexOf(path) !== index)
  const fault = CreatedAt.equals(period, settings.period)
    ? wrong && `${wrong} is no ledger of a bundle, or one that it has twice`
    : `its period is not the month ${JSON.stringify(month)}`
  return yield* orFail(
    inputs.settings,
    fault === undefined ? Result.succeed({ ...kept, settings }) : Result.fail(fault),
  )
})

/** Where `close.json` contradicts the books: its field, and both values. */
export const contradiction = (
  manifest: CloseManifest.CloseManifest,
  { settings, ...kept }: Omit<Stored, "settings"> & { readonly settings: BookSettings.BookSettings },
): { readonly field: string; readonly expected: string; readonly found: string } | undefined => {
  const { created_at, time_zone, as_of_day = "" } = BookSettings.toStored(settings)
  const wordsOf = ({
    origin,
    previous,
  }: Pick<Stored, "origin"> & { readonly previous?: { readonly month: string } }) => ({
    origin: origin && Origin.print(origin),
    previous: previous?.month,
  })
  const own = { ...kept, created_at, time_zone, as_of_day, ...wordsOf(kept) }
  const said = { ...manifest, ...wordsOf(manifest) }
  return (["month", "created_at", "time_zone", "as_of_day", "origin", "source", "as_of", "previous"] as const)
    .map((field) => ({ field, expected: String(own[field] ?? "none"), found: String(said[field] ?? "none") }))
    .find(({ expected, found }) => expected !== found)
}

const orFail = <A>(path: string, result: Result.Result<A, string>) =>
  Effect.fromResult(Result.mapError(result, (reason) => new FileError.FileError({ path, reason })))

/** Makes the books of the inputs in one folder, and writes the results to another. */
export const make = Effect.fn("ClosedBooks.make")(function* <E = never, R = never>(
  from: string,
  to: string,
  source?: LookUps<E, R>,
) {
  const kept = yield* read(from)
  const { settings, words, ledgers, month, origin, previous } = kept
  const carriedText = yield* CloseBundle.textOf(from, inputs.carried)
  const carried = carriedText === undefined ? undefined : yield* orFail(inputs.carried, OpenItems.parse(carriedText))
  const changes =
    previous &&
    (yield* Changes.write(
      { before: join(from, inputs.before), since: join(from, inputs.since), ...previous },
      join(to, results.changes),
    ).pipe(Effect.mapError(({ path, reason }) => new FileError.FileError({ path: basename(path), reason }))))
  const late = changes === undefined ? new Set<string>() : Changes.late(changes, settings.settlement)
  const hasAccepted = (yield* CloseBundle.textOf(from, inputs.accepted)) !== undefined
  const lookUps: LookUps<E | FileError.FileError, R> = source ?? (yield* keptIn(from, kept))
  const { readings, add, finish, contradictions } = yield* Books.open({
    settings,
    origin,
    words,
    ledgers: ledgers.map((name) => ({ name, path: join(from, name) })),
    order: "created",
    matched: false,
    inDollars: true,
    isRequired: () => true,
    accepted: hasAccepted
      ? yield* CloseBundle.named(AcceptedFile.read(join(from, inputs.accepted)), inputs.accepted)
      : undefined,
    carried: carried && { ...carried, late: yield* lateIn(from, late) },
    lookUps,
  })
  yield* Stream.runForEach(transfersOf(from, inputs.transfers), (batch) => add(batch))
  const books = yield* finish
  const page = ClosePage.render(books, {
    month,
    partner: origin?.partner_id ?? kept.source,
    settlement: settings.settlement,
    asOfDay: settings.asOfDay ?? "",
    timeZone: settings.timeZone,
    key: settings.key,
    amount: settings.amount,
    readings,
    changes,
  })
  yield* PrivateFile.write(join(to, results.openItems), books.openItems ?? [])
  yield* PrivateFile.write(
    join(to, results.reconciliation),
    jsonOf(books, { settings, words, readings, contradictions }),
  )
  yield* PrivateFile.write(join(to, results.report), [page])
  const { changes: ofPrevious, ...own } = results
  const made = [...Object.values(own), ...(changes === undefined ? [] : [ofPrevious])]
  return { books, readings, contradictions, kept, changes, results: made }
})

/** Transfers of a file of a folder. Errors have its name in the bundle. */
const transfersOf = (folder: string, name: string) =>
  TransferFile.transfers({ path: join(folder, name), format: "ndjson" }).pipe(
    Stream.mapError(({ reason }) => new FileError.FileError({ path: name, reason })),
  )

/** What is there now of some transfers of the previous month. */
const lateIn = Effect.fnUntraced(function* (folder: string, ids: ReadonlySet<string>) {
  if (ids.size === 0) return []
  const found = Stream.map(transfersOf(folder, inputs.since), (batch) => batch.filter(({ id }) => ids.has(id)))
  return (yield* Stream.runCollect(found)).flat()
})

/** Finds what was found when the month was closed. */
const keptIn = Effect.fnUntraced(function* (
  folder: string,
  { settings, by_key, covered }: Effect.Success<ReturnType<typeof read>>,
) {
  // Read again for each question, because all of them may not fit in memory.
  const others = transfersOf(folder, inputs.others)
  yield* Stream.runDrain(others)
  const filtered = (test: (transfer: Transfer) => boolean) =>
    Effect.map(Stream.runCollect(Stream.map(others, (batch) => batch.filter(test))), (batches) => batches.flat())
  const byKey = (keys: ReadonlyArray<string>) => {
    const wanted = new Set(keys)
    return filtered(({ [settings.key]: own }) => own !== undefined && wanted.has(own))
  }
  const again = (earlier: ReadonlyArray<Transfer>) => {
    const ids = new Set<string>(earlier.map(({ id }) => id))
    return filtered(({ id }) => ids.has(id))
  }
  const times = Result.mapError(Selection.timesFromWire(covered), ({ message }) => `covered: ${message}`)
  return { byKey: by_key ? byKey : undefined, again, covered: yield* orFail(inputs.settings, times) }
})

interface Facts {
  readonly settings: BookSettings.BookSettings
  readonly words: object
  readonly readings: ReadonlyArray<object>
  readonly contradictions: { readonly count: number }
}

/** The result in parts: there may be more outcomes than fit in memory. */
function* jsonOf(self: Books.ReconciledBooks, { settings, words, readings, contradictions }: Facts): Generator<string> {
  const head = {
    reconciliation: 1,
    settings: BookSettings.toStored(settings),
    words,
    ledgers: readings,
    statuses: self.statuses,
    contradictions: contradictions.count,
    breaks: ReconciliationLines.breaks(self),
    states: self.states ?? null,
    proposals: self.proposals ?? [],
    totals: self.totals,
    dollars: self.dollars ?? [],
    ageing: self.ageing ?? [],
    roll_forward: self.rollForward ?? [],
  }
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "outcomes": [`
  let isFirst = true
  for (const line of self.lines) {
    yield `${isFirst ? "" : ","}\n    ${JSON.stringify(line)}`
    isFirst = false
  }
  yield isFirst ? "]\n}\n" : "\n  ]\n}\n"
}
