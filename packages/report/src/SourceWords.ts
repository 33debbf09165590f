/** What an answer says of its source, for people and for scripts: whose transfers they are, which, and as of when. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Kind } from "@transferkit/domain/TransferSource"
import * as Period from "./Period.ts"

/** What a source says of itself. */
export interface Source {
  readonly name: string
  readonly kind: Kind
  /** What else identifies it. */
  readonly about?: string | undefined
  readonly origin: Origin.Origin | undefined
  /** Undefined: unknown. */
  readonly coverage: Coverage.Coverage | undefined
}

/** A source and what of a question it answers. */
export interface Asked {
  readonly source: Source
  readonly answer: Coverage.Answer
}

const widen: Readonly<Record<Kind, string>> = {
  mirror: "Run transfers sync",
  file: "Export it again",
  service: "Ask it later",
  memory: "Read them again",
}

/** What makes a source read again what it took as final. */
const reread: Partial<Readonly<Record<Kind, string>>> = {
  mirror: "Run transfers sync with a profile to which they are open, or ask by the statuses of its last sync",
  file: "Export it again from the service, or from a mirror that was synced with a profile to which they are open",
}

/** What to do about what a source lacks. */
export const remedyOf = ({ kind, coverage }: Source, answer: Coverage.Answer): string => {
  if (!CreatedAt.isEmpty(doubtedOf(coverage, answer))) {
    return "Report it to the service. Once it is right, run transfers sync --verify"
  }
  if (answer._tag === "Partial" && answer.stale.length > 0) return reread[kind] ?? widen[kind]
  return kind === "file" && isOfLaterAge(coverage, answer)
    ? "Export it again without --stuck, leave out --stuck and any times to get what was stuck then"
    : widen[kind]
}

/** Whether a source of open transfers lacks only those that have become old enough since: a new one is late again. */
const isOfLaterAge = (coverage: Source["coverage"], answer: Coverage.Answer): boolean => {
  if (coverage === undefined || answer._tag !== "Partial" || answer.narrowed.length > 0) return false
  const { created_at, only } = coverage.extent
  if (only.not_status === undefined || answer.asked.only.not_status === undefined) return false
  const end = CreatedAt.intervals(created_at).at(-1)?.end
  const first = CreatedAt.intervals(answer.missing)[0]?.first
  return end !== undefined && first !== undefined && first >= end
}

/** The creation times that are missing because the service contradicted itself about them. */
const doubtedOf = (coverage: Source["coverage"], answer: Coverage.Answer): CreatedAt.CreatedAt =>
  answer._tag === "Partial" ? CreatedAt.and(answer.missing, coverage?.doubted ?? CreatedAt.none) : CreatedAt.none

/** The length of a status in a sentence. */
const mostShown = 64

/** What a source lacks of a question; undefined if nothing. */
export const lacksOf = ({ coverage }: Source, answer: Coverage.Answer): string | undefined => {
  if (answer._tag !== "Partial") return undefined
  const times = CreatedAt.isEmpty(answer.missing) ? [] : [`what was created ${timesOf(answer.missing)}`]
  const only = coverage?.extent.only ?? {}
  const values = answer.narrowed.map((property) =>
    property === "not_status"
      ? `any transfer with status ${Selection.leftOut(answer.asked.only, only).join(", ")}`
      : `any ${property.replaceAll("_", " ")} but ${(only[property] ?? []).join(", ")}`,
  )
  const stale =
    answer.stale.length === 0
      ? []
      : [
          `later changes of transfers with status ${answer.stale.map((status) => JSON.stringify(status.slice(0, mostShown))).join(", ")}, which it takes as final`,
        ]
  const doubted = doubtedOf(coverage, answer)
  const contradicted = CreatedAt.isEmpty(doubted)
    ? ""
    : `: the service sent a transfer of ${CreatedAt.equals(doubted, answer.missing) ? "that time" : timesOf(doubted)}, and did not list it when asked for it`
  const lacks = `${[...stale, ...times, ...values].join(", and ")}${contradicted}`
  if (coverage?.ahead === undefined) return lacks
  return `${lacks}: its clock was ahead, because it is as of ${Period.instant(coverage.ahead)}, which is to come`
}

const timesOf = (times: CreatedAt.CreatedAt): string =>
  CreatedAt.equals(times, CreatedAt.all) ? "at any time" : Period.name(times)

/** Something to be known of an answer that is given, with the code of its warning for scripts. */
export interface Remark {
  readonly code: "Narrowed" | "ToDate"
  readonly message: string
}

/** What is to be known of an answer that is given: of what the source has only some values, and where it ends. */
export const remarksOf = (source: Source, answer: Coverage.Answer): ReadonlyArray<Remark> => {
  const restriction = restrictionOf(source, answer)
  const ends = answer._tag === "ToDate" && source.kind !== "service" && source.kind !== "memory"
  return [
    ...(restriction === undefined ? [] : [{ code: "Narrowed", message: restriction } as const]),
    ...(ends
      ? [{ code: "ToDate", message: `${source.name} is complete up to ${Period.instant(answer.until)}` } as const]
      : []),
  ]
}

