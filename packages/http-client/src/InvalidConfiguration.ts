/** A setting that a client or a call cannot work with. */
import * as Data from "effect/Data"

/** Thrown before anything is sent. Names the setting, and never holds the value of a secret. */
export class InvalidConfiguration<Setting extends string = string> extends Data.TaggedError("InvalidConfiguration")<{
  readonly setting: string
  readonly reason: string
  /** The option that would allow it. */
  readonly option?: "allowInsecure"
}> {
  declare readonly setting: Setting
  override get message(): string {
    const permit = this.option === undefined ? "" : `, or set ${this.option}`
    return `Invalid ${this.setting}: ${this.reason}${permit}.`
  }
}
