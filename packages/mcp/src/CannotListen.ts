/** The failure of a server that cannot begin. */
import * as Data from "effect/Data"

/** The address is in use, is not this machine's, or may not be used. */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly host: string
  readonly port: number
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot listen on ${this.host}, port ${this.port}: ${this.reason}.`
  }
}
