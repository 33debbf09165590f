/**
 * The rate that several processes share, as their database has it. What was dealt is judged by it: on a busy machine
 * requests arrive later than their permits were dealt, and closer to each other.
 */
import { DatabaseSync } from "node:sqlite"

export interface DealtRate {
  /** Between two permits. 0 without a limit. */
  readonly spacingMicros: number
  /** When the next permit can be dealt, since the epoch. Each permit moves it by the spacing at least. */
  readonly nextMicros: number
}

/** The rate of a mirror in a file, as of now. */
export const read = (file: string): DealtRate => {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 60_000 })
  const row = db.prepare("SELECT spacing_us AS spacing, next_us AS next FROM request_rates").get()
  return { spacingMicros: Number(row?.["spacing"] ?? 0), nextMicros: Number(row?.["next"] ?? 0) }
}

/** The most permits that can have been dealt between two readings. */
export const permitsBetween = (earlier: DealtRate, later: DealtRate): number =>
  (later.nextMicros - earlier.nextMicros) / earlier.spacingMicros
