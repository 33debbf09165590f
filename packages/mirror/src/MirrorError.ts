/** Why a mirror cannot be read or written. No error holds a password of its address. */
import * as Data from "effect/Data"

/** The mirror cannot be used. `reason` says why, and what to do. */
export class MirrorError extends Data.TaggedError("MirrorError")<{
  /** Its address, without a password. */
  readonly mirror: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.mirror}: ${this.reason}.`
  }
}

/** Another process is syncing the mirror. */
export class MirrorBusy extends Data.TaggedError("MirrorBusy")<{ readonly mirror: string }> {
  override get message(): string {
    return `${this.mirror}: another process is syncing it. Wait for it to end, or pass --wait.`
  }
}

/** Windows of a first load could not be read, so it is not complete. */
export class WindowsFailed extends Data.TaggedError("WindowsFailed")<{
  readonly failed: number
  readonly windows: number
  /** Why the first of them failed. */
  readonly reason: string
}> {
  override get message(): string {
    return `${this.failed} of ${this.windows} windows could not be read, the first because: ${this.reason} The next sync tries them again.`
  }
}
