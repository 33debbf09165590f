/** Every order of a few rows, and the things that may happen while they are read. */
import type { Scope, SmallHistory, Wanted } from "./SmallScope.ts"
import type { SmallRow } from "./SmallService.ts"

/** Milliseconds: all apart; on whole seconds where windows meet, in pairs; in two clumps. */
const spreads = [
  [4500, 6000, 7500, 2000, 3500],
  [4000, 4000, 3000, 3000, 3500],
  [6000, 6000, 6000, 4000, 4000],
]

const permutations = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  values.length < 2
    ? [values]
    : values.flatMap((first, at) => permutations(values.toSpliced(at, 1)).map((rest) => [first, ...rest]))

/** Rows of one instant are alike: of their orders one is enough. */
const isFirstOfItsKind = (rows: ReadonlyArray<SmallRow>): boolean =>
  rows.every((row, at) => rows.slice(at + 1).every((later) => later.at !== row.at || later.id > row.id))

/** All orders of `least` to `most` rows, in pages of one and of two. */
export const histories = (least: number, most: number): ReadonlyArray<SmallHistory> =>
  spreads.flatMap((spread) =>
    Array.from({ length: most - least + 1 }, (_, index) => index + least).flatMap((count) =>
      permutations(spread.slice(0, count).map((at, index) => ({ id: `row ${index}`, at })))
        .filter(isFirstOfItsKind)
        .flatMap((rows) => [1, 2].map((limit) => ({ rows, limit }))),
    ),
  )

const second = 1_000_000_000n
const whole: ReadonlyArray<Wanted> = [{ from: 0n, to: 8n * second }]
/** The first two are mostly empty: a scan opens a second window once it has read two pages. */
const four: ReadonlyArray<Wanted> = [
  { from: 0n, to: 1n * second },
  { from: 2n * second, to: 3n * second },
  { from: 4n * second, to: 5n * second },
  { from: 6n * second, to: 8n * second },
]
const butAnInstant: ReadonlyArray<Wanted> = [
  { from: 0n, to: 4n * second },
  { from: 4n * second + 1n, to: 8n * second },
]
const butASecond: ReadonlyArray<Wanted> = [
  { from: 0n, to: 3n * second + 1n },
  { from: 4n * second, to: 8n * second },
]

/** Each with the most rows that it is tried with. */
export const scopes: ReadonlyArray<readonly [scope: Scope, most: number]> = [
  [{ name: "nothing happens", wanted: four }, 5],
  [{ name: "one instant is not wanted", wanted: butAnInstant, event: "rejects a cursor" }, 4],
  [{ name: "an open second is not wanted", wanted: butASecond, lteToken: "lte", event: "rejects a cursor" }, 5],
  [{ name: "the service takes lt as inclusive", wanted: whole, event: "rejects a cursor", isInclusive: true }, 4],
  [{ name: "the service repeats a cursor before its end", wanted: whole, event: "repeats a cursor" }, 5],
  [{ name: "a page is empty and not the last", wanted: four, event: "empty page" }, 5],
  [{ name: "a cursor is rejected", wanted: four, event: "rejects a cursor" }, 5],
  [{ name: "the process dies and resumes", wanted: four, event: "dies" }, 5],
  [{ name: "the process dies between two seconds", wanted: butASecond, lteToken: "lte", event: "dies" }, 4],
  [{ name: "a row moves to the end of the listing", wanted: four, event: "a row moves" }, 4],
]
