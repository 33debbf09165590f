/**
 * The promise of a scan: every transfer arrives exactly once, whatever the order of the listing, while rows come and
 * go, cursors expire, and the process is killed and resumed. Each run is drawn from a seed.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { afterAll, describe, expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../../scripts/test/Thorough.ts"
import { type Chance, day, make, now, oneOf, orders, random, type Row, shapes, year } from "./History.ts"
import { Listing } from "./Listing.ts"
import { everything, simulate, tail } from "./simulate.ts"

/** In all; those of each test start at a seed that is drawn for each run of the tests, see `LAW_SEED`. */
const cases = Number(process.env["LAW_CASES"] ?? Thorough.times(2080, 10_400))
const runs = Math.ceil(cases / 8)
const start = [...Seeds.drawn].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 0)

const draw = (seed: number) => {
  const chance = random(seed)
  const count = oneOf(chance, [0, 1, 19, 20, 21, 60, 61, 100, 150, 200, 300, 500])
  const displaced = oneOf(chance, [0, 1, 2, 5, Math.ceil(count / 100), count])
  const shape = oneOf(chance, [...Object.keys(shapes), "one instant"] as ReadonlyArray<
    keyof typeof shapes | "one instant"
  >)
  const options = {
    count,
    displaced,
    shape: shape === "one instant" ? "even" : shape,
    order: oneOf(chance, orders),
    seed: seed + 1,
    span: shape === "one instant" ? 1 : oneOf(chance, [2000, day, 30 * day, year, 5 * year]),
    age: oneOf(chance, [0, 50 * day]),
  } as const
  return {
    chance,
    options,
    history: make(options),
    concurrency: oneOf(chance, [1, 2, 4, 16, 64]),
    limit: oneOf(chance, [1, 7, 20, 20, 20]),
    windowSize: oneOf(chance, [20, 60, 480, 480, 10_000]),
    wanted: wantedOf(chance),
    dialect: chance() < 0.3 ? { ...Dialect.standard, lteToken: "lte" } : Dialect.standard,
    latency: chance() < 0.5 ? () => 20 : tail(chance),
  }
}

/** All, or a range or two whose bounds are not whole seconds. */
const wantedOf = (chance: Chance): CreatedAt.CreatedAt => {
  if (chance() < 0.5) return everything
  const instant = () =>
    Timestamp.fromEpochNanoseconds(
      BigInt(Math.floor(now - chance() * year)) * 1_000_000n + BigInt(Math.floor(chance() * 3)),
    )
  const range = () => {
    const [from, to] = [instant(), instant()].sort(Timestamp.Order)
    if (from === undefined || to === undefined) return CreatedAt.none
    return CreatedAt.and(
      chance() < 0.5 ? CreatedAt.gt(from) : CreatedAt.gte(from),
      chance() < 0.5 ? CreatedAt.lte(to) : CreatedAt.lt(to),
    )
  }
  return chance() < 0.5 ? range() : CreatedAt.or(range(), range())
}

const isWanted =
  (wanted: CreatedAt.CreatedAt) =>
  ({ at }: Row) =>
    CreatedAt.matches(wanted, Timestamp.fromEpochNanoseconds(BigInt(at) * 1_000_000n))

/** How many of the rows were not delivered, and how many ids came twice. */
const faultsOf = (ids: ReadonlyArray<string>, rows: ReadonlyArray<Row>) => {
  const found = new Set(ids)
  return { lost: rows.filter(({ id }) => !found.has(id)).length, twice: ids.length - found.size }
}
const none = { lost: 0, twice: 0 }

/** Seeds that once showed a loss, or reach a corner. */
const regressions = [1, 2, 3, 5, 8, 13, 21, 34]

let tried = 0
const forEachSeed = (check: (seed: number) => void): void => {
  for (const seed of regressions) check(seed)
  for (let seed = start; seed < start + runs; seed++) check(seed)
  tried += runs + regressions.length
}

afterAll(() => expect(tried).toBeGreaterThanOrEqual(cases))

