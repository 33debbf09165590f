/** Coverage against brute force: an instant that is not held is missing exactly if it is not waived. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../scripts/test/Thorough.ts"
import * as Coverage from "../src/Coverage.ts"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Selection from "../src/Selection.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { boolean, integer, oneOf } from "./fixtures/arbitraries.ts"

/** Twelve instants, and sets of them as bits. The sets before and after them are empty. */
const instants = Array.from({ length: 12 }, (_, index) => BigInt(index))
const anySet = integer(0, 4095)
const at = (instant: number | bigint) => Timestamp.fromEpochNanoseconds(BigInt(instant))
const has = (bits: number, instant: bigint) => ((bits >> Number(instant)) & 1) === 1
const setOf = (bits: number): CreatedAt.CreatedAt =>
  instants
    .filter((instant) => has(bits, instant))
    .map((instant) => CreatedAt.between(at(instant), at(instant + 1n)))
    .reduce(CreatedAt.or, CreatedAt.none)
const matches = (set: CreatedAt.CreatedAt, instant: bigint) => CreatedAt.matches(set, at(instant))

const statuses = ["approved", "complete", "declined"]
const anyOnly = oneOf<Selection.Only>([
  {},
  {},
  { status: ["complete"] },
  { status: ["approved", "complete"] },
  { kind: ["cash_in"] },
  { status: ["declined"], kind: ["cash_in"] },
  { not_status: ["complete"] },
  { not_status: ["complete", "declined"] },
])

interface Case {
  readonly extent: number
  readonly unread: number
  readonly period: number
  readonly isNamed: boolean
  readonly within: number
  readonly hasWithin: boolean
  readonly as_of: number
  readonly now: number
  readonly held: Selection.Only
  readonly asked: Selection.Only
}

const anyCase: Arbitrary.Arbitrary<Case> = Arbitrary.map(
  Arbitrary.all({
    extent: anySet,
    unread: anySet,
    period: anySet,
    isNamed: boolean,
    within: anySet,
    hasWithin: boolean,
    one: integer(0, 11),
    two: integer(0, 11),
    held: anyOnly,
    asked: anyOnly,
  }),
  ({ one, two, ...rest }) => ({ ...rest, as_of: Math.min(one, two), now: Math.max(one, two) }),
)

const inputsOf = (one: Case) => {
  const coverage: Coverage.Coverage = {
    extent: { created_at: setOf(one.extent), only: one.held },
    unread: setOf(one.unread),
    as_of: at(one.as_of),
  }
  const question: Coverage.Question = {
    ...(one.isNamed ? { period: setOf(one.period) } : {}),
    ...(one.hasWithin ? { within: setOf(one.within) } : {}),
    only: one.asked,
  }
  return { coverage, question, answer: Coverage.answer(coverage, question, at(one.now)) }
}

/** What the design says, instant by instant. */
const oracle = (one: Case) => {
  const first = instants.find((instant) => has(one.extent, instant)) ?? 0n
  const ofSource = (instant: bigint) => (one.hasWithin ? instant >= first : has(one.extent, instant))
  const asked = (instant: bigint) =>
    (one.isNamed ? has(one.period, instant) : ofSource(instant)) && (!one.hasWithin || has(one.within, instant))
  const held = (instant: bigint) => has(one.extent, instant) && !has(one.unread, instant)
  const isOver = (instant: bigint) => {
    let end = instant
    while (end < 12n && asked(end)) end++
    return end <= BigInt(one.now)
  }
  const waived = (instant: bigint) => !isOver(instant) && instant > BigInt(one.as_of)
  const lacked = instants.filter((instant) => asked(instant) && !held(instant))
  const narrowed = (["status", "kind", "not_status"] as const).filter((property) => {
    if (property === "not_status") {
      const isNamed = one.asked.status !== undefined || one.asked.not_status !== undefined
      const isAsked = keeps({ ...one.asked, kind: [] })
      const isHeld = keeps({ not_status: one.held.not_status ?? [] })
      return isNamed && truth.some((row) => isAsked(row) && !isHeld(row))
    }
    const [given, known] = [one.asked[property], one.held[property]]
    return given !== undefined && known !== undefined && !given.every((value) => known.includes(value))
  })
  const missing = lacked.filter((instant) => !waived(instant))
  const tag = missing.length > 0 || narrowed.length > 0 ? "Partial" : lacked.length > 0 ? "ToDate" : "Whole"
  return { asked, missing, narrowed, tag }
}

