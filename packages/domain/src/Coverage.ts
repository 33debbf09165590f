/**
 * How completely a source holds the transfers that a question asks for. Every answer is derived from it: within what
 * is held it is given, outside it is rejected, and nothing is said of a transfer that was not read.
 */
import * as CreatedAt from "./CreatedAt.ts"
import * as Selection from "./Selection.ts"
import * as Timestamp from "./Timestamp.ts"

/** What a source holds. */
export interface Coverage {
  /** What it is meant to hold. */
  readonly extent: Selection.Selection
  /** The creation times of it that were not read yet: none of a source that is whole. */
  readonly unread: CreatedAt.CreatedAt
  /** Those of them about which the service contradicted itself: it sent a transfer of theirs, and did not list it there. */
  readonly doubted?: CreatedAt.CreatedAt
  /** Each transfer is as it was then, or later. Those created later may be missing. */
  readonly as_of: Timestamp.Timestamp
  /** The statuses with which it took transfers as final. These were not read again, so they may be older than `as_of`. */
  readonly final?: ReadonlyArray<string>
  /** Of a source that keeps a history: asked as of this instant later, it gives the same transfers and claims as now. */
  readonly seen_at?: Timestamp.Timestamp
  /** What it said to be its `as_of`, of a source that is not believed: see {@link believed}. */
  readonly ahead?: Timestamp.Timestamp
}

/** Clocks of machines differ by seconds: milliseconds by which two of them may differ. */
export const tolerated = 60_000

/** What a command asks for. What it does not name is what the source has. */
export interface Question {
  /** The creation times that it names. */
  readonly period?: CreatedAt.CreatedAt
  /** Creation times that restrict it without naming a period, such as an age. They may reach beyond the end of a source. */
  readonly within?: CreatedAt.CreatedAt
  readonly only: Selection.Only
  /** The statuses that are final for whoever asks. By default those that are for the source. */
  readonly final?: ReadonlyArray<string> | undefined
}

/** That of a look-up by a key, which says nothing of a time: a transfer that is not there may have been created at any. */
export const ever: Question = { period: CreatedAt.all, only: {} }

/** That about transfers which were found, and about no others. */
export const found: Question = { period: CreatedAt.none, only: {} }

/** Whether a source can answer. `asked` is what an answer is about. */
export type Answer = { readonly asked: Selection.Selection } & (
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Whole" }
  | { readonly _tag: "ToDate"; readonly until: Timestamp.Timestamp }
  | {
      readonly _tag: "Partial"
      /** The creation times that the question names and the source lacks. */
      readonly missing: CreatedAt.CreatedAt
      /** The properties of which the source has only some values, and the question asks for others. */
      readonly narrowed: ReadonlyArray<Selection.Property>
      /** The statuses that are final for the source, and not for whoever asks: of those transfers, it may have old states. */
      readonly stale: ReadonlyArray<string>
    }
)

/**
 * The coverage of a source that has everything up to an instant.
 *
 * @example
 * Coverage.held(Coverage.upTo(Timestamp.earliest)).toString() // => "CreatedAt(lte:0000-01-01T00:00:00+23:59)"
 */
export const upTo = (as_of: Timestamp.Timestamp): Coverage => ({
  extent: { created_at: CreatedAt.lte(as_of), only: {} },
  unread: CreatedAt.none,
  as_of,
})

/**
 * The same up to an instant, such as now: no source has what is created later. `as_of` is later if a clock was ahead.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-10-01T00:00:00Z")
 * Coverage.until(Coverage.upTo(Timestamp.latest), now).as_of.text // => "2024-10-01T00:00:00Z"
 */
export const until = (self: Coverage, instant: Timestamp.Timestamp): Coverage => {
  if (Timestamp.compare(self.as_of, instant) <= 0) return self
  const { extent, unread } = self
  const known = CreatedAt.lte(instant)
  return {
    ...self,
    extent: { ...extent, created_at: CreatedAt.and(extent.created_at, known) },
    unread: CreatedAt.and(unread, known),
    as_of: instant,
  }
}

