/**
 * The transfers of one partner in memory: generated ones, made on demand, and inserted or changed ones, stored as the
 * bytes of their JSON. Both are sorted, so a search costs O(log n + page).
 */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Draw from "./Draw.ts"
import * as ByteArena from "./internal/store/ByteArena.ts"
import * as FindRows from "./internal/store/FindRows.ts"
import * as GeneratedRows from "./internal/store/GeneratedRows.ts"
import * as lifeCycle from "./internal/store/LifeCycle.ts"
import * as permutation from "./internal/store/Permutation.ts"
import * as SortOrders from "./internal/store/SortOrder.ts"
import * as StoredRows from "./internal/store/StoredRows.ts"
import * as TransferGenerator from "./TransferGenerator.ts"

/** The orders a store can list its transfers in. */
export const sortOrders = SortOrders.sortOrders

/**
 * By `created_at` (then `id`) in either direction, by `id`, by `updated_at` with the latest first, or in a meaningless
 * but fixed order. A transfer moves only in the order by `updated_at`, when it changes.
 *
 * By `updated_at`, the first page of an interval sorts the generated transfers of that interval.
 */
export type SortOrder = SortOrders.SortOrder

/** A place in the order of results: where a page ended, whether or not that transfer is still there. */
export type Position = FindRows.Position

/** Instants from `first` up to, not including, `end`, in nanoseconds since 1970; without one there is no bound. */
export type InstantRange = FindRows.InstantRange

/** What to search for. Results start after the place `after`. */
export type Search = FindRows.Search

/** The transfers found, as the bytes of their JSON, and where they end. */
export type Found = FindRows.Found

/** The transfers of one partner. Mutable: the functions of this module change it in place. */
export interface TransferStore {
  readonly order: SortOrder
  generated: GeneratedRows.GeneratedRows
  stored: StoredRows.StoredRows
  late: FindRows.Late
  readonly arena: ByteArena.ByteArena
  /** The stored rows with a status to come, and when it comes, in microseconds. */
  readonly open: Map<string, number>
  /** Another number after every change: an earlier page may be different now. */
  version: number
}

/** What a store starts with. */
export interface Options {
  /** @default "newest-first" */
  readonly order?: SortOrder | undefined
  /** Transfers to generate. @default none */
  readonly generator?: TransferGenerator.TransferGenerator | undefined
}

