/**
 * A large audit in parts that run side by side (parallel-audit.asl.json). A checkpoint is a set of intervals, so a part
 * is the audit of the whole window with the checkpoint of all but its own intervals.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Result from "effect/Result"
import * as AuditWindow from "./AuditWindow.ts"

/** The most parts: a state machine runs no more of them at a time. */
export const maxCount = 40

/** The events that audit the parts of a window. */
export interface AuditParts {
  readonly window: AuditWindow.WindowText
  readonly parts: ReadonlyArray<{ readonly audit: AuditWindow.AuditRequest }>
}

/** The result of all parts together. */
export interface AuditTotal {
  readonly done: true
  readonly window: unknown
  readonly tally: AuditWindow.Tally
  /** The hashes of the capabilities that the parts were audited by: several if these changed meanwhile. */
  readonly capabilities: ReadonlyArray<string>
}

/** Divides what is left of a window into parts of the same length, at most `count`. */
export const split = (window: AuditWindow.AuditWindow, count: number): AuditParts => {
  const { since, until, resume, tally } = window
  const remaining = resume?.remaining ?? [{ gte: since, lt: until }]
  const bounded = remaining.map(({ gte = since, lt = until }) => ({ gte, lt }))
  const divided = Checkpoint.divide(bounded, count)
  // A window without length is one part.
  const parts = (divided.length === 0 ? [[]] : divided).map((intervals, index) => ({
    audit: AuditWindow.toRequest({
      since,
      until,
      resume: {
        version: 2,
        query: resume?.query ?? Checkpoint.fingerprint(AuditWindow.query(window)),
        transfers: 0,
        remaining: intervals,
      },
      // The counts so far belong to one part, for the sum to be that of the window.
      tally: index === 0 ? tally : AuditWindow.none,
    }),
  }))
  return { window: AuditWindow.textOf(window), parts }
}

/** Adds up the results of all parts. */
export const merge = (results: unknown): Result.Result<AuditTotal, AuditWindow.MalformedAudit> => {
  if (!Array.isArray(results) || results.length === 0) return AuditWindow.malformed("There are no results to merge.")
  const fields: ReadonlyArray<{ readonly [field: string]: unknown }> = results.map((result) => ({ ...Object(result) }))
  return Result.map(Result.all(fields.map(({ tally }) => AuditWindow.tallyOf(tally))), (tallies) => ({
    done: true,
    window: fields[0]?.["window"],
    tally: tallies.reduce(add, AuditWindow.none),
    capabilities: [...new Set(fields.map(({ capabilities }) => String(Object(capabilities).hash)))],
  }))
}

const add = (a: AuditWindow.Tally, b: AuditWindow.Tally): AuditWindow.Tally => {
  const codes: Record<string, number> = { ...a.codes }
  for (const [code, count] of Object.entries(b.codes)) codes[code] = (codes[code] ?? 0) + count
  return { audited: a.audited + b.audited, with_findings: a.with_findings + b.with_findings, codes }
}
