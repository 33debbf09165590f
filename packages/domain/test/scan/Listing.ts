/**
 * A service as the contract describes it and no more: it lists the rows that match, in an order of its own, behind
 * cursors that stand between two rows. Rows come and go while it is read, and cursors may expire.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as Result from "effect/Result"
import { byKey, type Row, toTransfer } from "./History.ts"

export class Listing {
  readonly requests: Array<SearchRequest> = []
  /** Whether the cursor of a request is rejected. */
  isExpired: (request: number, issued: number) => boolean = () => false
  /** Rows of each page that it lists once more at the end of the page. */
  repeated = 0
  #rows: Array<Row>
  #byTime: Array<Row> | undefined
  readonly #transfers = new Map<Row, Transfer>()
  readonly #matching = new Map<string, ReadonlyArray<Row>>()

  constructor(rows: ReadonlyArray<Row>) {
    this.#rows = [...rows].sort(byKey)
  }

  get rows(): ReadonlyArray<Row> {
    return this.#rows
  }

  insert(row: Row): void {
    this.#matching.clear()
    this.#byTime = undefined
    this.#rows.push(row)
    this.#rows.sort(byKey)
  }

  remove({ id }: Row): void {
    this.#matching.clear()
    this.#byTime = undefined
    this.#rows = this.#rows.filter((row) => row.id !== id)
  }

  has(id: string): boolean {
    return this.#rows.some((row) => row.id === id)
  }

  /** The page, or nothing if the cursor has expired. */
  page(request: SearchRequest): TransferPage | undefined {
    const number = this.requests.push(request)
    const limit = request.limit ?? 20
    const [issued, key, id] = request.after_cursor?.split(" ") ?? []
    if (issued !== undefined && this.isExpired(number, Number(issued))) return undefined
    const rows = this.#match(request.created_at ?? [])
    const start = key === undefined ? 0 : indexAfter(rows, { key: Number(key), id: id ?? "", at: 0 })
    const page = rows.slice(start, start + limit)
    const last = page.at(-1)
    const results = [...page, ...page.slice(0, this.repeated)].map((row) => this.#transferOf(row))
    return {
      results,
      page_info: {
        has_next_page: start + limit < rows.length,
        ...(last === undefined ? {} : { end_cursor: `${number} ${last.key} ${last.id}` }),
      },
    }
  }

  #match(values: ReadonlyArray<string>): ReadonlyArray<Row> {
    const key = values.join(" ")
    const known = this.#matching.get(key)
    if (known !== undefined) return known
    const [interval] = CreatedAt.intervals(Result.getOrThrow(CreatedAt.fromParams(values)))
    // Rows are created at whole milliseconds.
    const first = millisFrom(interval?.first ?? -(10n ** 24n))
    const end = millisFrom(interval?.end ?? 10n ** 24n)
    this.#byTime ??= this.#rows.toSorted((a, b) => a.at - b.at)
    const [from, to] = [countBefore(this.#byTime, first), countBefore(this.#byTime, end)]
    const rows = to - from === this.#rows.length ? this.#rows : this.#byTime.slice(from, to).sort(byKey)
    this.#matching.set(key, rows)
    return rows
  }

  #transferOf(row: Row): Transfer {
    const known = this.#transfers.get(row)
    if (known !== undefined) return known
    const transfer = toTransfer(row)
    this.#transfers.set(row, transfer)
    return transfer
  }
}

/** The first whole millisecond that is not before an instant. */
const millisFrom = (instant: bigint): number => Number(instant / 1_000_000n) + (instant % 1_000_000n > 0n ? 1 : 0)

const countBefore = (rows: ReadonlyArray<Row>, at: number): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

const indexAfter = (rows: ReadonlyArray<Row>, cursor: Row): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && byKey(row, cursor) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
