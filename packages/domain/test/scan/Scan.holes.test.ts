/** Unions of intervals that leave out single instants or seconds, and what a scan does after a defect. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import { IdSet } from "../../src/IdSet.ts"
import { Scan } from "../../src/internal/scan/Scan.ts"
import { ScanRange } from "../../src/internal/scan/ScanRange.ts"
import { type Chance, make, now, oneOf, orders, random, type Row, second, shapes } from "./History.ts"
import { Listing } from "./Listing.ts"
import { simulate } from "./simulate.ts"

const start = [...Seeds.drawn].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 0)
const runs = 600
const span = 40 * second

const at = (millis: number) => Timestamp.fromEpochNanoseconds(BigInt(millis) * 1_000_000n)

/** An instant, or all of a second but its ends, some with one of them. */
const hole = (chance: Chance): CreatedAt.CreatedAt => {
  const from = now - span + Math.floor(chance() * 40) * second
  if (chance() < 0.5) return CreatedAt.not(CreatedAt.or(CreatedAt.lt(at(from)), CreatedAt.gt(at(from))))
  return CreatedAt.and(
    chance() < 0.5 ? CreatedAt.gt(at(from)) : CreatedAt.gte(at(from)),
    chance() < 0.5 ? CreatedAt.lt(at(from + second)) : CreatedAt.lte(at(from + second)),
  )
}

const isWanted =
  (wanted: CreatedAt.CreatedAt) =>
  ({ at: millis }: Row) =>
    CreatedAt.matches(wanted, at(millis))

test(`any union of intervals is read exactly, on any dialect, ${runs} of them`, () => {
  let holes = 0
  for (let seed = start; seed < start + runs; seed++) {
    const chance = random(seed)
    const { rows } = make({
      count: 100,
      shape: oneOf(chance, Object.keys(shapes) as ReadonlyArray<keyof typeof shapes>),
      order: oneOf(chance, orders),
      seed: seed + 1,
      span,
    })
    // Many on the whole seconds at which holes begin and end.
    const onSeconds = rows.map((row) => (chance() < 0.5 ? { ...row, at: Math.floor(row.at / second) * second } : row))
    const wanted = Array.from({ length: 1 + Math.floor(chance() * 4) }, () => hole(chance)).reduce(
      CreatedAt.difference,
      CreatedAt.lt(at(now)),
    )
    holes += CreatedAt.intervals(wanted).length - 1
    const { ids, error } = simulate(new Listing(onSeconds), {
      wanted,
      concurrency: oneOf(chance, [1, 2, 4, 16]),
      limit: oneOf(chance, [1, 7, 20]),
      windowSize: 20,
      dialect: chance() < 0.5 ? { ...Dialect.standard, lteToken: "lte" } : Dialect.standard,
    })
    const expected = onSeconds.filter(isWanted(wanted)).map(({ id }) => id)
    expect([error, ids.toSorted()], `seed ${seed}`).toEqual([undefined, expected.toSorted()])
  }
  expect(holes).toBeGreaterThan(runs)
})

/** A range that fails at the work after the first window is complete. */
class FailingRange extends ScanRange {
  isFailing = false
  override intervalOf(part: Parameters<ScanRange["intervalOf"]>[0]): ReturnType<ScanRange["intervalOf"]> {
    if (this.isFailing) throw new Error("planted")
    return super.intervalOf(part)
  }
}

test("after a defect nothing is delivered: what was being completed is not taken as read", () => {
  const from = CreatedAt.between(at(now - span), at(now - span / 2))
  const to = CreatedAt.between(at(now - span / 4), at(now))
  const range = new FailingRange(CreatedAt.or(from, to), Dialect.standard)
  const scan = new Scan({
    range,
    external_id: undefined,
    concurrency: 2,
    windowSize: 480,
    limit: 20,
    strict: true,
    emptyPageBudget: 0,
    mostInSecond: 100_000,
    delivered: new IdSet(),
    moved: "fail",
    isOwed: () => true,
    resume: undefined,
  })
  const listing = new Listing(make({ count: 10, shape: "even", order: "oldest first", seed: 1, span }).rows)
  const window = scan.open()
  const page = window && listing.page(scan.request(window))
  const admit = () => window && page && scan.admit(window, page)
  range.isFailing = true
  expect(admit).toThrow("planted")
  expect([scan.tally.transfers, scan.isComplete]).toEqual([0, false])
  range.isFailing = false
  expect(admit).toThrow("An earlier page of this scan ended in a defect")
})
