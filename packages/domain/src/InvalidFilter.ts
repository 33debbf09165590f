/** A filter as text that selects no transfers, whatever the service has. */
import * as Data from "effect/Data"

/** The text of a filter cannot be read, or contradicts another. `name` is that of the filter, such as `since`. */
export class InvalidFilter extends Data.TaggedError("InvalidFilter")<{
  readonly name: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.name}: ${this.reason}`
  }
}
