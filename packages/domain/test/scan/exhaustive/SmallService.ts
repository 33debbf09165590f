/**
 * A service of a few rows that breaks its contract in one way. It compares instants as nanoseconds of its own, so that it
 * shares no error with the code that reads it.
 */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import { toTransfer } from "../History.ts"

/** Milliseconds since 1970 at which the small histories begin. */
export const start = Date.UTC(2024, 0, 1)

export interface SmallRow {
  readonly id: string
  /** Milliseconds since {@link start}. */
  readonly at: number
}

export const nanosOf = ({ at }: SmallRow): bigint => BigInt(start + at) * 1_000_000n

const transfers = new Map<string, Transfer>()
const transferOf = (row: SmallRow): Transfer => {
  const key = `${row.id} ${row.at}`
  const known = transfers.get(key) ?? toTransfer({ id: row.id, at: start + row.at, key: 0 })
  transfers.set(key, known)
  return known
}

/** What a response may do once. */
export type Event = "repeats a cursor" | "empty page"

export class SmallService {
  readonly #isInclusive: boolean
  /** In the order of the listing; a cursor names the key of the row before it. */
  #rows: Array<{ readonly row: SmallRow; readonly key: number }>
  #requests = 0

  constructor(rows: ReadonlyArray<SmallRow>, isInclusive: boolean) {
    this.#isInclusive = isInclusive
    this.#rows = rows.map((row, key) => ({ row, key }))
  }

  /** A row is listed after all others from now on. */
  moveToEnd(index: number): void {
    const [moved] = this.#rows.splice(index, 1)
    if (moved !== undefined) this.#rows.push({ row: moved.row, key: (this.#rows.at(-1)?.key ?? 0) + 10 })
  }

  page({ created_at = [], limit = 20, after_cursor }: SearchRequest, event?: Event): TransferPage {
    this.#requests++
    const after = after_cursor === undefined ? -1 : Number(after_cursor.split(" ")[0])
    const matching = this.#rows.filter(({ row }) => created_at.every((value) => this.#holds(value, nanosOf(row))))
    const rest = matching.filter(({ key }) => key > after)
    // Another page may end with a cursor for the second time.
    if (event === "repeats a cursor" && after_cursor !== undefined) {
      const before = matching.filter(({ key }) => key <= after).slice(-limit)
      return {
        results: before.map(({ row }) => transferOf(row)),
        page_info: { has_next_page: true, end_cursor: after_cursor },
      }
    }
    const page = event === "empty page" ? [] : rest.slice(0, limit)
    const last = page.at(-1)?.key ?? after
    // Each cursor is new, so that only a cursor that is repeated on purpose is one.
    const end_cursor = `${last} ${this.#requests}`
    const has_next_page = rest.length > page.length
    return {
      results: page.map(({ row }) => transferOf(row)),
      page_info: { has_next_page, end_cursor },
    }
  }

  #holds(value: string, instant: bigint): boolean {
    const [, operator, text = ""] = /^(\w+):(.*)$/.exec(value) ?? []
    const bound = BigInt(Date.parse(text)) * 1_000_000n
    if (operator === "gte") return instant >= bound
    if (operator === "gt") return instant > bound
    if (operator === "lte") return instant <= bound
    return this.#isInclusive ? instant <= bound : instant < bound
  }
}