/** What a person must know of an answer that is given. */
export const notesOf = (
  source: Source,
  question: Coverage.Question,
  answer: Coverage.Answer,
): ReadonlyArray<string> => {
  if (answer._tag !== "Unknown") return remarksOf(source, answer).map(({ message }) => `note: ${message}`)
  if (question.period === undefined && question.within === undefined) return []
  return [`note: ${source.name} does not say what it holds: it has no manifest`]
}

/** That a source has only some values of a property that was not asked for by name; undefined if it has all. */
export const restrictionOf = (source: Source, answer: Coverage.Answer): string | undefined => {
  const held = heldOf(source, answer.asked)
  return held === "" ? undefined : `${source.name} holds only ${held}`
}

/** What a source has only, such as `status complete` or `open transfers with kind cash_in`. */
const heldOf = (source: Source, asked: Selection.Selection): string => {
  const { open, values } = narrowedOf(source, asked)
  return open === "" ? values : `${open}transfers${values === "" ? "" : ` with ${values}`}`
}

/** The properties of which a source has only some values, and that were not asked for by name. */
const narrowedOf = ({ coverage }: Source, asked: Selection.Selection) => {
  const only = coverage?.extent.only ?? {}
  const beyond = Selection.beyond(asked.only, only)
  const values = beyond
    .filter((property) => property !== "not_status")
    .map((property) => `${property.replaceAll("_", " ")} ${only[property]?.join(", ") ?? ""}`)
    .join(", ")
  return { open: beyond.includes("not_status") ? "open " : "", values }
}

/** Why a key has no transfer, of which everything that a source holds was searched. */
export const absence = ({ kind, coverage }: Pick<Source, "kind" | "coverage">): string => {
  if (kind === "service") return "the service has no such transfer"
  if (!Coverage.isEverything(coverage, Selection.all)) return `not in the ${kind}, which may lack transfers`
  return `the service had no such transfer when the ${kind} was ${kind === "mirror" ? "synced" : "exported"}`
}

/** What was searched of some creation times, such as "the transfers of September 2024": what the source has of them. */
export const searched = ({ source, answer }: Asked, times: CreatedAt.CreatedAt): string => {
  const read = answer._tag === "Partial" ? CreatedAt.difference(times, answer.missing) : times
  const { open, values } = narrowedOf(source, answer.asked)
  const which = values === "" ? "" : ` with ${values}`
  if (CreatedAt.equals(read, CreatedAt.all)) return `the ${open}transfers${which} that were read`
  return CreatedAt.isEmpty(read)
    ? `any ${open}transfer${which}: none was read`
    : `the ${open}transfers${which} of ${Period.name(read)}`
}

/** Where the transfers of a page come from: the source, whose they are, as of when, and what it lacks or leaves out. */
export const facts = ({ source, answer }: Asked): string => {
  const { name, about, origin, coverage } = source
  const lacks = lacksOf(source, answer)
  const only = heldOf(source, answer.asked)
  return [
    name,
    ...(about === undefined ? [] : [about]),
    origin === undefined ? "of an unknown origin" : `of ${Origin.print(origin)}`,
    coverage === undefined ? "which does not say what it holds" : `as of ${Period.instant(coverage.as_of)}`,
    ...(only === "" ? [] : [`only ${only}`]),
    ...(lacks === undefined ? [] : [`without ${lacks}`]),
  ].join(", ")
}

/** The instant as of which a page is: a source that says none is as it was when it was read. */
export const asOf = ({ source }: Asked, read_at: Timestamp.Timestamp): Timestamp.Timestamp =>
  source.coverage?.as_of ?? read_at

/** That the two sides of a comparison are of different partners or services; undefined unless that is known. */
export const difference = (older: Asked, newer: Asked): string | undefined => {
  const [one, other] = [older.source.origin, newer.source.origin]
  if (one === undefined || other === undefined || Origin.equals(one, other)) return undefined
  return `note: these are of different origins: ${Origin.print(one)}, and ${Origin.print(other)}`
}

/** What a JSON document says of its source. */
export const toJson = ({ source, answer }: Asked, version: string) => {
  const { origin, coverage } = source
  const only = coverage?.extent.only ?? {}
  return {
    origin: origin ?? null,
    as_of: coverage?.as_of.text ?? null,
    asked: { created_at: Selection.timesToWire(answer.asked.created_at), ...answer.asked.only },
    missing: Selection.timesToWire(answer._tag === "Partial" ? answer.missing : CreatedAt.none),
    ...(answer._tag === "Partial" && answer.stale.length > 0 ? { stale: answer.stale } : {}),
    narrowed: Object.fromEntries(
      Selection.beyond(answer.asked.only, only).map((property) => [property, only[property] ?? []]),
    ),
    version,
  }
}