describe("for any history", () => {
  test("delivers every transfer exactly once, and nothing else", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      const scanned = simulate(listing, scanning)
      const wanted = history.rows.filter(isWanted(scanning.wanted))
      expect(faultsOf(scanned.ids, wanted), JSON.stringify({ seed, options })).toEqual(none)
      expect([scanned.error, scanned.ids.length, scanned.scan.tally]).toMatchObject([
        undefined,
        wanted.length,
        { transfers: wanted.length, duplicates: 0, outside: 0, pages: listing.requests.length },
      ])
    })
  })

  test("asks at most a few times the pages", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      simulate(listing, scanning)
      const pages = history.rows.length / scanning.limit
      if (listing.requests.length > 100 + 8 * pages + 4 * scanning.concurrency) {
        expect.fail(`${listing.requests.length} requests for ${pages} pages: ${JSON.stringify({ seed, options })}`)
      }
    })
  })

  test("delivers what came before a kill and what comes after it exactly once, however often it is killed", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      const ids: Array<string> = []
      let { wanted } = scanning
      while (!CreatedAt.isEmpty(wanted)) {
        const killAfter = 1 + Math.floor(scanning.chance() * 12)
        const { remaining, ...part } = simulate(listing, { ...scanning, wanted, killAfter })
        ids.push(...part.ids)
        expect(CreatedAt.implies(remaining, wanted)).toBe(true)
        expect(part.batches).toBeGreaterThan(0)
        wanted = remaining
      }
      expect(faultsOf(ids, history.rows.filter(isWanted(scanning.wanted))), JSON.stringify({ seed, options })).toEqual(
        none,
      )
    })
  })

  test("delivers every transfer exactly once while others are created", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      const beforeRequest = () => {
        if (scanning.chance() < 0.3) listing.insert(history.another())
      }
      const { ids } = simulate(listing, { ...scanning, beforeRequest })
      expect(faultsOf(ids, history.rows.filter(isWanted(scanning.wanted))), JSON.stringify({ seed, options })).toEqual(
        none,
      )
    })
  })

  test("delivers every transfer that stays exactly once while others vanish", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      const beforeRequest = () => {
        if (scanning.chance() < 0.3 && listing.rows.length > 0) listing.remove(oneOf(scanning.chance, listing.rows))
      }
      const { ids } = simulate(listing, { ...scanning, beforeRequest })
      expect(faultsOf(ids, listing.rows.filter(isWanted(scanning.wanted))), JSON.stringify({ seed, options })).toEqual(
        none,
      )
    })
  })

  test("delivers every transfer exactly once when cursors expire, or says that they expire too soon", () => {
    let failures = 0
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      const life = oneOf(scanning.chance, [10, 40, 100])
      listing.isExpired =
        scanning.chance() < 0.5 ? (request, issued) => request - issued > life * 2 : () => scanning.chance() < 1 / life
      const { ids, error } = simulate(listing, { ...scanning, limit: 20 })
      if (error === undefined)
        expect(
          faultsOf(ids, history.rows.filter(isWanted(scanning.wanted))),
          JSON.stringify({ seed, options }),
        ).toEqual(none)
      else {
        expect(error._tag).toBe("CursorExpired")
        failures++
      }
    })
    expect(failures).toBeLessThan(runs / 4)
  })

  test("counts what the service lists twice, and delivers it once", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const listing = new Listing(history.rows)
      listing.repeated = 1
      const { ids, scan } = simulate(listing, scanning)
      const wanted = history.rows.filter(isWanted(scanning.wanted))
      expect(faultsOf(ids, wanted), JSON.stringify({ seed, options })).toEqual(none)
      expect(scan.tally.duplicates > 0).toBe(wanted.length > 0)
    })
  })

  test("delivers every transfer exactly once over kills, rejected cursors, arrivals and departures together", () => {
    forEachSeed((seed) => {
      const { history, options, ...scanning } = draw(seed)
      const { chance } = scanning
      const listing = new Listing(history.rows)
      listing.isExpired = () => chance() < 0.02
      const beforeRequest = () => {
        if (chance() < 0.1) listing.insert(history.another())
        if (chance() < 0.1 && listing.rows.length > 0) listing.remove(oneOf(chance, listing.rows))
      }
      const ids: Array<string> = []
      let { wanted } = scanning
      while (!CreatedAt.isEmpty(wanted)) {
        const killAfter = 5 + Math.floor(chance() * 50)
        const { remaining, error, ...part } = simulate(listing, {
          ...scanning,
          limit: 20,
          wanted,
          beforeRequest,
          killAfter,
        })
        ids.push(...part.ids)
        wanted = remaining
        if (error !== undefined) expect(error._tag).toBe("CursorExpired")
      }
      const existing = new Set(history.rows)
      const stayed = listing.rows.filter((row) => existing.has(row)).filter(isWanted(scanning.wanted))
      expect(faultsOf(ids, stayed), JSON.stringify({ seed, options })).toEqual(none)
    })
  })
})
