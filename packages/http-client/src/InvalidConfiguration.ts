/** A client that cannot be made, because a setting is wrong. Never holds the value of a secret. */
import * as Data from "effect/Data"

export class InvalidConfiguration extends Data.TaggedError("InvalidConfiguration")<{
  readonly setting: "baseUrl" | "partnerId" | "secretKey"
  readonly reason: string
}> {
  override get message(): string {
    return `The client cannot be made with this ${this.setting}: ${this.reason}.`
  }
}
