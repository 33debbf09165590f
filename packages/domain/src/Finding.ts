/** What a rule found: the same shape for proposals (Validation) and for existing transfers (Audit). */

/** One thing that is wrong, and where. Every `code` has one meaning, given in docs/codes.md. */
export interface Finding<Code extends string = string> {
  readonly code: Code
  /** JSON Pointer (RFC 6901) of the value it concerns. */
  readonly path: string
  /** For people: what was found and what is accepted. */
  readonly message: string
  /** The value that was found; absent where there is none. */
  readonly actual?: unknown
  /** The limit it broke. */
  readonly limit?: string
  /** The nearest value that would be accepted. */
  readonly nearest?: string
}
