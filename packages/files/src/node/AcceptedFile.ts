/** A file of accepted breaks, each with its reason, who accepted it, and until which day. */
import { createHash } from "node:crypto"
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { FileError } from "../FileError.ts"
import * as AtomicFile from "./AtomicFile.ts"
import * as TextFile from "./TextFile.ts"

/** An accepted break, as often as `count` says. */
export const AcceptedBreak = S.Struct({
  fingerprint: S.String,
  count: S.Int,
  outcome: S.Literals([...Reconciliation.outcomeTags, "Batch"]),
  compared: S.Tuple([S.String, S.String]),
  key: S.String,
  ledger: S.Array(S.String),
  service: S.Array(S.String),
  reason: S.String,
  by: S.String,
  at: S.String,
  until: S.String,
})

/** See the schema. */
export type AcceptedBreak = typeof AcceptedBreak.Type

const parse = JsonDocument.reader(S.Struct({ accepted_breaks: S.Literal(1), breaks: S.Array(AcceptedBreak) }))

/**
 * The fingerprint of a break: equal breaks have the same.
 *
 * @example
 * AcceptedFile.fingerprint({ outcome: "Differs", compared: ["id", "source_total"], key: "a", ledger: [], service: [] }).slice(0, 3) // => "b1:"
 */
export const fingerprint = (identity: BreakIdentity.BreakIdentity): string =>
  `b1:${createHash("sha256").update(BreakIdentity.toText(identity)).digest("hex").slice(0, 32)}`

/** The fingerprints of the breaks that an accepted one explains: its own, or those of a confirmed batch. */
export const explained = (one: AcceptedBreak): ReadonlyArray<string> =>
  one.outcome === "Batch" ? BreakIdentity.membersOf(one).map(fingerprint) : [one.fingerprint]

/** Reads a file. An entry that says too little, or whose fields do not give its fingerprint, is rejected. */
export const read = Effect.fn("AcceptedFile.read")(function* (path: string) {
  const text = yield* TextFile.read(path)
  const { breaks } = yield* Effect.mapError(
    Effect.fromResult(parse(text)),
    (fault) => new FileError({ path, reason: `it is no file of accepted breaks: ${fault.split("\n")[0]}` }),
  )
  const seen = new Set<string>()
  for (const [index, one] of breaks.entries()) {
    const fault = faultOf(one) ?? (seen.has(one.fingerprint) ? "its fingerprint is in the file twice" : undefined)
    if (fault !== undefined) return yield* new FileError({ path, reason: `entry ${index + 1} (${one.key}): ${fault}` })
    seen.add(one.fingerprint)
  }
  return breaks
})

const faultOf = (one: AcceptedBreak): string | undefined => {
  if (one.reason.trim() === "") return "give a reason"
  if (one.by.trim() === "") return "give the name of who accepts it as by"
  if (Result.isFailure(CreatedAt.day(one.until, Day.utc)))
    return "give the last day on which it is accepted as until, such as 2024-10-31"
  if (one.count < 1) return "its count is less than 1"
  if (one.outcome === "Batch" && one.count > 1) return "a batch is confirmed once: its count is not 1"
  return fingerprint(one) === one.fingerprint && Result.isSuccess(Result.try(() => explained(one)))
    ? undefined
    : "its fields do not give its fingerprint: it was changed by hand"
}

/**
 * Fails if there is a file with something filled in that these breaks lack: a draft in its place would lose it. What is
 * no such file is left to {@link write}.
 */
export const spare = Effect.fn("AcceptedFile.spare")(function* (path: string, kept: ReadonlyArray<AcceptedBreak>) {
  if (!(yield* TextFile.exists(path)) || (yield* TextFile.isFolder(path))) return
  const there = Result.getOrElse(parse(yield* TextFile.read(path)), () => ({ breaks: [] }))
  const filledIn = ({ fingerprint, reason, by, at, until }: AcceptedBreak) =>
    JSON.stringify([fingerprint, reason, by, at, until].map((text) => text.trim()))
  const known = new Set(kept.map(filledIn))
  const isLost = (one: AcceptedBreak) =>
    [one.reason, one.by, one.until].join("").trim() !== "" && !known.has(filledIn(one))
  if (!there.breaks.some(isLost)) return
  const reason = `it has reasons that a draft would lose: name another file, or keep them with --accepted ${path}`
  return yield* new FileError({ path, reason })
})

/** Writes a file, in which a person fills in reasons, names and days. */
export const write = (path: string, breaks: ReadonlyArray<AcceptedBreak>) =>
  AtomicFile.writeText(path, `${JSON.stringify({ accepted_breaks: 1, breaks }, undefined, 2)}\n`)
