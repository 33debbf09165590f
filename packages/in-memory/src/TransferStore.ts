/**
 * The transfers of one partner in memory: generated ones, made when they are asked for, and inserted or changed ones,
 * held as the bytes of their JSON. The order on (`created_at`, `id`) makes a search cost O(log n + page).
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Slab from "./internal/store/byteArena.ts"
import { findRows } from "./internal/store/findRows.ts"
import * as GeneratedRows from "./internal/store/generatedRows.ts"
import * as lifeCycle from "./internal/store/lifeCycle.ts"
import * as HeldRows from "./internal/store/storedRows.ts"
import * as TransferGenerator from "./TransferGenerator.ts"

/** The orders that a store can answer in. */
export const sortOrders = ["newest-first", "oldest-first", "shuffled"] as const

/** By (`created_at`, `id`) either way, or in an order that means nothing but is always the same. */
export type SortOrder = (typeof sortOrders)[number]

/** A place in the order of results: where a page ended, whether or not that transfer is still there. */
export interface Position {
  /** `created_at`, in nanoseconds since 1970. */
  readonly at: bigint
  readonly id: string
}

/** Instants from `first` up to, not including, `end`, in nanoseconds since 1970; without one there is no bound. */
export interface InstantRange {
  readonly first?: bigint | undefined
  readonly end?: bigint | undefined
}

/** What to search for. Results start after the place `after`. */
export interface Search {
  readonly external_id?: string | undefined
  readonly created_at: InstantRange
  readonly limit: number
  readonly after?: Position | undefined
}

/** The transfers found, as the bytes of their JSON, and where they end. */
export interface Found {
  readonly rows: ReadonlyArray<Uint8Array>
  readonly last: Position | undefined
  readonly hasMore: boolean
}

/** The transfers of one partner. Mutable: the functions of this module change it in place. */
export interface TransferStore {
  readonly order: SortOrder
  generated: GeneratedRows.GeneratedRows
  held: HeldRows.HeldRows
  readonly slab: Slab.Slab
  /** The held rows that have a life before them, and since when they have their status, in microseconds. */
  readonly open: Map<string, number>
  /** Another number after every change: what was found before may be found otherwise now. */
  version: number
}

/** What a store starts with. */
export interface Options {
  /** @default "newest-first" */
  readonly order?: SortOrder | undefined
  /** Transfers to generate. @default none */
  readonly generator?: TransferGenerator.TransferGenerator | undefined
}

