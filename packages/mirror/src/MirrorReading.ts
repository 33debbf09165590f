/** What was read from a service, to be applied to a mirror, and what that changed. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as Lateness from "./internal/Lateness.ts"
import type * as Vanishing from "./internal/Vanishing.ts"

/** A transfer that is new, different, gone or back. */
export interface TransferEvent {
  readonly event: "created" | "changed" | "vanished" | "reappeared"
  readonly previous_status?: string
  readonly transfer: Transfer
}

/** Everything the service has in some intervals, as it was read. */
export interface Reading {
  readonly partner_id: string
  /** The creation times that were read to the end. */
  readonly window: CreatedAt.CreatedAt
  readonly transfers: ReadonlyArray<Transfer>
  /**
   * When it was seen: RFC 3339 in UTC, to the millisecond. One that is not after what it changes is replaced.
   * @default the mirror's clock
   */
  readonly seen_at?: string | undefined
  readonly run_id: bigint
  /** State to save in the same transaction. */
  readonly state?: Readonly<Record<string, string>>
  /**
   * Whether new transfers become part of the history, as those of a first load do not.
   * @default true
   */
  readonly logsCreated?: boolean
  /** Transfers created before this instant, in nanoseconds since 1970, are never new: the mirror begins there. */
  readonly floor?: bigint | undefined
  /**
   * Transfers that an earlier reading of these creation times lacked, by their ids: those that this one lacks, too, have
   * vanished. Without it none has: a page may miss a row that moves while pages are read.
   */
  readonly missed?: ReadonlySet<string> | undefined
  /**
   * Whether the mirror had no transfer of these creation times: a first load, which reads each of them once.
   * @default false
   */
  readonly isFirst?: boolean
  /** What the lateness of new transfers is measured against. */
  readonly baseline?: Lateness.Baseline | undefined
}

/** What changed. */
export interface Applied {
  readonly events: ReadonlyArray<TransferEvent>
  /** Transfers that were not read; none after a second reading. */
  readonly missing: ReadonlyArray<Vanishing.Missing>
}
