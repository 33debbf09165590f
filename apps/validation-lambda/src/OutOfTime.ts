/** The failure of work that a function could not finish in its time. */
import * as Data from "effect/Data"

/** The invocation's time is nearly used up. */
export class OutOfTime extends Data.TaggedError("OutOfTime")<{}> {
  override get message(): string {
    return "The verdict was not ready before the function's deadline. Try again, or raise the function's timeout."
  }
}
