/** A finding of a rule: the same shape for proposals (Validation) and for existing transfers (Audit). */

/** One finding. docs/codes.md gives the meaning of each `code`. */
export interface Finding<Code extends string = string> {
  readonly code: Code
  /** JSON Pointer (RFC 6901) of the value. */
  readonly path: string
  /** For people: the value found and the values accepted. */
  readonly message: string
  /** The value found, truncated if it is long. Absent if there is none. */
  readonly actual?: unknown
  /** The limit that it breaks. */
  readonly limit?: string
  /** The nearest valid value. */
  readonly nearest?: string
}

/**
 * The finding with long values truncated, so that a report is never much larger than its subject.
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