/**
 * What is believed now of what a file or a mirror says to hold. An `as_of` to come is of a clock that was ahead, so when the
 * transfers were read is not known, and nothing of them is believed. Clocks may differ by {@link tolerated}.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-10-01T00:00:00Z")
 * const at = (text) => Coverage.believed(Coverage.upTo(Timestamp.parseUnsafe(text)), now)
 * CreatedAt.isEmpty(at("2024-10-01T00:00:30Z").unread) // => true
 * CreatedAt.isEmpty(at("2024-10-02T00:00:00Z").unread) // => false
 */
export const believed = (self: Coverage, now: Timestamp.Timestamp): Coverage => {
  const known = until(self, now)
  if (Timestamp.compare(self.as_of, Timestamp.plus(now, tolerated)) <= 0) return known
  return { ...known, unread: known.extent.created_at, ahead: self.as_of }
}

/**
 * The creation times of which a source has every transfer of its extent.
 *
 * @example
 * CreatedAt.isEmpty(Coverage.held({ ...Coverage.upTo(Timestamp.latest), unread: CreatedAt.all })) // => true
 */
export const held = ({ extent, unread }: Coverage): CreatedAt.CreatedAt =>
  CreatedAt.difference(extent.created_at, unread)

/**
 * Compares a question with what a source holds. `now` is the local clock: a period that is not over is answered to date.
 *
 * @example
 * const at = Timestamp.parseUnsafe("2024-10-01T00:00:00Z")
 * Coverage.answer(Coverage.upTo(at), { period: CreatedAt.lt(at), only: {} }, at)._tag // => "Whole"
 * Coverage.answer(Coverage.upTo(at), { period: CreatedAt.all, only: {} }, at)._tag // => "ToDate"
 * Coverage.answer(Coverage.upTo(at), { period: CreatedAt.lt(Timestamp.latest), only: {} }, Timestamp.latest)._tag // => "Partial"
 * Coverage.answer(Coverage.upTo(at), { within: CreatedAt.lt(Timestamp.latest), only: {} }, Timestamp.latest)._tag // => "Partial"
 * Coverage.answer({ ...Coverage.upTo(at), final: ["declined"] }, { only: {}, final: ["complete"] }, at)._tag // => "Partial"
 * Coverage.answer(undefined, { only: {} }, at)._tag // => "Unknown"
 */
export const answer = (coverage: Coverage | undefined, question: Question, now: Timestamp.Timestamp): Answer => {
  const { within = CreatedAt.all, only } = question
  if (coverage === undefined) {
    const created_at = CreatedAt.and(question.period ?? CreatedAt.all, within)
    return { _tag: "Unknown", asked: { created_at, only: Selection.restrict(only) } }
  }
  const { extent, as_of } = coverage
  const unnamed = question.within === undefined ? extent.created_at : onward(extent.created_at)
  const created_at = CreatedAt.and(question.period ?? unnamed, within)
  const asked = { created_at, only: Selection.restrict(only) }
  const lacked = CreatedAt.difference(created_at, held(coverage))
  const missing = CreatedAt.difference(lacked, CreatedAt.and(running(created_at, now), CreatedAt.gt(as_of)))
  const isNamed = (property: Selection.Property) =>
    asked.only[property] !== undefined || (property === "not_status" && asked.only.status !== undefined)
  const narrowed = Selection.beyond(asked.only, extent.only).filter(isNamed)
  // Whatever status is asked for: a transfer may have it since its last reading.
  const stale = question.final === undefined ? [] : alsoFinal(coverage, question.final)
  if (!CreatedAt.isEmpty(missing) || narrowed.length > 0 || stale.length > 0) {
    return { _tag: "Partial", asked, missing, narrowed, stale }
  }
  return CreatedAt.isEmpty(lacked) ? { _tag: "Whole", asked } : { _tag: "ToDate", asked, until: as_of }
}