/** What was to be held is not a transfer, or its `id` is taken. `reason` says which, and where. */
export class InvalidTransfer extends Data.TaggedError("InvalidTransfer")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a transfer that can be held: ${this.reason}.`
  }
}

/** There is no transfer with the id. */
export class NoSuchTransfer extends Data.TaggedError("NoSuchTransfer")<{ readonly id: string }> {
  override get message(): string {
    return `There is no transfer ${JSON.stringify(this.id)}.`
  }
}

const nothing = TransferGenerator.make({ count: 0 })

const makeHeld = (order: SortOrder) => HeldRows.make(order === "shuffled" ? HeldRows.byHash : HeldRows.byTime)

/** A store. */
export const make = (options: Options = {}): TransferStore => {
  const order = options.order ?? "newest-first"
  return {
    order,
    generated: GeneratedRows.make(options.generator ?? nothing),
    held: makeHeld(order),
    slab: Slab.make(),
    open: new Map(),
    version: 0,
  }
}

/** One page of the transfers that match. */
export const search = (self: TransferStore, options: Search): Found => findRows(self, options)

/** How many transfers there are. */
export const size = (self: TransferStore): number => GeneratedRows.count(self.generated) + self.held.byId.size

/** The store's clock. It stands still but for {@link advance}. */
export const now = (self: TransferStore): Timestamp.Timestamp =>
  Timestamp.fromEpochNanoseconds(BigInt(self.generated.now) * 1000n)

/** The JSON of a transfer. */
export const get = (self: TransferStore, id: string): Uint8Array | undefined => {
  const held = self.held.byId.get(id)
  if (held !== undefined) return Slab.bytesOf(held)
  const index = GeneratedRows.indexOfId(self.generated, id)
  return index === undefined ? undefined : GeneratedRows.json(self.generated, index)
}

/** Adds a transfer, given as its wire object. Unknown fields are kept. */
export const insert = (self: TransferStore, wire: unknown): Result.Result<Transfer.TransferId, InvalidTransfer> =>
  insertJson(self, JSON.stringify(wire) ?? "")

/** Adds a transfer, given as JSON, and keeps that text as it is. */
export const insertJson = (self: TransferStore, json: string): Result.Result<Transfer.TransferId, InvalidTransfer> => {
  const transfer = read(json)
  if (Result.isFailure(transfer)) return Result.fail(transfer.failure)
  const { id } = transfer.success
  if (has(self, id)) {
    return Result.fail(new InvalidTransfer({ reason: `there is one with the id ${JSON.stringify(id)}` }))
  }
  hold(self, rowOf(self, transfer.success, json))
  return Result.succeed(id)
}

const read = (json: string): Result.Result<Transfer.Transfer, InvalidTransfer> =>
  Result.mapError(
    Transfer.fromJson(json),
    ({ pointer, expected, actual }) =>
      new InvalidTransfer({ reason: `${pointer === "" ? "it" : pointer} should be ${expected}, but is ${actual}` }),
  )

const has = (self: TransferStore, id: string): boolean =>
  self.held.byId.has(id) || GeneratedRows.indexOfId(self.generated, id) !== undefined

const rowOf = (self: TransferStore, transfer: Transfer.Transfer, json: string): HeldRows.HeldRow => {
  const { slab, start, end } = Slab.keep(self.slab, json)
  return {
    at: transfer.created_at.epochNanoseconds,
    id: transfer.id,
    external_id: transfer.external_id,
    status: transfer.status,
    slab,
    start,
    end,
  }
}

const hold = (self: TransferStore, row: HeldRows.HeldRow): void => {
  self.version += 1
  HeldRows.add(self.held, row)
  track(self, row)
}

const track = (self: TransferStore, row: HeldRows.HeldRow): void => {
  if (lifeCycle.timeIn.has(row.status)) self.open.set(row.id, self.generated.now)
  else self.open.delete(row.id)
}

/**
 * Changes fields of a transfer; those given as null are taken away. It keeps its place in the order unless `created_at`
 * changes, and its `id` always.
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
    const wire = { ...JSON.parse(Buffer.from(before).toString("utf8")), ...fields }
    for (const [name, value] of Object.entries(fields)) if (value === null) delete wire[name]
    const json = JSON.stringify(wire)
    replace(self, rowOf(self, yield* read(json), json))
  })

const replace = (self: TransferStore, row: HeldRows.HeldRow): void => {
  self.version += 1
  const held = self.held.byId.get(row.id)
  const index = GeneratedRows.indexOfId(self.generated, row.id)
  if (held !== undefined) {
    HeldRows.remove(self.held, held)
    HeldRows.add(self.held, row)
  } else if (index !== undefined && GeneratedRows.isInPlace(self.generated, index, row)) {
    self.generated.replaced.set(index, row)
  } else {
    if (index !== undefined) self.generated.replaced.set(index, undefined)
    HeldRows.add(self.held, row)
  }
  track(self, row)
}

/** Takes a transfer out. */
export const remove = (self: TransferStore, id: string): Result.Result<void, NoSuchTransfer> => {
  const held = self.held.byId.get(id)
  const index = GeneratedRows.indexOfId(self.generated, id)
  if (held !== undefined) HeldRows.remove(self.held, held)
  else if (index !== undefined) self.generated.replaced.set(index, undefined)
  else return Result.fail(new NoSuchTransfer({ id }))
  self.version += 1
  self.open.delete(id)
  return Result.succeed(undefined)
}

/** Takes all transfers out. The clock stays where it is. */
export const clear = (self: TransferStore): void => {
  const { now } = self.generated
  self.version += 1
  self.generated = GeneratedRows.make(nothing)
  self.generated.now = now
  self.held = makeHeld(self.order)
  self.open.clear()
}

/** What a store held at one moment. */
export interface Snapshot {
  readonly generator: TransferGenerator.TransferGenerator
  /** In order, so that they are quick to bring back. */
  readonly rows: ReadonlyArray<HeldRows.HeldRow>
}

/** What is held now, to be brought back with {@link restore}. Changes of generated transfers are not part of it. */
export const snapshot = (self: TransferStore): Snapshot => ({
  generator: self.generated.generator,
  rows: [...HeldRows.ordered(self.held).values()],
})

/** Brings back what a snapshot has, and the clock to where generated transfers end. */
export const restore = (self: TransferStore, { generator, rows }: Snapshot): void => {
  self.version += 1
  self.generated = GeneratedRows.make(generator)
  self.held = makeHeld(self.order)
  self.open.clear()
  for (const row of rows) hold(self, row)
}

/**
 * Moves the clock on, and with it the life of transfers: executing, then approved, then complete or declined. Generated
 * ones follow the course that their seed gave them; others are approved after a minute and settled after ten more.
 * Those with a status that is not known stay as they are.
 */
export const advance = (self: TransferStore, duration: Duration.Duration): void => {
  const now = self.generated.now + Math.round(Duration.toMillis(duration) * 1000)
  self.version += 1
  GeneratedRows.setNow(self.generated, now)
  for (const [id, began] of self.open) {
    let since = began
    let wire = alive(get(self, id))
    for (let due = dueAt(wire, since); wire !== undefined && due <= now; due = dueAt(wire, since)) {
      since = due
      wire = lifeCycle.next(wire)
      const json = JSON.stringify(wire)
      replace(self, rowOf(self, Result.getOrThrow(read(json)), json))
    }
    if (self.open.has(id)) self.open.set(id, since)
  }
}

const alive = (json: Uint8Array | undefined): lifeCycle.Alive | undefined =>
  json && JSON.parse(Buffer.from(json).toString("utf8"))

/** When the status of a transfer ends that it has since an instant. */
const dueAt = (wire: lifeCycle.Alive | undefined, since: number): number =>
  since + ((wire && lifeCycle.timeIn.get(wire.status)) ?? Infinity)
