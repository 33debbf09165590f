/** Two exports, transfer by transfer: what one has and the other has not, and what has changed in between. */
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import type { Report } from "./Report.ts"

/** One field that changed. */
export interface FieldChange {
  readonly field: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/** One transfer that is not the same in both. */
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

/** Compares two exports. Of the older one, only the transfers that the newer one does not repeat stay in memory. */
export class Comparison {
  readonly #older = new Map<string, Transfer>()
  readonly #newer = new Map<string, Transfer>()
  readonly #changed: Array<Difference> = []
  #same = 0

  /** Takes the next transfer of the older export. */
  older(transfer: Transfer): void {
    const newer = this.#newer.get(transfer.id)
    if (newer === undefined) this.#older.set(transfer.id, transfer)
    else {
      this.#newer.delete(transfer.id)
      this.#compare(transfer, newer)
    }
  }

  /** Takes the next transfer of the newer export. */
  newer(transfer: Transfer): void {
    const older = this.#older.get(transfer.id)
    if (older === undefined) this.#newer.set(transfer.id, transfer)
    else {
      this.#older.delete(transfer.id)
      this.#compare(older, transfer)
    }
  }

  #compare(older: Transfer, newer: Transfer): void {
    const found = changes(older, newer)
    if (found.length === 0) this.#same++
    else this.#changed.push({ kind: "changed", ...headOf(newer), changes: found })
  }

  /** How many transfers are the same in both. */
  get same(): number {
    return this.#same
  }

  /** The differences, by creation and id. */
  get differences(): ReadonlyArray<Difference> {
    return [
      ...[...this.#older.values()].map((transfer): Difference => ({ kind: "removed", ...headOf(transfer) })),
      ...[...this.#newer.values()].map((transfer): Difference => ({ kind: "added", ...headOf(transfer) })),
      ...this.#changed,
    ].toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
  }
}

const headOf = (transfer: Transfer) => ({
  id: transfer.id,
  ...(transfer.external_id === undefined ? {} : { external_id: transfer.external_id }),
  created_at: Timestamp.toUtc(transfer.created_at).text,
})

const keyOf = ({ created_at, id }: Difference): string => `${created_at} ${id}`

/** The report of a comparison, a line for each field that changed. */
export const report = (comparison: Comparison): Report => {
  const { differences, same } = comparison
  return {
    json: { same, differences },
    records: differences,
    csv: [["kind", "id", "external_id", "created_at", "field", "from", "to"], ...differences.flatMap(lines)],
    table: (style) => [
      {
        columns: [
          {
            header: "",
            style: (cut, cell) =>
              cell === "added" ? style.good(cut) : cell === "removed" ? style.bad(cut) : style.warn(cut),
          },
          { header: "ID", shrinkTo: 10 },
          { header: "EXTERNAL ID", shrinkTo: 8, dropOrder: 2 },
          { header: "CREATED (UTC)", shrinkTo: 10, dropOrder: 1 },
          { header: "FIELD" },
          { header: "FROM", shrinkTo: 10 },
          { header: "TO", shrinkTo: 10 },
        ],
        rows: differences.flatMap(lines).map((cells) => cells.map((cell) => cell ?? "")),
      },
    ],
  }
}

const lines = (difference: Difference): ReadonlyArray<ReadonlyArray<string | undefined>> => {
  const { kind, id, external_id, created_at } = difference
  const head = [kind, id, external_id, created_at]
  return difference.kind === "changed"
    ? difference.changes.map(({ field, from, to }) => [...head, field, from, to])
    : [[...head, undefined, undefined, undefined]]
}
