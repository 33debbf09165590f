/** A client that cannot be made, because a setting is wrong. Never holds the value of a secret. */
import * as Data from "effect/Data"

export class InvalidConfiguration extends Data.TaggedError("InvalidConfiguration")<{
  readonly setting: "baseUrl" | "partnerId" | "secretKey"
  readonly reason: string
  /** The option that would allow it. */
  readonly option?: "allowInsecure"
}> {
  override get message(): string {
    const permit = this.option === undefined ? "" : `, or set ${this.option}`
    return `The client cannot be made with this ${this.setting}: ${this.reason}${permit}.`
  }
}