const check = (one: Case): void => {
  const { coverage, answer } = inputsOf(one)
  const truth = oracle(one)
  const missing = answer._tag === "Partial" ? answer.missing : CreatedAt.none
  const found = {
    tag: answer._tag,
    asked: instants.filter((instant) => matches(answer.asked.created_at, instant)),
    missing: instants.filter((instant) => matches(missing, instant)),
    isWithin: CreatedAt.implies(missing, answer.asked.created_at),
    narrowed: answer._tag === "Partial" ? answer.narrowed : [],
    // The time before the twelve instants is never held.
    isEverything: Coverage.isEverything(coverage, answer.asked),
  }
  expect(found).toEqual({
    tag: truth.tag,
    asked: instants.filter(truth.asked),
    missing: truth.missing,
    isWithin: true,
    narrowed: truth.narrowed,
    isEverything: false,
  })
}

/** Seeds that once failed, or that planted faults fail with, are tried beside the usual and the new ones. */
const regressions = ["coverage"]
const cases = Thorough.times(5000, 20_000)

test(`is what brute force finds (${cases.toLocaleString("en-US")} cases)`, { timeout: 120_000 }, async () => {
  let tried = 0
  const tags = new Map<string, number>()
  const seeds = [...regressions, ...Seeds.all]
  for (const seed of seeds) {
    const result = await Effect.runPromise(
      Arbitrary.checkEffect(
        anyCase,
        (one) => {
          tried++
          check(one)
          const { tag } = oracle(one)
          tags.set(tag, (tags.get(tag) ?? 0) + 1)
          return true
        },
        { runs: Math.ceil(cases / seeds.length), seed },
      ),
    )
    expect(Arbitrary.formatCheckFailure(result), `LAW_SEED=${seed} repeats it`).toBeUndefined()
  }
  expect(tried).toBeGreaterThanOrEqual(cases)
  // Random cases that were all of one kind would prove nothing.
  for (const tag of ["Whole", "ToDate", "Partial"]) expect(tags.get(tag) ?? 0).toBeGreaterThan(cases / 100)
})

/** All transfers there could be: one of each status and kind at each instant. */
const truth = instants.flatMap((instant) =>
  statuses.flatMap((status) => ["cash_in", "cash_out"].map((kind) => ({ instant, status, kind }))),
)

test("an answer that is not refused has every transfer that was asked for and created up to as_of", async () => {
  let answered = 0
  for (const seed of Seeds.all) {
    const result = await Effect.runPromise(
      Arbitrary.checkEffect(
        anyCase,
        (one) => {
          const { coverage, answer } = inputsOf(one)
          if (answer._tag === "Partial") return true
          const isHeld = keeps(coverage.extent.only)
          // What a source that keeps its word has, by its own statement.
          const has = new Set(truth.filter((row) => matches(Coverage.held(coverage), row.instant) && isHeld(row)))
          const isAsked = keeps(answer.asked.only)
          // What the question does not name is the source's.
          const wanted = truth.filter(
            (row) =>
              matches(answer.asked.created_at, row.instant) &&
              row.instant <= BigInt(one.as_of) &&
              isAsked(row) &&
              isHeld(row),
          )
          if (wanted.length > 0) answered++
          return wanted.every((row) => has.has(row))
        },
        { runs: 4000, seed },
      ),
    )
    expect(Arbitrary.formatCheckFailure(result), `LAW_SEED=${seed} repeats it`).toBeUndefined()
  }
  expect(answered).toBeGreaterThan(500)
})

const keeps = (only: Selection.Only) => (row: { readonly status: string; readonly kind: string }) =>
  hasOne(only.status, row.status) && hasOne(only.kind, row.kind) && !(only.not_status ?? []).includes(row.status)

const hasOne = (values: ReadonlyArray<string> = [], value: string) => values.length === 0 || values.includes(value)

