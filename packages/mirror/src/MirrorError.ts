/** Why a mirror cannot be read or written. No error holds a password of its address. */
import * as Data from "effect/Data"

/**
 * The kind of failure. `unavailable`: the database is down or locked, try again. `busy`: another process syncs it.
 * `taken_over`: another process has begun to sync it. `brake`: the service's responses cannot be true. `rejected`: the
 * mirror cannot hold this, or the database rejects it. `usage`: the address or an option is wrong.
 */
export type Kind = "unavailable" | "busy" | "taken_over" | "brake" | "rejected" | "usage"

/** The mirror cannot be used. `reason` says why, and what to do. */
export class MirrorError extends Data.TaggedError("MirrorError")<{
  readonly kind: Kind
  /** Its address, without a password. */
  readonly mirror: string
  readonly reason: string
  /** For a query: the line of it with a mark at the mistake, and the names that there are. Whole lines. */
  readonly details?: string
}> {
  override get message(): string {
    return `${this.mirror}: ${this.reason}.${this.details === undefined ? "" : `\n${this.details}`}`
  }

  /** Whether a retry may succeed. */
  get isRetryable(): boolean {
    return this.kind === "unavailable" || this.kind === "busy" || this.kind === "taken_over"
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
