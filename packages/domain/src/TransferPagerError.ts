/** What a pager refuses to go along with: each would make it loop, or lose transfers without a word. */
import * as Data from "effect/Data"

/** The service gave out a cursor for the second time: following it would never end. */
export class CursorCycle extends Data.TaggedError("CursorCycle")<{ readonly cursor: string; readonly page: number }> {
  override get message(): string {
    return `The service broke its contract: page ${this.page} ends with a cursor it has given before (${JSON.stringify(this.cursor)}), so its pages would never end.`
  }
}

/** A page says that another follows, and does not say where. */
export class MissingCursor extends Data.TaggedError("MissingCursor")<{ readonly page: number }> {
  override get message(): string {
    return `The service broke its contract: page ${this.page} has has_next_page true and no end_cursor, so the transfers after it are out of reach.`
  }
}

/** More empty pages in a row than the budget allows, each of which says that another follows. */
export class EmptyPages extends Data.TaggedError("EmptyPages")<{ readonly budget: number }> {
  override get message(): string {
    return `The service sent ${this.budget} empty pages in a row, each saying that another follows. Raise emptyPageBudget if that is how it works.`
  }
}

/** In strict mode: a transfer that was not asked for. */
export class OutsideFilter extends Data.TaggedError("OutsideFilter")<{
  readonly id: string
  readonly reason: string
}> {
  override get message(): string {
    return `The service broke its contract: it sent the transfer ${JSON.stringify(this.id)}, which was not asked for (${this.reason}).`
  }
}

/** The checkpoint to resume from is of another query. Both are named by their fingerprints. */
export class CheckpointMismatch extends Data.TaggedError("CheckpointMismatch")<{
  readonly checkpoint: string
  readonly query: string
}> {
  override get message(): string {
    return `The checkpoint belongs to another query: it is of ${this.checkpoint}, and this is ${this.query}. Resume with the query it was made for, or start without it.`
  }
}

/** The service does not know its cursor any more, and it cannot be told which transfers come after it. */
export class CursorExpired extends Data.TaggedError("CursorExpired")<{ readonly reason: string }> {
  override get message(): string {
    return `The service refuses a cursor it gave out, and its transfers have no order to go on by. ${this.reason} Start again without the checkpoint.`
  }
}

/** The transfers are not in order of creation, so which of them came before the checkpoint cannot be told. */
export class OrderBroken extends Data.TaggedError("OrderBroken") {
  override get message(): string {
    return "The service's transfers turned out not to be in order of creation, so those received before the checkpoint cannot be told from the others. Start again without the checkpoint."
  }
}

/** Any of them. */
export type TransferPagerError =
  | CursorCycle
  | MissingCursor
  | EmptyPages
  | OutsideFilter
  | CheckpointMismatch
  | CursorExpired
  | OrderBroken
