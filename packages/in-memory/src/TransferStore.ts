/**
 * The transfers of one partner in memory: generated ones, made when they are asked for, and inserted or changed ones,
 * held as the bytes of their JSON. The order on (`created_at`, `id`) makes a search cost O(log n + page).
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { findRows } from "./internal/findRows.ts"
import * as GeneratedRows from "./internal/generatedRows.ts"
import { byHash, byTime, type Compare, type HeldRow, type Key, makeTree, type RowTree } from "./internal/heldRow.ts"
import * as TransferGenerator from "./TransferGenerator.ts"

/** The orders that a store can answer in. */
export const sortOrders = ["newest-first", "oldest-first", "shuffled"] as const

/** By (`created_at`, `id`) either way, or in an order that means nothing but is always the same. */
export type SortOrder = (typeof sortOrders)[number]

/** A place in the order of results: where a page ended, whether or not that transfer is still there. */
export interface Position extends Key {}

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
  readonly compare: Compare
  readonly generated: GeneratedRows.GeneratedRows
  readonly held: RowTree
  readonly heldById: Map<string, HeldRow>
  readonly heldByExternalId: Map<string, RowTree>
}

/** What a store starts with. */
export interface Options {
  /** @default "newest-first" */
  readonly order?: SortOrder | undefined
  /** Transfers to generate. @default none */
  readonly generator?: TransferGenerator.TransferGenerator | undefined
}

/** What was to be inserted is not a transfer, or its `id` is taken. `reason` says which, and where. */
export class InvalidTransfer extends Data.TaggedError("InvalidTransfer")<{ readonly reason: string }> {
  override get message(): string {
    return `Not inserted: ${this.reason}`
  }
}

/** A store. */
export const make = (options: Options = {}): TransferStore => {
  const order = options.order ?? "newest-first"
  const compare = order === "shuffled" ? byHash : byTime
  return {
    order,
    compare,
    generated: GeneratedRows.make(options.generator ?? TransferGenerator.make({ count: 0 })),
    held: makeTree(compare),
    heldById: new Map(),
    heldByExternalId: new Map(),
  }
}

/** One page of the transfers that match. */
export const search = (self: TransferStore, options: Search): Found => findRows(self, options)

const check = S.decodeUnknownResult(Transfer.Wire)

/** Adds a transfer, given as its wire object. Its JSON is kept, so that unknown fields come back too. */
export const insert = (self: TransferStore, wire: unknown): Result.Result<Transfer.TransferId, InvalidTransfer> =>
  Result.gen(function* () {
    const transfer = yield* Result.mapError(
      check(wire),
      (error) => new InvalidTransfer({ reason: error.message.replaceAll("\n", " ") }),
    )
    if (has(self, transfer.id)) {
      return yield* Result.fail(new InvalidTransfer({ reason: `there is a transfer with the id ${transfer.id}` }))
    }
    hold(self, {
      at: Timestamp.parseUnsafe(transfer.created_at).epochNanoseconds,
      id: transfer.id,
      external_id: transfer.external_id ?? undefined,
      json: Buffer.from(JSON.stringify(wire), "utf8"),
    })
    return transfer.id
  })

/** Whether there is a transfer with an id. */
export const has = (self: TransferStore, id: string): boolean =>
  self.heldById.has(id) || GeneratedRows.indexOfId(self.generated, id) !== undefined

const hold = (self: TransferStore, row: HeldRow): void => {
  self.held.set(row, row)
  self.heldById.set(row.id, row)
  if (row.external_id === undefined) return
  const sharing = self.heldByExternalId.get(row.external_id) ?? makeTree(self.compare)
  sharing.set(row, row)
  self.heldByExternalId.set(row.external_id, sharing)
}
