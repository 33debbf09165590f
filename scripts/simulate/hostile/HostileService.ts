/**
 * A service of its own making: it compares nanoseconds, orders, pages and signs cursors without any code of ours, and
 * writes its pages as JSON text.
 */
import type { HostileHistory } from "./HostileHistory.ts"

export interface Row {
  readonly id: string
  readonly at: bigint
}

export interface Asked {
  readonly created_at?: ReadonlyArray<string> | undefined
  readonly limit?: number | undefined
  readonly after_cursor?: string | undefined
}

export const second = 1_000_000_000n

/** The last whole second that is not after an instant. */
const floor = (at: bigint): bigint => at - (((at % second) + second) % second)

/** An instant as RFC 3339, by the calendar of the language. */
export const textOf = (at: bigint): string => {
  const whole = floor(at)
  const fraction = at === whole ? "" : `.${String(at - whole).padStart(9, "0")}`
  return new Date(Number(whole / 1_000_000n)).toISOString().replace(".000Z", `${fraction}Z`)
}

const parse = (text: string): bigint => {
  const [, whole = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? []
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"))
}

export class HostileService {
  readonly rows: ReadonlyArray<Row>
  requests = 0
  readonly #history: HostileHistory

  constructor(history: HostileHistory) {
    this.#history = history
    this.rows = history.rows.map((at, index) => ({ id: `tr_${(index * 7919) % 100_003}`, at }))
  }

  /** The page as text, or nothing if the cursor is rejected. */
  page({ created_at = [], limit = 20, after_cursor }: Asked): string | undefined {
    const { deviation } = this.#history
    const number = ++this.requests
    // A cursor is the place after a row, the page of its listing, and the request that gave it out.
    const [, place = 0, page = 0] = /^(\d+)\/(\d+)\//.exec(after_cursor ?? "")?.map(Number) ?? []
    if (deviation === "rejects old cursors" && page >= 3) return undefined
    const all = this.rows.filter((row) => created_at.every((value) => this.#holds(value, row.at)))
    const from = deviation === "ignores the cursor" ? 0 : place
    const isEmpty = deviation === "sends empty pages" && number % 3 === 0
    const size = isEmpty ? 0 : deviation === "sends larger pages" ? limit + 3 : limit
    const listed = all.slice(from, from + size)
    const next = from + listed.length
    const hasNext = next < all.length
    if (deviation === "sends only others") return this.#others(created_at, number)
    const before = all.slice(Math.max(0, from - 1), from)
    const results = deviation === "sends rows twice" ? [...before, ...listed, ...listed.slice(0, 1)] : listed
    const cursor = `${next}/${page + 1}/${number}`
    const repeated = deviation === "repeats a cursor" && page === 1 ? after_cursor : undefined
    const end_cursor = deviation === "loses the cursor" && page === 1 ? undefined : (repeated ?? cursor)
    return textOfPage(results, hasNext, end_cursor)
  }

  /** Endless rows that no bound admits; if there is none, the same row for ever. */
  #others(created_at: ReadonlyArray<string>, number: number): string {
    const bounds = created_at.map((value) => [value.slice(0, 1), parse(value.slice(value.indexOf(":") + 1))] as const)
    const [operator, bound = 0n] = bounds[0] ?? []
    const at = operator === "g" ? bound - 3600n * second : bound + 3600n * second
    return textOfPage([{ id: bounds.length === 0 ? "other" : `other_${number}`, at }], true, `0/0/${number}`)
  }

  #holds(value: string, instant: bigint): boolean {
    const { isCoarse, isInclusive, lteToken } = this.#history
    const at = isCoarse ? floor(instant) : instant
    const operator = value.slice(0, value.indexOf(":"))
    const bound = parse(value.slice(operator.length + 1))
    if (operator === "gte") return at >= bound
    if (operator === "gt") return at > bound
    if (operator === "lt") return isInclusive ? at <= bound : at < bound
    if (operator === lteToken) return at <= bound
    throw new Error(`the service knows no ${operator}`)
  }
}

const textOfPage = (rows: ReadonlyArray<Row>, has_next_page: boolean, end_cursor: string | undefined): string =>
  JSON.stringify({
    results: rows.map(({ id, at }) => ({ id, kind: "cash_in", status: "complete", created_at: textOf(at) })),
    page_info: { has_next_page, ...(end_cursor === undefined ? {} : { end_cursor }) },
  })
