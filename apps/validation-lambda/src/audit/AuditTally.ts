/** The counts of an audit. */
import * as Audit from "@transferkit/domain/Audit"

/** Over all parts so far. */
export interface AuditTally {
  readonly audited: number
  readonly with_findings: number
  /** How many findings there are of each code. */
  readonly codes: { readonly [code: string]: number }
}

/** Of nothing. */
export const none: AuditTally = { audited: 0, with_findings: 0, codes: {} }

/** The sum of two. */
export const add = (a: AuditTally, b: AuditTally): AuditTally => {
  const codes: Record<string, number> = { ...a.codes }
  for (const [code, count] of Object.entries(b.codes)) codes[code] = (codes[code] ?? 0) + count
  return { audited: a.audited + b.audited, with_findings: a.with_findings + b.with_findings, codes }
}

/** Reads counts. Nothing if they cannot be those of an audit: they are written to the log. */
export const read = (value: unknown): AuditTally | undefined => {
  const { audited, with_findings, codes }: { readonly [field: string]: unknown } = { ...Object(value) }
  if (!isCount(audited) || !isCount(with_findings) || typeof codes !== "object" || codes === null) return undefined
  const counts: ReadonlyArray<readonly [string, unknown]> = Object.entries(codes)
  const known = counts.flatMap(([code, count]) => (isCode(code) && isCount(count) ? [[code, count] as const] : []))
  // A transfer may have several findings of a code, but has one at least.
  const findings = known.reduce((sum, [, count]) => sum + count, 0)
  const isPossible = with_findings <= audited && with_findings <= findings && (with_findings > 0 || findings === 0)
  return known.length === counts.length && isPossible
    ? { audited, with_findings, codes: Object.fromEntries(known) }
    : undefined
}

const isCode = (code: string): boolean => Audit.codes.some((known) => known === code)

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
