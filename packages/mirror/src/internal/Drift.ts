/** What a verification finds: what passes had missed, and what has only changed since the last of them. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferEvent } from "../MirrorReading.ts"

/** A transfer that passes had missed. `missing`: it was not in the mirror. `different`: it was otherwise. */
export interface Missed {
  readonly kind: "missing" | "different" | "vanished"
  readonly id: string
}

/** The passes before a verification. */
export interface Passes {
  /** The creation times that each pass reads. */
  readonly recent: CreatedAt.CreatedAt
  /** When the last of them began. */
  readonly began: Timestamp.Timestamp | undefined
}

const kindOf = {
  created: "missing",
  reappeared: "missing",
  changed: "different",
  vanished: "vanished",
} as const satisfies Record<TransferEvent["event"], Missed["kind"]>

/**
 * The events that passes had missed. What is recent and what was open they read each time, so a difference there
 * appeared after the last of them, unless the service dates it before.
 */
export const missed = (
  events: ReadonlyArray<TransferEvent>,
  { recent, began }: Passes,
  settlement: Dialect.Settlement,
): ReadonlyArray<Missed> =>
  events
    .filter(({ event, previous_status, transfer: { created_at, updated_at } }) => {
      if (CreatedAt.matches(recent, created_at)) return false
      if (event === "created" || previous_status === undefined) return true
      if (!Dialect.isOpen(settlement, previous_status)) return true
      // Of a transfer that is gone, the date is that of its last change.
      if (event === "vanished" || began === undefined || updated_at === undefined) return false
      return Timestamp.compare(updated_at, began) <= 0
    })
    .map(({ event, transfer: { id } }) => ({ kind: kindOf[event], id }))
