/**
 * A large audit in parts that run side by side (parallel-audit.asl.json). A checkpoint is a set of intervals, so a part
 * is the audit of the whole window with the checkpoint of all but its own intervals.
 */
import * as crypto from "node:crypto"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Result from "effect/Result"
import * as CapabilitiesOfParts from "../service/CapabilitiesOfParts.ts"
import * as AuditTally from "./AuditTally.ts"
import * as AuditWindow from "./AuditWindow.ts"

/** The most parts: a state machine runs no more of them at a time. */
export const maxCount = 40

/** The result of all parts together. */
export interface AuditTotal {
  readonly done: true
  readonly window: AuditWindow.WindowText
  readonly tally: AuditTally.AuditTally
  /** The hashes of the capabilities that the parts were audited by: several if these changed meanwhile. */
  readonly capabilities: ReadonlyArray<string>
}

/** What the result of a part says, and its signature. */
export interface PartResult {
  readonly window: AuditWindow.WindowText & { readonly part: AuditWindow.Part }
  readonly tally: AuditTally.AuditTally
  readonly capabilities: ReadonlyArray<string>
  readonly signature: string
}

/** Divides what is left of a window into parts of the same length, at most `count`. */
export const split = (window: AuditWindow.AuditWindow, count: number): ReadonlyArray<AuditWindow.AuditWindow> => {
  const { since, until, resume, tally, capabilities } = window
  const remaining = resume?.remaining ?? [{ gte: since, lt: until }]
  const left = {
    version: 2 as const,
    query: Checkpoint.fingerprint(AuditWindow.query(window)),
    transfers: 0,
    ...resume,
    remaining: remaining.map(({ gte = since, lt = until }) => ({ gte, lt })),
  }
  const parts = Checkpoint.split(left, count)
  const id = crypto.hash("sha256", JSON.stringify([AuditWindow.toRequest(window), parts.length]))
  return parts.map((part, index) => ({
    since,
    until,
    part: { split: id, index, count: parts.length },
    resume: part,
    // The counts so far belong to one part, for the sum to be that of the window.
    ...(index === 0 ? { tally, ...(capabilities && { capabilities }) } : { tally: AuditTally.none }),
  }))
}

/** Reads the results of all parts of a window: each of them once, and of no other. */
export const readResults = (
  results: unknown,
): Result.Result<readonly [PartResult, ...Array<PartResult>], AuditWindow.MalformedAudit> => {
  if (!Array.isArray(results) || results.length === 0) return AuditWindow.malformed("There are no results to merge.")
  const list: ReadonlyArray<unknown> = results.slice(0, maxCount + 1)
  return Result.flatMap(Result.all(list.map(readResult)), ([first, ...others]) => {
    const all = first === undefined ? [] : [first, ...others]
    const indexes = new Set(all.map(({ window: { part } }) => part.index))
    const isWhole = all.every(
      ({ window: { part } }) =>
        part.split === first?.window.part.split && part.count === all.length && part.index < part.count,
    )
    return first !== undefined && isWhole && indexes.size === all.length
      ? Result.succeed([first, ...others] as const)
      : AuditWindow.malformed("The results to merge are not those of all parts of one split, each once.")
  })
}

const readResult = (result: unknown): Result.Result<PartResult, AuditWindow.MalformedAudit> => {
  const { window, tally, capabilities, signature }: { readonly [field: string]: unknown } = { ...Object(result) }
  const { hash, earlier }: { readonly [field: string]: unknown } = { ...Object(capabilities) }
  const hashes = [...(Array.isArray(earlier) ? earlier : []), hash]
  return Result.flatMap(AuditWindow.parse({ ...Object(window), tally, signature }), ({ tally, ...read }) =>
    read.part === undefined || !CapabilitiesOfParts.areHashes(hashes)
      ? AuditWindow.malformed("A result to merge is not that of a part.")
      : Result.succeed({
          window: { since: read.since.text, until: read.until.text, part: read.part },
          tally,
          capabilities: hashes,
          signature: read.signature ?? "",
        }),
  )
}

/** Adds up the results of all parts. */
export const merge = (results: readonly [PartResult, ...Array<PartResult>]): AuditTotal => {
  const { since, until } = results[0].window
  return {
    done: true,
    window: { since, until },
    tally: results.map(({ tally }) => tally).reduce(AuditTally.add, AuditTally.none),
    capabilities: [...new Set(results.flatMap(({ capabilities }) => capabilities))],
  }
}
