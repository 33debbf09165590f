/** The order of transfers by creation, then by id, as text that is compared by UTF-16 code units. */
import type { Timestamp } from "@transferkit/domain/Timestamp"

/** Makes the years from 0 to 9999 positive. */
const offset = 10n ** 20n
const digits = 22

/**
 * The place of a transfer in that order.
 *
 * @example
 * const at = (id: string, text: string) => CreationOrder.of({ id, created_at: Timestamp.parseUnsafe(text) })
 * at("b", "1969-12-31T00:00:00Z") < at("a", "2024-09-01T00:00:00.5Z") // => true
 * at("b", "2024-09-01T00:00:00Z") > at("a", "2024-09-01T02:00:00+02:00") // => true
 */
export const of = ({ id, created_at }: { readonly id: string; readonly created_at: Timestamp }): string =>
  `${String(created_at.epochNanoseconds + offset).padStart(digits, "0")}${id}`
