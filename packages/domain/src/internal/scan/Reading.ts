/** A window that is being read, as far as estimates look at it: `Scan.ts` has its transfers. */
import type { Span } from "./Coverage.ts"
import type { Sighting } from "./Density.ts"
import type { Part } from "./Sample.ts"

/** Transfers that are looked at together: those of a full page, or of several small ones. */
export const lot = 20

export interface Reading {
  readonly span: Span
  /** It was never cut: its first page may well be its last. */
  readonly isWhole: boolean
  /** The sample that it was cut by, if it was. */
  readonly part: Part | undefined
  /** Transfers that were expected of it, and whether that was more than a guess. */
  readonly expected: number
  readonly isSure: boolean
  /** When its transfers so far were created, in seconds. */
  readonly times: Array<number>
  /** How much more text its pages had than ordinary ones. */
  excess: number
  /** Of those, how many were looked at, a lot at a time. */
  lots: number
  looked: number
  lastLot: ReadonlyArray<number> | undefined
  /** How far its pages have advanced, if they follow the order of creation. */
  front: Sighting | undefined
  /** What was known where it begins, and whether a burst may begin within. */
  readonly beside: Sighting | undefined
  isRising: boolean
}
