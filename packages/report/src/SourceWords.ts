/** What an answer says of its source, for people and for scripts: whose transfers they are, which, and as of when. */
import type * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import * as Period from "./Period.ts"

/** What a source says of itself. */
export interface Source {
  readonly name: string
  readonly kind: "service" | "file" | "mirror"
  readonly origin: Origin.Origin | undefined
  /** Undefined: unknown. */
  readonly coverage: Coverage.Coverage | undefined
}

/** A source and what of a question it answers. */
export interface Asked {
  readonly source: Source
  readonly answer: Coverage.Answer
}

/** What to do about what a source lacks. */
export const widen = { mirror: "Run transfers sync", file: "Export it again", service: "Ask it later" }

/** What a source lacks of a question; undefined if nothing. */
export const lacksOf = ({ coverage }: Source, answer: Coverage.Answer): string | undefined => {
  if (answer._tag !== "Partial") return undefined
  const times = CreatedAt.isEmpty(answer.missing) ? [] : [`what was created ${timesOf(answer.missing)}`]
  const values = answer.narrowed.map(
    (property) => `any ${property.replaceAll("_", " ")} but ${(coverage?.extent.only[property] ?? []).join(", ")}`,
  )
  return [...times, ...values].join(", and ")
}

const timesOf = (times: CreatedAt.CreatedAt): string =>
  CreatedAt.equals(times, CreatedAt.all) ? "at any time" : Period.name(times)

/** What a person must know of an answer that is given. */
export const noteOf = (source: Source, question: Coverage.Question, answer: Coverage.Answer): string | undefined => {
  if (answer._tag === "Unknown") {
    if (question.period === undefined) return undefined
    return `note: ${source.name} does not say what it holds: it has no manifest`
  }
  const held = narrowedOf(source, answer.asked)
  if (held !== "") return `note: ${source.name} holds only ${held}`
  if (answer._tag !== "ToDate" || source.kind === "service") return undefined
  return `note: ${source.name} is complete up to ${Period.instant(answer.until)}`
}

/** The properties of which a source has only some values, and that were not asked for by name. */
const narrowedOf = ({ coverage }: Source, asked: Selection.Selection): string => {
  const only = coverage?.extent.only ?? {}
  return Selection.beyond(asked.only, only)
    .map((property) => `${property.replaceAll("_", " ")} ${only[property]?.join(", ") ?? ""}`)
    .join(", ")
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
    narrowed: Object.fromEntries(
      Selection.beyond(answer.asked.only, only).map((property) => [property, only[property] ?? []]),
    ),
    version,
  }
}
