/** What a rule found: the same shape for proposals (Validation) and for existing transfers (Audit). */

/** One thing that is wrong, and where. Every `code` has one meaning, given in docs/codes.md. */
export interface Finding<Code extends string = string> {
  readonly code: Code
  /** JSON Pointer (RFC 6901) of the value it concerns. */
  readonly path: string
  /** For people: what was found and what is accepted. */
  readonly message: string
  /** The value that was found, in part if it is long. Absent if there is none. */
  readonly actual?: unknown
  /** The limit it broke. */
  readonly limit?: string
  /** The nearest value that would be accepted. */
  readonly nearest?: string
}

/**
 * The finding with long values quoted in part, so that a report is not many times as large as what it is about.
 *
 * @example
 * Finding.shortened({ code: "unsupported_country", path: "", message: "", actual: "x".repeat(1000) }).actual // => `${"x".repeat(256)}…`
 */
export const shortened = <F extends Finding>(finding: F): F => {
  const message =
    finding.message.length > 320 ? `${finding.message.slice(0, 240)}…${finding.message.slice(-60)}` : finding.message
  if (finding.actual === undefined) return { ...finding, message }
  const text = typeof finding.actual === "string" ? finding.actual : JSON.stringify(finding.actual)
  return { ...finding, message, actual: text.length > 260 ? `${text.slice(0, 256)}…` : finding.actual }
}
