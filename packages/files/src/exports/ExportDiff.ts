/** Compares two exports, transfer by transfer: added, removed and changed ones. */
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"

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
    return was === is || sameValue(from, to, field) ? [] : [{ field, from: was, to: is }]
  })
}

const entries = (transfer: Transfer): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(transfer)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, textOf(value)]),
  )

const textOf = (value: unknown): string => {
  if (Money.isMoney(value)) return `${value.text} ${value.currency_code}`
  if (Timestamp.isTimestamp(value)) return value.text
  return typeof value === "string" ? value : JSON.stringify(value)
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

/** Opens a file from its beginning, each time it is called. */
export type Open = () => AsyncIterable<ReadonlyArray<Transfer>>

/** The result of a comparison. */
export interface Comparison {
  /** The number of transfers that are equal in both. */
  readonly same: number
  /** In order of creation, then of id. */
  readonly differences: ReadonlyArray<Difference>
}

type Head = ReturnType<typeof headOf>

/**
 * Compares two exports in step. Both are in order of creation and id, so equal transfers pair up at once, and only the
 * heads of unpaired ones are kept. Transfers whose creation time has changed, and those of files in another order, are
 * paired in a second pass.
 */
export const compare = async (older: Open, newer: Open): Promise<Comparison> => {
  const removed = new Map<string, Head>()
  const added = new Map<string, Head>()
  const changed: Array<Difference> = []
  const moved = new Set<string>()
  let same = 0
  const pair = (from: Transfer, to: Transfer): void => {
    const found = changes(from, to)
    if (found.length === 0) same++
    else changed.push({ kind: "changed", ...headOf(to), changes: found })
  }
  const setAside = (transfer: Transfer, own: Map<string, Head>, other: Map<string, Head>): void => {
    if (other.delete(transfer.id)) moved.add(transfer.id)
    else own.set(transfer.id, headOf(transfer))
  }

  const [left, right] = [flattened(older()), flattened(newer())]
  let [from, to] = [await next(left), await next(right)]
  while (from !== undefined || to !== undefined) {
    const order = from === undefined ? 1 : to === undefined ? -1 : inOrder(from, to)
    if (from !== undefined && to !== undefined && order === 0) pair(from, to)
    else if (from !== undefined && order < 0) setAside(from, removed, added)
    else if (to !== undefined) setAside(to, added, removed)
    if (order <= 0) from = await next(left)
    if (order >= 0) to = await next(right)
  }

  if (moved.size > 0) {
    const before = new Map<string, Transfer>()
    for await (const transfer of flattened(older())) if (moved.has(transfer.id)) before.set(transfer.id, transfer)
    for await (const transfer of flattened(newer())) {
      const was = before.get(transfer.id)
      if (was !== undefined) pair(was, transfer)
    }
  }
  return { same, differences: sorted([...unpaired("removed", removed), ...unpaired("added", added), ...changed]) }
}

async function* flattened(batches: AsyncIterable<ReadonlyArray<Transfer>>): AsyncGenerator<Transfer, undefined> {
  for await (const batch of batches) yield* batch
}

const next = async (rows: AsyncGenerator<Transfer, undefined>): Promise<Transfer | undefined> =>
  (await rows.next()).value

const inOrder = (left: Pick<Transfer, "created_at"> & { readonly id: string }, right: typeof left): number =>
  Timestamp.compare(left.created_at, right.created_at) || (left.id === right.id ? 0 : left.id < right.id ? -1 : 1)

const unpaired = (kind: "added" | "removed", heads: ReadonlyMap<string, Head>): ReadonlyArray<Difference> =>
  Array.from(heads.values(), (head) => ({ kind, ...head }))

const headOf = (transfer: Transfer) => ({
  id: transfer.id,
  ...(transfer.external_id === undefined ? {} : { external_id: transfer.external_id }),
  created_at: Timestamp.toUtc(transfer.created_at).text,
})

const sorted = (differences: ReadonlyArray<Difference>): ReadonlyArray<Difference> =>
  differences
    .map((difference) => ({ difference, created_at: Timestamp.parseUnsafe(difference.created_at), id: difference.id }))
    .sort(inOrder)
    .map(({ difference }) => difference)
