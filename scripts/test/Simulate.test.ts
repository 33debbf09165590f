/** The simulation is repeatable, notices each kind of loss, and makes a failing history small. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as TransferPager from "../../packages/domain/src/TransferPager.ts"
import * as History from "../simulate/History.ts"
import * as Regressions from "../simulate/Regressions.ts"
import { end, Service } from "../simulate/Service.ts"
import { shrink } from "../simulate/Shrink.ts"
import * as Simulation from "../simulate/Simulation.ts"
import * as VirtualTime from "../simulate/VirtualTime.ts"
import * as Lossy from "./LossyPagers.ts"
import * as Seeds from "./Seeds.ts"

const seedOf = (text: string) =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 0)

/** The first history that breaks a promise. */
const search = async (
  pager: Simulation.Pager,
  start: number,
  most: number,
  isMeant: (history: History.History) => boolean = () => true,
): Promise<Simulation.Violation | undefined> => {
  for (let seed = start; seed < start + most; seed++) {
    const history = History.draw(seed >>> 0)
    const violation = isMeant(history) ? await Simulation.run(history, pager) : undefined
    if (violation !== undefined) return violation
  }
  return undefined
}

const shrunk = (history: History.History, pager: Simulation.Pager, reason: RegExp) =>
  shrink(history, History.smaller, async (candidate) =>
    reason.test((await Simulation.run(candidate, pager))?.reason ?? ""),
  )

it("finds nothing wrong with the pager in 30 new histories and all regressions", async () => {
  expect(await search(TransferPager.make, seedOf(Seeds.drawn), 30)).toBeUndefined()
  for (const history of Regressions.read().histories) expect(await Simulation.run(history)).toBeUndefined()
})

describe("finds the losses of the first scan within 2,000 histories", () => {
  it.each([
    ["that one displaced row is lost where a window ends", Lossy.stopsAtTheLowerBound, 0],
    ["that a scan resumed from a frontier loses what was listed late", Lossy.resumesFromTheFrontier, 1],
  ])(
    "%s",
    async (_, pager, deaths) => {
      expect((await search(pager, seedOf(Seeds.fixed), 2000))?.reason).toMatch(/of \d+ transfers were lost/)
      const isMeant = ({ order, displaced }: History.History) => order === "newest-first" && displaced === 1
      const violation = await search(pager, seedOf(Seeds.fixed), 2000, isMeant)
      if (violation === undefined) return expect.fail("not found")
      const smallest = await shrunk(violation.history, pager, /were lost/)
      expect((await Simulation.run(smallest, pager))?.reason).toMatch(/^1 of \d+ transfers were lost/)
      // A life ends by a death or by a fault.
      expect([smallest.displaced, smallest.faults.length + smallest.lives.length]).toEqual([1, deaths])
      expect(smallest.ages.length).toBeLessThan(80)
      expect(await Simulation.run({ ...smallest, displaced: 0 }, pager)).toBeUndefined()
    },
    300_000,
  )
})

