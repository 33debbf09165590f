/** How a command of this program fails of its own accord, other than by a {@link UsageError} or a file. */
import * as Data from "effect/Data"

/** The command did its work and found something; its findings have been printed. */
export class Findings extends Data.TaggedError("Findings")<{ readonly count: number }> {}

/** Nobody reads standard output any more, as with `transfers … | head`. */
export class OutputClosed extends Data.TaggedError("OutputClosed")<{}> {}

/** The command of `watch --once --exec` failed for some events. */
export class UndeliveredEvents extends Data.TaggedError("UndeliveredEvents")<{
  readonly failed: number
  readonly events: number
  /** Whether a state file keeps them for another run. */
  readonly isKept: boolean
}> {
  override get message(): string {
    const what = `The command of --exec failed for ${this.failed} of ${this.events} event${this.events === 1 ? "" : "s"}.`
    return this.isKept
      ? `${what} The next run with the same --state retries.`
      : `${what} To retry in another run, keep the state with --state FILE.`
  }
}
