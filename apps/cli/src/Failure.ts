/** How a command of this program fails of its own accord, other than by a {@link UsageError} or a file. */
import * as Data from "effect/Data"

/** The command did its work and found something; its findings have been printed. */
export class Findings extends Data.TaggedError("Findings")<{ readonly count: number }> {}

/** Nobody reads standard output any more, as with `transfers … | head`. */
export class OutputClosed extends Data.TaggedError("OutputClosed")<{}> {}
