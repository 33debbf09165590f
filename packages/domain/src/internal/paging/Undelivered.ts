/**
 * Transfers that came and are not delivered yet. Strays came for creation times that are not theirs: a service that only
 * ignores a bound lists each of them at its own time too, but one that compares other times than it shows does not, and would
 * leave transfers out of every listing that they belong to. Others came with a window that was given up. Each has to be
 * delivered by a later window.
 */
import * as Result from "effect/Result"
import * as Checkpoint from "../../Checkpoint.ts"
import type { IdSet } from "../../IdSet.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import { OutsideFilter } from "../../TransferPagerError.ts"
import type { Interval } from "../time/Interval.ts"

/** What is known of such a transfer. */
export interface Received {
  readonly id: string
  readonly created_at: Timestamp.Timestamp
  readonly external_id?: string
}

/** What the service is asked about what came and was not delivered. */
export interface Question {
  /** Strays next to what was read. If the service does not list them at their own times, it compares others. */
  readonly strays: ReadonlyArray<Received>
  /** Transfers of listings that were given up. If the service still lists them, it left them out of a later one. */
  readonly givenUp: ReadonlyArray<Received>
}

/** What it answers. */
export interface Answer {
  /** Those that contradict what it has listed. */
  readonly lost: ReadonlyArray<Received>
  /** All that came of the query when strays were asked for, and when the others were. */
  readonly overheard: { readonly strays: ReadonlyArray<Transfer>; readonly givenUp: ReadonlyArray<Transfer> }
  readonly pages: number
}

const secondOf = ({ created_at }: Received): string =>
  Timestamp.fromEpochSeconds(Timestamp.epochSeconds(created_at)).text

/** The error for one that the service left out of a listing that it belongs to, with others that are in doubt by then. */
export const leftOut = (lost: Received, others: ReadonlyArray<Received> = []): OutsideFilter => {
  const [first = "", ...seconds] = new Set([lost, ...others].map(secondOf))
  return new OutsideFilter({
    id: lost.id,
    reason: `it was created at ${lost.created_at.text}`,
    missingFrom: [first, ...seconds],
  })
}

/**
 * The strays of one listing that were not wanted at all. Two are enough: those next to the interval, where a comparison that
 * is only coarser shows first.
 */
export class Nearest {
  readonly #interval: Interval
  #below: Received | undefined
  #above: Received | undefined

  constructor(interval: Interval) {
    this.#interval = interval
  }

  add(stray: Received): void {
    const { created_at } = stray
    const { first } = this.#interval
    if (first !== undefined && created_at.epochNanoseconds < first) {
      if (this.#below === undefined || Timestamp.compare(this.#below.created_at, created_at) < 0) this.#below = stray
    } else if (this.#above === undefined || Timestamp.compare(this.#above.created_at, created_at) > 0) {
      this.#above = stray
    }
  }

  get strays(): ReadonlyArray<Received> {
    return [this.#below, this.#above].filter((stray) => stray !== undefined)
  }
}

/** Where strays were found. */
interface Place {
  readonly nearest: Nearest
  /** What is to be delivered, and what was. */
  readonly isOwed: (transfer: Transfer) => boolean
  readonly delivered: IdSet
}

/** The most strays that are held. */
const mostStrays = 100_000

export class Undelivered {
  readonly #strays = new Map<string, Received>()
  readonly #givenUp = new Map<string, Received>()

  /** With those of a checkpoint. */
  constructor({ strays = [], given_up = [] }: Pick<Checkpoint.Checkpoint, "strays" | "given_up"> = {}) {
    for (const stray of strays) this.#strays.set(stray.id, stray)
    for (const one of given_up) this.#givenUp.set(one.id, one)
  }

  get strays(): ReadonlyArray<Received> {
    return [...this.#strays.values()]
  }

  /** Those of windows that were given up. */
  get givenUp(): ReadonlyArray<Received> {
    return [...this.#givenUp.values()]
  }

  /** Takes the strays of a page into account. */
  stray(strays: ReadonlyArray<Transfer>, { nearest, isOwed, delivered }: Place): Result.Result<void, OutsideFilter> {
    for (const transfer of strays) {
      const { id, created_at } = transfer
      if (delivered.has(id)) continue
      if (isOwed(transfer)) this.#strays.set(id, { id, created_at })
      else nearest.add({ id, created_at })
      if (this.#strays.size <= mostStrays) continue
      const reason = `it was created at ${created_at.text}, and ${mostStrays} others came that were not asked for yet`
      return Result.fail(new OutsideFilter({ id, reason }))
    }
    return Result.void
  }

  giveUp(transfers: Iterable<Transfer>): void {
    for (const transfer of transfers) this.#givenUp.set(transfer.id, Checkpoint.givenUpOf(transfer))
  }

  delivered(transfers: Iterable<Transfer>): void {
    if (this.#strays.size + this.#givenUp.size === 0) return
    for (const { id } of transfers) this.vanished(id)
  }

  vanished(id: string): void {
    this.#strays.delete(id)
    this.#givenUp.delete(id)
  }
}
