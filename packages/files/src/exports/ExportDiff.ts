/** Compares two exports, transfer by transfer: added, removed and changed ones. */
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as TransferDecoder from "../formats/TransferDecoder.ts"
import * as CreationOrder from "../partitions/CreationOrder.ts"
import { defaultLimit, Partitions, type RowFormat, type Spread } from "../partitions/Partitions.ts"
import type { Scratch } from "../partitions/Scratch.ts"
import { SortedTexts } from "../partitions/SortedTexts.ts"

/** A field that changed. */
export interface FieldChange {
  readonly field: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A transfer that differs. */
export type Difference =
  | {
      readonly kind: "added" | "removed"
      readonly id: string
      readonly external_id?: string
      readonly created_at: string
    }
  | {
      readonly kind: "changed"
      readonly id: string
      readonly external_id?: string
      readonly created_at: string
      readonly changes: ReadonlyArray<FieldChange>
    }

/** The fields in which two states of a transfer differ. Amounts and times are compared by value. */
export const changes = (from: Transfer, to: Transfer): ReadonlyArray<FieldChange> => {
  const [left, right] = [entries(from), entries(to)]
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((field) => {
    const [was, is] = [left.get(field), right.get(field)]
    const isAlike = was?.text === is?.text
    if ((isAlike && was?.isText === is?.isText) || sameValue(from, to, field)) return []
    return [{ field, from: shown(was, isAlike), to: shown(is, isAlike) }]
  })
}

/** The value of a field as text. A text may look like a number or another value of JSON, and is none. */
interface Value {
  readonly text: string
  readonly isText: boolean
}

const shown = (value: Value | undefined, isAlike: boolean): string | undefined =>
  isAlike && value?.isText === true ? JSON.stringify(value.text) : value?.text

const entries = (transfer: Transfer): ReadonlyMap<string, Value> =>
  new Map(Object.entries(transfer).map(([field, value]) => [field, valueOf(value)]))

const valueOf = (value: unknown): Value =>
  typeof value === "string" ? { text: value, isText: true } : { text: textOf(value), isText: false }

const textOf = (value: unknown): string => {
  if (Money.isMoney(value)) return `${value.text} ${value.currency_code}`
  return Timestamp.isTimestamp(value) ? value.text : JSON.stringify(value)
}

const sameValue = (from: Transfer, to: Transfer, field: string): boolean => {
  const money = moneyFields.find((name) => name === field)
  if (money !== undefined) {
    const [was, is] = [from[money], to[money]]
    return was !== undefined && is !== undefined && Money.equals(was, is)
  }
  if (field !== "created_at" && field !== "updated_at") return false
  const [was, is] = [from[field], to[field]]
  return was !== undefined && is !== undefined && Timestamp.compare(was, is) === 0
}

/** The result of a comparison. */
export interface Comparison {
  /** The number of transfers that are equal in both. */
  readonly same: number
  /** The number of those that differ. */
  readonly different: number
  /** The number of those on one side that the other one does not hold, so that nothing can be said of them. */
  readonly notCompared: number
  /** In order of creation, then of id. There may be more than fit in memory. */
  readonly differences: Iterable<Difference>
}

/** Where to put what does not fit in memory, and how much fits. */
export interface CompareOptions extends Spread {
  readonly scratch: Scratch
  /**
   * Which transfers each side would have if they were there. Only of these, one that is not there was added or removed.
   * @default all
   */
  readonly wouldHave?: {
    readonly older: (transfer: Transfer) => boolean
    readonly newer: (transfer: Transfer) => boolean
  }
}

/** Opens a file from its beginning. */
export type Open = () => AsyncIterable<ReadonlyArray<Transfer>>

/**
 * Compares two exports in step. Both are in order of creation and id, so equal transfers pair up at once. The others are
 * set aside: those whose creation time has changed, and those of files in another order, are then paired by id. Throws a
 * `FileError`.
 */
export const compare = async (older: Open, newer: Open, options: CompareOptions): Promise<Comparison> => {
  const differences = new SortedTexts(options.scratch, options.limit ?? defaultLimit)
  const aside = new Partitions<Aside, Aside>({ left: asideFormat, right: asideFormat, ...options })
  const { wouldHave } = options
  let same = 0
  let notCompared = 0
  const differ = (kind: Difference["kind"], transfer: Transfer, more = {}): void => {
    differences.add(CreationOrder.of(transfer), JSON.stringify({ kind, ...headOf(transfer), ...more }))
  }
  const pair = (from: Transfer | undefined, to: Transfer | undefined): void => {
    if (from === undefined || to === undefined) {
      if (from !== undefined) {
        if (wouldHave?.newer(from) === false) notCompared++
        else differ("removed", from)
      }
      if (to !== undefined) {
        if (wouldHave?.older(to) === false) notCompared++
        else differ("added", to)
      }
      return
    }
    const found = changes(from, to)
    if (found.length === 0) same++
    else differ("changed", to, { changes: found })
  }

  const [left, right] = [flattened(older()), flattened(newer())]
  let [from, to] = [await next(left), await next(right)]
  while (from !== undefined && to !== undefined) {
    const order = CreationOrder.compare(from, to)
    if (order < 0) aside.addLeft(asideOf(from))
    else if (order > 0) aside.addRight(asideOf(to))
    else pair(from, to)
    if (order <= 0) from = await next(left)
    if (order >= 0) to = await next(right)
  }
  for (; from !== undefined; from = await next(left)) aside.addLeft(asideOf(from))
  for (; to !== undefined; to = await next(right)) aside.addRight(asideOf(to))

  const visits = aside.visits({
    group: (group) => {
      const [before, after] = [Map.groupBy(group.left, idOf), Map.groupBy(group.right, idOf)]
      for (const id of new Set([...before.keys(), ...after.keys()])) {
        pairAll(before.get(id) ?? [], after.get(id) ?? [], pair)
      }
    },
    largeKey: (rows) => pairAll(Iterable.flatten(rows.left()), Iterable.flatten(rows.right()), pair),
  })
  for (const _ of visits) await yieldToSignals()
  return { same, different: differences.count, notCompared, differences: decoded(differences) }
}

/** Transfers of one id, which is that of one transfer unless a file is damaged. */
const pairAll = (
  before: Iterable<Aside>,
  after: Iterable<Aside>,
  pair: (from: Transfer | undefined, to: Transfer | undefined) => void,
): void => {
  const [left, right] = [before[Symbol.iterator](), after[Symbol.iterator]()]
  for (let from = left.next(), to = right.next(); ; from = left.next(), to = right.next()) {
    if (from.done === true && to.done === true) return
    pair(from.done === true ? undefined : from.value.transfer, to.done === true ? undefined : to.value.transfer)
  }
}

/** A transfer without a counterpart so far. */
interface Aside {
  readonly transfer: Transfer
  readonly text: string
}

const asideOf = (transfer: Transfer): Aside => ({ transfer, text: JSON.stringify(transfer) })

const idOf = ({ transfer }: Aside): string => transfer.id

const asideFormat: RowFormat<Aside> = {
  keyOf: idOf,
  lengthOf: ({ text }) => text.length,
  encode: ({ text }) => text,
  decode: (texts) =>
    // They are not encoded again.
    Result.getOrThrow(TransferDecoder.fromJsonTexts(texts)).map((transfer) => ({ transfer, text: "" })),
}

const decoded = (texts: SortedTexts): Iterable<Difference> =>
  Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }): Difference => JSON.parse(text))

/** The next partition would otherwise start before a signal is seen. */
const yieldToSignals = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function* flattened(batches: AsyncIterable<ReadonlyArray<Transfer>>): AsyncGenerator<Transfer, undefined> {
  for await (const batch of batches) yield* batch
}

const next = async (rows: AsyncGenerator<Transfer, undefined>): Promise<Transfer | undefined> =>
  (await rows.next()).value

const headOf = (transfer: Transfer) => ({
  id: transfer.id,
  external_id: transfer.external_id,
  created_at: Timestamp.toUtc(transfer.created_at).text,
})
