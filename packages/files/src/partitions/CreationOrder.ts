/** The order of transfers by creation, then by id: the one in which exports have them, and in which sources are kept. */
import type { Timestamp } from "@transferkit/domain/Timestamp"

/** What places a transfer in that order. */
export interface Placed {
  readonly id: string
  readonly created_at: Timestamp
}

/** Makes the years from 0 to 9999 positive. */
const offset = 10n ** 20n
const digits = 22

/**
 * The place of a transfer in that order, as text that is compared by UTF-16 code units.
 *
 * @example
 * const at = (id: string, text: string) => CreationOrder.of({ id, created_at: Timestamp.parseUnsafe(text) })
 * at("b", "1969-12-31T00:00:00Z") < at("a", "2024-09-01T00:00:00.5Z") // => true
 * at("b", "2024-09-01T00:00:00Z") > at("a", "2024-09-01T02:00:00+02:00") // => true
 */
export const of = ({ id, created_at }: Placed): string =>
  `${String(created_at.epochNanoseconds + offset).padStart(digits, "0")}${id}`

/**
 * Compares two transfers by that order.
 *
 * @example
 * const created_at = Timestamp.parseUnsafe("2024-09-01T00:00:00Z")
 * CreationOrder.compare({ id: "a", created_at }, { id: "b", created_at }) // => -1
 */
export const compare = (one: Placed, other: Placed): number => {
  const [text, next] = [one.created_at.text, other.created_at.text]
  if (text !== next && text.length === next.length && isOrdered(text) && isOrdered(next)) return text < next ? -1 : 1
  const [left, right] = [one.created_at.epochNanoseconds, other.created_at.epochNanoseconds]
  if (left !== right) return left < right ? -1 : 1
  return one.id < other.id ? -1 : Number(one.id > other.id)
}

/**
 * Whether a time is in UTC and not in a leap second: two of one length are then in order as texts. A file is compared row
 * by row, and to read the instants takes ten times as long.
 */
const isOrdered = (text: string): boolean => text[10] === "T" && text[17] !== "6" && text.endsWith("Z")