/**
 * The statuses that a source took as final, beside those that are given.
 *
 * @example
 * Coverage.alsoFinal({ ...Coverage.upTo(Timestamp.latest), final: ["complete", "declined"] }, ["complete"]) // => ["declined"]
 */
export const alsoFinal = (self: Coverage, final: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  (self.final ?? []).filter((status) => !final.includes(status))

/** All from the beginning of an extent on: an age may reach beyond its end. */
const onward = (extent: CreatedAt.CreatedAt): CreatedAt.CreatedAt =>
  CreatedAt.between(timestampOf(CreatedAt.intervals(extent)[0]?.first), undefined)

/** The ranges that end after an instant, or never: more may be created in them. */
const running = (created_at: CreatedAt.CreatedAt, now: Timestamp.Timestamp): CreatedAt.CreatedAt =>
  CreatedAt.intervals(created_at)
    .filter(({ end }) => end === undefined || end > now.epochNanoseconds)
    .map(({ first, end }) => CreatedAt.between(timestampOf(first), timestampOf(end)))
    .reduce(CreatedAt.or, CreatedAt.none)

const timestampOf = (instant: bigint | undefined): Timestamp.Timestamp | undefined =>
  instant === undefined ? undefined : Timestamp.fromEpochNanoseconds(instant)

/**
 * Whether a transfer that was not found was not there at `as_of`: only if everything up to then was asked for and read.
 *
 * @example
 * Coverage.isEverything(Coverage.upTo(Timestamp.latest), Selection.all) // => true
 * Coverage.isEverything(Coverage.upTo(Timestamp.latest), { created_at: CreatedAt.all, only: { status: ["complete"] } }) // => false
 */
export const isEverything = (coverage: Coverage | undefined, asked: Selection.Selection): boolean =>
  coverage !== undefined &&
  Selection.names(asked.only).length === 0 &&
  Selection.names(coverage.extent.only).length === 0 &&
  CreatedAt.implies(CreatedAt.lte(coverage.as_of), CreatedAt.and(asked.created_at, held(coverage)))

/**
 * The transfers that a source would have if they were there, so that their absence says something. What was created after
 * `as_of` was not there yet, as far as the extent goes on beyond it.
 *
 * @example
 * const october = Timestamp.parseUnsafe("2024-10-01T00:00:00Z")
 * const of = (extent) => String(Coverage.wouldHave({ extent: { created_at: extent, only: {} }, unread: CreatedAt.none, as_of: october }).created_at)
 * of(CreatedAt.lt(october)) // => "CreatedAt(lt:2024-10-01T00:00:00Z)"
 * of(CreatedAt.lte(october)) // => "CreatedAt(everything)"
 */
export const wouldHave = (coverage: Coverage | undefined): Selection.Selection => {
  if (coverage === undefined) return Selection.all
  const { extent, as_of } = coverage
  const goesOn = CreatedAt.matches(extent.created_at, as_of)
  return {
    created_at: goesOn ? CreatedAt.or(held(coverage), CreatedAt.gt(as_of)) : held(coverage),
    only: extent.only,
  }
}

/**
 * What a file may claim that was made of the transfers that a question asked for: never more than its source.
 *
 * @example
 * const at = Timestamp.parseUnsafe("2024-10-01T00:00:00Z")
 * String(Coverage.derive(Coverage.upTo(at), Selection.all).extent.created_at) // => "CreatedAt(lte:2024-10-01T00:00:00Z)"
 */
export const derive = (source: Coverage, asked: Selection.Selection): Coverage => {
  const { created_at, only } = Selection.and(source.extent, asked)
  const extent = { created_at: CreatedAt.and(created_at, CreatedAt.lte(source.as_of)), only }
  return {
    extent,
    unread: CreatedAt.and(extent.created_at, source.unread),
    as_of: source.as_of,
    ...(source.final && { final: source.final }),
  }
}