describe("what is derived", () => {
  const time = (text: string) => Timestamp.parseUnsafe(text)
  const [september, october, november] = ["2024-09-01T00:00:00Z", "2024-10-01T00:00:00Z", "2024-11-01T00:00:00Z"].map(
    time,
  ) as [Timestamp.Timestamp, Timestamp.Timestamp, Timestamp.Timestamp]
  const inSeptember = CreatedAt.between(september, october)

  test("never claims more than its source: not a creation time, not a value, not an instant", () => {
    const source = { ...Coverage.upTo(october), unread: CreatedAt.lt(september) }
    const asked = { created_at: CreatedAt.all, only: { status: ["complete"] } }
    const derived = Coverage.derive(source, asked)
    expect(derived.as_of).toBe(source.as_of)
    expect(derived.extent.only).toEqual({ status: ["complete"] })
    expect(CreatedAt.implies(Coverage.held(derived), Coverage.held(source))).toBe(true)
    expect(Coverage.answer(derived, { period: CreatedAt.lt(september), only: {} }, november)._tag).toBe("Partial")
  })

  test("of two narrowings is both of them, and nothing if they have no value in common", () => {
    const source = { ...Coverage.upTo(october), extent: { created_at: CreatedAt.all, only: { status: ["complete"] } } }
    const both = Coverage.derive(source, { created_at: inSeptember, only: { kind: ["cash_in"] } })
    expect(both.extent.only).toEqual({ status: ["complete"], kind: ["cash_in"] })
    const none = Coverage.derive(source, { created_at: inSeptember, only: { status: ["declined"] } })
    expect(CreatedAt.isEmpty(none.extent.created_at)).toBe(true)
  })

  test("a file of the 10th of a month refuses that month once it is over, and answers it before", () => {
    const tenth = time("2024-09-10T12:00:00Z")
    const file = Coverage.derive(Coverage.upTo(tenth), { created_at: inSeptember, only: {} })
    const question = { period: inSeptember, only: {} }
    expect(Coverage.answer(file, question, time("2024-09-20T00:00:00Z"))).toMatchObject({
      _tag: "ToDate",
      until: tenth,
    })
    expect(Coverage.answer(file, question, october)).toMatchObject({
      _tag: "Partial",
      missing: CreatedAt.and(CreatedAt.gt(tenth), CreatedAt.lt(october)),
    })
  })

  test("nothing is known of what a source took as final and whoever asks does not, whatever is asked for", () => {
    const source = { ...Coverage.upTo(october), final: ["complete", "declined"] }
    const derived = Coverage.derive(Coverage.believed(source, september), { created_at: inSeptember, only: {} })
    const stale = (only: Selection.Only, final?: ReadonlyArray<string>) => {
      const question = { period: CreatedAt.lt(september), only, ...(final && { final }) }
      return [source, Coverage.until(source, september), derived].map((one) => {
        const answer = Coverage.answer(one, question, september)
        return answer._tag === "Partial" ? answer.stale : []
      })
    }
    expect(stale({}, ["complete", "expired"])).toEqual([["declined"], ["declined"], ["declined"]])
    expect(stale({ status: ["executing"] }, ["complete"])).toEqual([["declined"], ["declined"], ["declined"]])
    expect(stale({}, ["complete", "declined", "expired"])).toEqual([[], [], []])
    expect(stale({})).toEqual([[], [], []])
    expect(Coverage.answer(source, { ...Coverage.found, final: [] }, september)).toMatchObject({
      _tag: "Partial",
      stale: ["complete", "declined"],
    })
  })

  test("everything is claimed only of everything: not of a period, a status, or a part that was not read", () => {
    const whole = Coverage.upTo(october)
    expect(Coverage.isEverything(whole, { created_at: CreatedAt.lte(october), only: {} })).toBe(true)
    expect(Coverage.isEverything(whole, { created_at: CreatedAt.lt(october), only: {} })).toBe(false)
    expect(Coverage.isEverything(whole, { created_at: CreatedAt.all, only: { status: ["complete"] } })).toBe(false)
    expect(Coverage.isEverything({ ...whole, unread: inSeptember }, Selection.all)).toBe(false)
    const narrowed = { ...whole, extent: { ...whole.extent, only: { kind: ["cash_in"] } } }
    expect(Coverage.isEverything(narrowed, Selection.all)).toBe(false)
    expect(Coverage.isEverything(undefined, Selection.all)).toBe(false)
  })
})
