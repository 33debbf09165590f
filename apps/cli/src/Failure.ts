/** Failures that only this program has. */
import * as Data from "effect/Data"

/** The command did its work and found something; its findings have been printed. */
export class Findings extends Data.TaggedError("Findings")<{ readonly count: number }> {}

/** The question names transfers that the source lacks. */
export class NotCovered extends Data.TaggedError("NotCovered")<{
  readonly source: string
  /** In words, such as "what was created March 2024". */
  readonly lacks: string
  /** What to do about it. */
  readonly widen: string
}> {
  override get message(): string {
    return `${this.source} lacks ${this.lacks}. ${this.widen}, or give --allow-incomplete.`
  }
}

/** The reader of standard output has closed it, as with `transfers … | head`. */
export class OutputClosed extends Data.TaggedError("OutputClosed")<{}> {}

/** The command of --exec failed for some events of a single pass. */
export class UndeliveredEvents extends Data.TaggedError("UndeliveredEvents")<{
  readonly failed: number
  readonly events: number
  /** When they are retried, in words. */
  readonly retry: string
}> {
  override get message(): string {
    return `The command of --exec failed for ${this.failed} of ${this.events} event${this.events === 1 ? "" : "s"}. ${this.retry}`
  }
}

/** A watch was begun by a clock that was ahead, so it lacks transfers. */
export class WatchBegunAhead extends Data.TaggedError("WatchBegunAhead")<{
  /** The folder of `--state`, if there is one. */
  readonly state: string | undefined
  /** What the clock said: RFC 3339. */
  readonly begun: string
}> {
  override get message(): string {
    const [place, anew] = this.state === undefined ? ["", ""] : [`${this.state}: `, " another --state FOLDER and"]
    return `${place}The clock was ahead when the watch began: it said ${this.begun}, which is still to come. Transfers created since may be missed. Start a new watch with${anew} --since TIME, the time when this one really began. If the clock is behind now instead, correct it and run this again.`
  }
}

/** A query, or the program of `--jq` or `--template`, took longer than `--timeout`. */
export class ProgramTimedOut extends Data.TaggedError("ProgramTimedOut")<{
  readonly what: "The query" | "--jq" | "--template"
  readonly seconds: number
}> {
  override get message(): string {
    return `${this.what} took longer than ${this.seconds} s. Give it more with --timeout, or ask for less.`
  }
}

/** The process, jq or a query is about to run out of memory. */
export class OutOfMemory extends Data.TaggedError("OutOfMemory")<{
  readonly megabytes: number
  /** @default "command" */
  readonly what?: "command" | "jq" | "query"
}> {
  override get message(): string {
    switch (this.what) {
      case "jq":
        return `Out of memory: --jq needs more than the ${this.megabytes} MB that jq may use. Let it make less, such as with limit.`
      case "query":
        return `Out of memory: the query needs more than the ${this.megabytes} MB that it may use. Ask for fewer rows, and sort or group fewer.`
      default:
        return `Out of memory: this needs more than the ${this.megabytes} MB that Node allows. Give it more with NODE_OPTIONS=--max-old-space-size=${4 * this.megabytes}, or read less at once with --since and --until.`
    }
  }
}
