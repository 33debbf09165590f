/** Why a pager stops: going on would bring nothing new, or lose transfers silently. */
import * as Data from "effect/Data"

/** The service gave out a cursor again with the same page, or for the third time: following it would never end. */
export class CursorCycle extends Data.TaggedError("CursorCycle")<{ readonly cursor: string; readonly page: number }> {
  override get message(): string {
    return `The service broke its contract: page ${this.page} ends with a cursor it has given before (${shorten(this.cursor)}), so its pages would never end.`
  }
}

/** A page says that another follows, but not where. */
export class MissingCursor extends Data.TaggedError("MissingCursor")<{ readonly page: number }> {
  override get message(): string {
    return `The service broke its contract: page ${this.page} has has_next_page true and no end_cursor, so the transfers after it are out of reach.`
  }
}

/** More empty pages in a row than the budget allows, each of which says that another follows. */
export class EmptyPages extends Data.TaggedError("EmptyPages")<{ readonly budget: number }> {
  override get message(): string {
    return `The service sent more than ${this.budget} empty pages in a row, each saying that another follows. Raise emptyPageBudget if that is how it works.`
  }
}

/** Many pages in a row, each of which has transfers and says that another follows, but none that is new. */
export class RepeatedPages extends Data.TaggedError("RepeatedPages")<{ readonly pages: number; readonly id: string }> {
  override get message(): string {
    return `The service broke its contract: it sent more than ${this.pages} pages in a row without a transfer that it had not sent before and that was asked for, the last one from ${JSON.stringify(this.id)} on, so its pages would never end.`
  }
}

/**
 * A transfer that was not asked for: one in strict mode, the first of `pages` pages in a row that have no other, or one that
 * the service sent and left out when the second of its creation was asked for. Then `missingFrom` has this second, and
 * those of all others of which the same is known or not known yet.
 */
export class OutsideFilter extends Data.TaggedError("OutsideFilter")<{
  readonly id: string
  readonly reason: string
  readonly pages?: number
  readonly missingFrom?: readonly [string, ...Array<string>]
}> {
  override get message(): string {
    if (this.missingFrom !== undefined) {
      return `The service broke its contract: it sent the transfer ${JSON.stringify(this.id)} (${this.reason}), and left it out when the second from ${this.missingFrom[0]} was asked for. It compares other times than it shows, or leaves out transfers, so some may be missing. Report it to the service, and read everything again once it is right.`
    }
    return `The service broke its contract: it sent the transfer ${JSON.stringify(this.id)}, which was not asked for (${this.reason})${this.pages === undefined ? "" : `, and so is every other of more than ${this.pages} pages in a row`}.`
  }
}

/** A scan read a transfer at two creation times, `created_at` and another one. It would count twice. */
export class MovedTransfer extends Data.TaggedError("MovedTransfer")<{
  readonly id: string
  /** One of the two. */
  readonly created_at: string
}> {
  override get message(): string {
    return `The service broke its contract: it sent the transfer ${JSON.stringify(this.id)} at two creation times, ${this.created_at} and another one, so it would count twice. Read everything again from the start. If it happens again, report it to the service.`
  }
}

/** The checkpoint to resume from is of another query, or of another origin. Both are named by their fingerprints. */
export class CheckpointMismatch extends Data.TaggedError("CheckpointMismatch")<{
  readonly checkpoint: string
  readonly query: string
  /** What differs. @default "query" */
  readonly differs?: "query" | "origin"
}> {
  override get message(): string {
    if (this.differs === "origin") {
      return `The checkpoint belongs to ${this.checkpoint}, not to ${this.query}. Resume there, or start without it.`
    }
    return `The checkpoint belongs to another query: it is of ${this.checkpoint}, and this is ${this.query}. Resume with the query it was made for, or start without it.`
  }
}

/** The service rejects the cursors that it gives out, and reading again from the start reached no further page. */
export class CursorExpired extends Data.TaggedError("CursorExpired")<{ readonly reason: string }> {
  override get message(): string {
    return `The service rejects a cursor that it gave out, and reading again from the start brought no further: its cursors expire too soon. ${this.reason}`
  }
}

/** More transfers were created in one second than a scan can hold. `second` is the start of it, RFC 3339. */
export class SecondTooLarge extends Data.TaggedError("SecondTooLarge")<{
  readonly second: string
  readonly most: number
}> {
  override get message(): string {
    return `More than ${this.most} transfers were created in the second from ${this.second}. A scan holds the transfers of a second in memory until it has them all. Read that second page after page, and scan what comes before and after it.`
  }
}

/** An option that makes no sense. */
export class InvalidPagerOption extends Data.TaggedError("InvalidPagerOption")<{
  readonly option: string
  readonly given: string
  readonly accepted: string
}> {
  override get message(): string {
    return `${this.option} cannot be ${this.given}: give ${this.accepted}.`
  }
}

/** Any of them. */
export type TransferPagerError =
  | CursorCycle
  | MissingCursor
  | EmptyPages
  | RepeatedPages
  | OutsideFilter
  | MovedTransfer
  | CheckpointMismatch
  | CursorExpired
  | SecondTooLarge
  | InvalidPagerOption

const shorten = (cursor: string): string => JSON.stringify(cursor.length > 96 ? `${cursor.slice(0, 96)}…` : cursor)