describe("notices", () => {
  /** A scan that changes each batch. */
  const changed = (change: (batch: TransferPager.Batch) => TransferPager.Batch): Simulation.Pager =>
    Effect.map(TransferPager.make, (pager) => ({
      ...pager,
      scan: (query, options) => Stream.map(pager.scan(query, options), change),
    }))
  const history = {
    ...History.draw(1),
    reader: "scan",
    ages: [1000, 2000, 3000],
    lives: [],
    faults: [],
    changes: [],
    since: undefined,
    until: undefined,
  } as const

  it("nothing if nothing is wrong", async () => {
    expect(
      await Simulation.run(
        history,
        changed((batch) => batch),
      ),
    ).toBeUndefined()
  })

  it.each<[string, (batch: TransferPager.Batch) => TransferPager.Batch, RegExp]>([
    [
      "a transfer that is lost, by the count",
      (batch) => ({ ...batch, results: batch.results.slice(1) }),
      /counts 3 transfers, and 2 were delivered/,
    ],
    [
      "a transfer that is delivered twice",
      ({ results, ...batch }) => ({
        ...batch,
        results: results.map(() => results[0]).filter((row) => row !== undefined),
      }),
      /delivered twice/,
    ],
    [
      "an amount that is another text",
      ({ results, ...batch }) => ({
        ...batch,
        results: results.map((row) => ({ ...row, source_total: row.service_fee ?? row.source_total })) as never,
      }),
      /has other amounts/,
    ],
    [
      "a checkpoint that still has something to read",
      (batch) => ({ ...batch, checkpoint: { ...batch.checkpoint, remaining: [{}] } }),
      /checkpoint is not/,
    ],
    [
      "a transfer that was not asked for",
      ({ results, ...batch }) => ({ ...batch, results: results.map((row) => ({ ...row, id: `${row.id}x` as never })) }),
      /does not exist/,
    ],
  ])("%s", async (_, change, reason) => {
    expect((await Simulation.run(history, changed(change)))?.reason).toMatch(reason)
  })

  it("a transfer that a mirror lacks", async () => {
    const synced = { ...history, reader: "sync" } as const
    const isOther = ({ id }: { readonly id: string }) => !id.endsWith("_1")
    const blind: Simulation.Pager = Effect.map(TransferPager.make, (pager) => ({
      ...pager,
      scan: (query, options) =>
        Stream.map(pager.scan(query, options), (batch) => ({ ...batch, results: batch.results.filter(isOther) })),
      pages: (query, options) => Stream.map(pager.pages(query, options), (page) => page.filter(isOther)),
    }))
    expect(await Simulation.run(synced)).toBeUndefined()
    expect((await Simulation.run(synced, blind))?.reason).toMatch(/the mirror lacks tr_\w+_1$/)
  })

  it("a request before the end of Retry-After, from the millisecond after the 429 arrived", async () => {
    const never = () => 0.5
    const service = new Service({ ...history, rateLimit: 1, hasTail: false, order: "newest-first" }, never)
    const program = (now: () => number) =>
      Effect.gen(function* () {
        const network = service.connect(now, { open: 0 })
        const url = "https://service.example/v1/transfers/search"
        const headers = { authorization: `Basic ${Buffer.from("demo:demo-secret").toString("base64")}` }
        const get = network.get({ url, headers, maxBodyBytes: 1e6, timeout: 1000 })
        const responses = yield* Effect.all([get, get], { concurrency: 2 })
        const sent = [0, 1, 999, 1000].map((wait) => Effect.delay(get, wait))
        yield* Effect.all(sent, { concurrency: "unbounded" })
        return responses.map(({ status }) => status)
      }).pipe(Effect.exit)
    const { ending } = await VirtualTime.run(program, { now: end, clockOffset: 0, chance: never, death: undefined })
    expect(ending).toMatchObject({ _tag: "Done", value: { value: [200, 429] } })
    // The last is past the end of this one, but the first got a 429 of its own, 20 ms later.
    const early = [999, 1, 20].map((ms) => `sent a request ${ms} ms before the end of Retry-After`)
    expect(service.complaints).toEqual(early)
  })

  it("a reader that waits for nothing", async () => {
    const waiting: Simulation.Pager = Effect.map(TransferPager.make, (pager) => ({
      ...pager,
      scan: () => Stream.never,
    }))
    expect((await Simulation.run(history, waiting))?.reason).toMatch(/hung/)
  })

  it("an error that is no error of a client", async () => {
    const dying: Simulation.Pager = Effect.map(TransferPager.make, (pager) => ({
      ...pager,
      scan: () => Stream.die(new TypeError("oops")),
    }))
    expect((await Simulation.run(history, dying))?.reason).toMatch(/a defect: TypeError: oops/)
  })
})

it("repeats a history exactly", async () => {
  const start = seedOf(Seeds.drawn)
  for (let seed = start; seed < start + 20; seed++) {
    const outcomes = await Promise.all(
      [1, 2].map(() => Simulation.run(History.draw(seed), Lossy.resumesFromTheFrontier)),
    )
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(History.draw(seed)).toEqual(History.draw(seed))
  }
})