/** The value is not a transfer, or its `id` is taken. `reason` says which, and where. */
export class InvalidTransfer extends Data.TaggedError("InvalidTransfer")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a transfer that can be stored: ${this.reason}.`
  }
}

/** There is no transfer with the id. */
export class NoSuchTransfer extends Data.TaggedError("NoSuchTransfer")<{ readonly id: string }> {
  override get message(): string {
    return `There is no transfer ${JSON.stringify(this.id.slice(0, 64))}.`
  }
}

const nothing = TransferGenerator.make({ count: 0 })

const noneLate = (): FindRows.Late => ({ ids: new Set(), indexes: new Set() })

/** A store. */
export const make = (options: Options = {}): TransferStore => {
  const order = options.order ?? "newest-first"
  return {
    order,
    generated: GeneratedRows.make(options.generator ?? nothing, order),
    stored: StoredRows.make(),
    late: noneLate(),
    arena: ByteArena.make(),
    open: new Map(),
    version: 0,
  }
}

/** One page of the transfers that match. */
export const search = (self: TransferStore, options: Search): Found => FindRows.findRows(self, options)

/** How many transfers there are. */
export const size = (self: TransferStore): number => GeneratedRows.count(self.generated) + self.stored.byId.size

/** The store's clock. It stands still except for {@link advance}. */
export const now = (self: TransferStore): Timestamp.Timestamp =>
  Timestamp.fromEpochNanoseconds(BigInt(self.generated.now) * 1000n)

/** The JSON of a transfer. */
export const get = (self: TransferStore, id: string): Uint8Array | undefined => {
  const stored = self.stored.byId.get(id)
  if (stored !== undefined) return ByteArena.bytesOf(stored)
  const index = GeneratedRows.indexOfId(self.generated, id)
  return index === undefined ? undefined : GeneratedRows.json(self.generated, index)
}

/** Adds a transfer, given as its wire object. Unknown fields are kept. */
export const insert = (self: TransferStore, wire: unknown): Result.Result<Transfer.TransferId, InvalidTransfer> =>
  Result.flatMap(shallow(wire), () => insertJson(self, JSON.stringify(wire) ?? ""))

/** No field nests deeper: what reads and writes a deep one recurses. */
const maxDepth = 64

const shallow = (wire: unknown): Result.Result<void, InvalidTransfer> => {
  const deep = JsonDepth.findDeeper(wire, maxDepth)
  if (deep === undefined) return Result.succeed(undefined)
  const reason = `${deep.slice(0, 100)} is nested more than ${maxDepth} levels deep`
  return Result.fail(new InvalidTransfer({ reason }))
}

/** Adds a transfer, given as JSON, and keeps that text unchanged. */
export const insertJson = (self: TransferStore, json: string): Result.Result<Transfer.TransferId, InvalidTransfer> => {
  const transfer = read(json)
  if (Result.isFailure(transfer)) return Result.fail(transfer.failure)
  const { id } = transfer.success
  if (has(self, id)) {
    return Result.fail(new InvalidTransfer({ reason: `there is one with the id ${JSON.stringify(id)}` }))
  }
  store(self, rowOf(self, transfer.success, json))
  return Result.succeed(id)
}

const read = (json: string): Result.Result<Transfer.Transfer, InvalidTransfer> =>
  Result.mapError(
    Transfer.fromJson(json),
    ({ pointer, expected, actual }) =>
      new InvalidTransfer({ reason: `${pointer === "" ? "it" : pointer} should be ${expected}, but is ${actual}` }),
  )

const has = (self: TransferStore, id: string): boolean =>
  self.stored.byId.has(id) || GeneratedRows.indexOfId(self.generated, id) !== undefined

const rowOf = (self: TransferStore, transfer: Transfer.Transfer, json: string): StoredRows.StoredRow => {
  const { buffer, start, end } = ByteArena.store(self.arena, json)
  const { id, external_id, status } = transfer
  const created_at = transfer.created_at.epochNanoseconds
  const updated_at = transfer.updated_at?.epochNanoseconds ?? created_at
  const rank = SortOrders.rankOf(self.order, id, { created_at, updated_at })
  return { rank, id, created_at, external_id, status, buffer, start, end }
}

const store = (self: TransferStore, row: StoredRows.StoredRow): void => {
  self.version += 1
  StoredRows.add(self.stored, row)
  track(self, row)
}

const track = (self: TransferStore, row: StoredRows.StoredRow): void => {
  const time = lifeCycle.timeIn.get(row.status)
  if (time === undefined) self.open.delete(row.id)
  else self.open.set(row.id, self.generated.now + time)
}

/**
 * Changes fields of a transfer; fields given as null are removed. It keeps its `id` always, and its place in the order
 * unless the order is by a field that changes.
 */
export const change = (
  self: TransferStore,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Result.Result<void, InvalidTransfer | NoSuchTransfer> =>
  Result.gen(function* () {
    const before = get(self, id)
    if (before === undefined) return yield* Result.fail(new NoSuchTransfer({ id }))
    if ("id" in fields && fields["id"] !== id) {
      return yield* Result.fail(new InvalidTransfer({ reason: "the id of a transfer does not change" }))
    }
    yield* shallow(fields)
    const wire = { ...Object(JsonValue.parse(Buffer.from(before).toString("utf8"))), ...fields }
    for (const [name, value] of Object.entries(fields)) if (value === null) delete wire[name]
    const json = JSON.stringify(wire)
    replace(self, rowOf(self, yield* read(json), json))
  })

const replace = (self: TransferStore, row: StoredRows.StoredRow): void => {
  self.version += 1
  const stored = self.stored.byId.get(row.id)
  const index = GeneratedRows.indexOfId(self.generated, row.id)
  if (stored !== undefined) {
    StoredRows.remove(self.stored, stored)
    StoredRows.add(self.stored, row)
  } else if (index !== undefined && GeneratedRows.isInPlace(self.generated, index, row)) {
    self.generated.replaced.set(index, row)
  } else {
    if (index !== undefined) self.generated.replaced.set(index, undefined)
    StoredRows.add(self.stored, row)
  }
  track(self, row)
}

/** Removes a transfer. */
export const remove = (self: TransferStore, id: string): Result.Result<void, NoSuchTransfer> => {
  const stored = self.stored.byId.get(id)
  const index = GeneratedRows.indexOfId(self.generated, id)
  if (stored !== undefined) StoredRows.remove(self.stored, stored)
  else if (index !== undefined) self.generated.replaced.set(index, undefined)
  else return Result.fail(new NoSuchTransfer({ id }))
  self.version += 1
  self.open.delete(id)
  return Result.succeed(undefined)
}

/** Removes all transfers. The clock stays where it is. */
export const clear = (self: TransferStore): void => {
  const { now } = self.generated
  self.version += 1
  self.generated = GeneratedRows.make(nothing, self.order)
  self.generated.now = now
  self.stored = StoredRows.make()
  self.open.clear()
}

/**
 * Lists `count` of the transfers, drawn by the seed, after all others, as a service does whose order is not what it
 * seems: the newest may come last. They stay late when they change; transfers inserted later do not become late.
 */
export const displace = (self: TransferStore, count: number, seed: number): void => {
  const { generator } = self.generated
  const stored = [...self.stored.byId.keys()].sort()
  const all = generator.count + stored.length
  const start = Draw.below(Draw.keyOf(seed, 0), 0, all)
  self.version += 1
  self.late = noneLate()
  for (let n = 0; n < Math.min(count, all); n++) {
    const place = permutation.numberAt(all, (start + n) % all)
    const id = stored[place - generator.count] ?? TransferGenerator.id(generator, place)
    self.late.ids.add(id)
    if (place < generator.count) self.late.indexes.add(place)
  }
}

/** What a store contained at one moment. */
export interface Snapshot {
  readonly generator: TransferGenerator.TransferGenerator
  /** Sorted, so that they are quick to restore. */
  readonly rows: ReadonlyArray<StoredRows.StoredRow>
}

/** The current content, for {@link restore}. Changes of generated transfers are not part of it. */
export const snapshot = (self: TransferStore): Snapshot => ({
  generator: self.generated.generator,
  rows: [...StoredRows.sorted(self.stored).values()],
})

/** Restores the transfers of a snapshot, and sets the clock to the end of the generated ones. */
export const restore = (self: TransferStore, { generator, rows }: Snapshot): void => {
  self.version += 1
  self.generated = GeneratedRows.make(generator, self.order)
  self.stored = StoredRows.make()
  self.open.clear()
  for (const row of rows) store(self, row)
}

/**
 * Advances the clock, and with it the status of transfers: executing, then approved, then complete or declined.
 * Generated ones follow the course that their seed gave them; others are approved after a minute and settled after ten
 * more. Those with an unknown status stay as they are.
 */
export const advance = (self: TransferStore, duration: Duration.Duration): void => {
  const now = self.generated.now + Math.round(Duration.toMillis(duration) * 1000)
  self.version += 1
  GeneratedRows.setNow(self.generated, now)
  for (const [id, first] of self.open) {
    let due = first
    while (due <= now) {
      const wire = lifeCycle.next(Object(JsonValue.parse(Buffer.from(get(self, id) ?? []).toString("utf8"))))
      const json = JSON.stringify(wire)
      replace(self, rowOf(self, Result.getOrThrow(read(json)), json))
      due += lifeCycle.timeIn.get(wire.status) ?? Infinity
    }
    if (due > first && self.open.has(id)) self.open.set(id, due)
  }
}
