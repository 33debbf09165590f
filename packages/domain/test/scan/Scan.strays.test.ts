/** What a pager does if the service compares other times than it shows: it never says that it is complete without all. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { IdSet } from "@transferkit/domain/IdSet"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../../scripts/test/Thorough.ts"
import * as ScriptedService from "../ScriptedService.ts"
import * as KeyedService from "./KeyedService.ts"

const start = Date.parse("2024-09-01T00:00:00Z")
const end = start + 3_000_000

const rowsOf = (count: number, keyOf: (at: number, index: number) => number = (at) => at) =>
  Array.from({ length: count }, (_, index): KeyedService.Row => {
    const shown = start + Math.floor((index * (end - start)) / count)
    return { id: `tr_${index}`, shown, compared: keyOf(shown, index) }
  })

const rounded = (at: number) => Math.floor((at + 500) / 1000) * 1000

const within = CreatedAt.between(KeyedService.instant(start), KeyedService.instant(end))

const scan = (service: KeyedService.Service, options: TransferPager.ScanOptions = {}, created_at = within) => {
  const { layer, sent } = KeyedService.make(service)
  const ids: Array<string> = []
  const report = Ref.makeUnsafe(TransferPager.emptyReport)
  return TransferPager.TransferPager.use((pager) =>
    Stream.runForEach(pager.scan({ created_at }, { ...options, report }), ({ results }) =>
      Effect.sync(() => ids.push(...results.map(({ id }) => String(id)))),
    ),
  ).pipe(
    Effect.provide(layer),
    Effect.result,
    Effect.map((ended) => ({ ended, ids, sent, tally: Ref.getUnsafe(report).tally })),
    Effect.runPromise,
  )
}

const failure = <E>(ended: Result.Result<unknown, E>): E | undefined =>
  Result.isFailure(ended) ? ended.failure : undefined

describe.each(["fail", "deliver"] as const)("if what moves is to %s", (moved) => {
  test.each([1, 2, 8])("a service that rounds to seconds is found, at a concurrency of %d", async (concurrency) => {
    const { ended } = await scan({ rows: rowsOf(4000, rounded) }, { concurrency, moved })
    expect(failure(ended)).toMatchObject({
      _tag: "OutsideFilter",
      missingFrom: expect.arrayContaining([expect.stringMatching(/Z$/)]),
    })
  })

  test("so is one that files a single transfer under another time", async () => {
    const rows = rowsOf(400, (at, index) => (index === 100 ? at + 2_000_000 : at))
    const { ended } = await scan({ rows }, { moved, windowSize: 60 })
    expect(failure(ended)).toMatchObject({
      _tag: "OutsideFilter",
      id: "tr_100",
      reason: "it was created at 2024-09-01T00:12:30.000Z",
      missingFrom: ["2024-09-01T00:12:30Z"],
    })
  })

  test.each([{ ignores: ["lt"] }, { ignores: ["gte"] }, { ignores: ["gte", "lt"] }, { isInclusive: true }] as const)(
    "a service with %j is read to the end",
    async (service) => {
      const rows = rowsOf(300)
      const read = await scan({ rows, ...service }, { moved })
      expect([failure(read.ended), read.ids.length, new Set(read.ids).size]).toEqual([undefined, 300, 300])
      expect(read.tally.pages).toBe(read.sent.requests)
      expect(read.tally.pages).toBeLessThan(100)
    },
  )
})

test("a day next to which a service compares more coarsely is not complete", async () => {
  const day = CreatedAt.between(KeyedService.instant(start + 1_000_000), KeyedService.instant(start + 2_000_000))
  const { ended } = await scan({ rows: rowsOf(9000, rounded) }, {}, day)
  expect(failure(ended)).toMatchObject({
    _tag: "OutsideFilter",
    missingFrom: expect.arrayContaining([expect.stringMatching(/^2024-09-01T00:16/)]),
  })
})

test.each([
  ["gte", start + 999_750, 250],
  ["lt", start + 1_060_500, -750],
] as const)(
  "so is one without a bound %s, if only the transfer next to what is read is filed there",
  async (ignored, shown, by) => {
    const minute = CreatedAt.between(KeyedService.instant(start + 1_000_000), KeyedService.instant(start + 1_060_000))
    const rows = rowsOf(4000, (at) => (at === shown ? at + by : at))
    const near = rows.filter((row) => Math.abs(row.shown - shown) < 200_000)
    const { ended } = await scan({ rows: near, ignores: [ignored] }, {}, minute)
    expect(failure(ended)).toMatchObject({ reason: `it was created at ${new Date(shown).toISOString()}` })
  },
)

test("the pages that are read to confirm a transfer are counted", async () => {
  const created_at = CreatedAt.between(KeyedService.instant(start), KeyedService.instant(start + 60_000))
  const service: KeyedService.Service = { rows: rowsOf(300), ignores: ["lt"] }
  const scanned = await scan(service, {}, created_at)
  const { layer, sent } = KeyedService.make(service)
  const report = Ref.makeUnsafe(TransferPager.emptyReport)
  const pages = TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.pages({ created_at }, { report })))
  await Effect.runPromise(Effect.provide(pages, layer))
  expect([scanned.tally.pages, Ref.getUnsafe(report).tally.pages]).toEqual([scanned.sent.requests, sent.requests])
  expect(sent.requests).toBe(16)
})

test("those of another external_id are not asked for, nor are more held than can be", async () => {
  const at = (second: number) => KeyedService.instant(start + second * 1000)
  const created_at = CreatedAt.or(CreatedAt.between(at(0), at(1)), CreatedAt.between(at(2), at(3)))
  const crowd = Array.from({ length: 100_001 }, (_, index) => `${index}@2024-09-01T00:00:02Z`)
  const read = async (query: TransferQuery) => {
    const service = ScriptedService.pager(() => ({ ids: ["first", ...crowd] }))
    const ended = TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.transfers(query)))
    const result = await Effect.runPromise(Effect.result(Effect.provide(ended, service.layer)))
    return [failure(result), service.requests.length] as const
  }
  expect(await read({ external_id: "order-1", created_at })).toEqual([undefined, 2])
  expect(await read({ created_at })).toMatchObject([{ _tag: "OutsideFilter", id: "100000" }, 1])
})

test("pages of several intervals are not complete either", async () => {
  const at = (second: number) => KeyedService.instant(start + second * 1000)
  const created_at = CreatedAt.or(CreatedAt.between(at(0), at(10)), CreatedAt.between(at(20), at(30)))
  const ended = async (rows: ReadonlyArray<KeyedService.Row>) => {
    const pages = TransferPager.TransferPager.use((pager) => Stream.runCount(pager.transfers({ created_at })))
    return Effect.runPromise(Effect.result(Effect.provide(pages, KeyedService.make({ rows }).layer)))
  }
  expect(await ended(rowsOf(4000))).toEqual(Result.succeed(27))
  const swapped = rowsOf(4000, (shown, index) => (index === 5 ? start + 25_000 : shown))
  expect(failure(await ended(swapped))).toMatchObject({ _tag: "OutsideFilter", id: "tr_5" })
  const beside = rowsOf(4000, (shown, index) => (index === 20 ? start + 25_000 : shown))
  expect(failure(await ended(beside))).toMatchObject({ _tag: "OutsideFilter", id: "tr_20" })
})

/** A service with flaws: it compares each transfer by a time of its own, ignores bounds, or mixes up requests. */
const drawn = Effect.gen(function* () {
  const between = (from: number, to: number) => Random.nextIntBetween(from, to)
  const isSo = Effect.map(between(0, 3), (number) => number === 0)
  const count = yield* between(1, 800)
  const rows = rowsOf(count).toReversed()
  const odd = yield* between(0, 3)
  for (let index = 0; index < odd; index++) {
    const at = yield* between(0, count)
    const row = rows[at]
    if (row !== undefined) rows[at] = { ...row, compared: yield* between(start - 1000, end + 1000) }
  }
  const service: KeyedService.Service = {
    rows,
    isInclusive: yield* isSo,
    isExclusive: yield* isSo,
    mixesCursors: yield* isSo,
    ...((yield* isSo) && { misplaced: `tr_${yield* between(0, count)}` }),
    ...((yield* isSo) && {
      coarse: { bound: (yield* isSo) ? ("gte" as const) : ("lt" as const), by: 1000 * (yield* between(1, 600)) },
    }),
    ignores: (["gte", "lt"] as const).filter((_, index) => odd === index),
  }
  const options = {
    concurrency: yield* between(1, 9),
    windowSize: yield* between(20, 200),
    limit: yield* between(5, 20),
  }
  return { service, options }
})

const runs = Thorough.times(40, 600)

test(`whatever is sent of what is wanted is delivered, or the scan fails (${runs} services)`, async () => {
  const ends = { complete: 0, failed: 0 }
  for (const seed of Seeds.all) {
    for (let run = 0; run < runs / Seeds.all.length; run++) {
      const { service, options } = await Effect.runPromise(drawn.pipe(Random.withSeed(`${seed}/${run}`)))
      for (const moved of ["fail", "deliver"] as const) {
        const { ended, ids, sent } = await scan(service, { ...options, moved })
        if (Result.isFailure(ended)) {
          ends.failed++
          continue
        }
        ends.complete++
        const found = new Set(ids)
        const lost = [...sent.rows].filter(({ id }) => !found.has(id))
        expect([ids.length - found.size, lost], JSON.stringify({ seed, run, moved })).toEqual([0, []])
      }
    }
  }
  expect(Math.min(ends.complete, ends.failed)).toBeGreaterThan(runs / 10)
})

test.each([
  { isExclusive: true },
  { mixesCursors: true },
  { misplaced: "tr_300" },
  { coarse: { bound: "lt", by: 3_600_000 } },
  { coarse: { bound: "gte", by: 3_600_000 } },
] as const)("a service with %j is found", async (flaw) => {
  const rows = Array.from({ length: 600 }, (_, index) => {
    const shown = start + index * 60_000
    return { id: `tr_${index}`, shown, compared: shown }
  })
  const wanted = CreatedAt.lt(KeyedService.instant(start + 10 * 86_400_000))
  const { ended } = await scan({ rows: rows.toReversed(), ...flaw }, {}, wanted)
  expect(failure(ended)).toMatchObject({ _tag: "OutsideFilter" })
})

const killedAfterEachBatch = async (service: KeyedService.Service, options: TransferPager.ScanOptions) => {
  const known: Array<Checkpoint.Checkpoint> = []
  for (let resume: Checkpoint.Checkpoint | undefined; known.length < 100;) {
    const { layer } = KeyedService.make(service)
    const next = TransferPager.TransferPager.use((pager) =>
      Stream.runHead(pager.scan({ created_at: within }, { windowSize: 20, ...options, ...(resume && { resume }) })),
    )
    const ended = await Effect.runPromise(Effect.result(Effect.provide(next, layer)))
    if (Result.isFailure(ended)) return { known, error: ended.failure }
    const { checkpoint } = Option.getOrThrow(ended.success)
    if (Checkpoint.isComplete(checkpoint)) break
    resume = Result.getOrThrow(Checkpoint.fromJson(JSON.stringify(checkpoint)))
    expect(resume).toEqual(checkpoint)
    known.push(resume)
  }
  return { known, error: undefined }
}

test.each([2_000_000, -2_000_000])(
  "a checkpoint keeps what came too early: a scan that is killed after each batch fails, of a transfer %d ms away",
  async (away) => {
    const rows = rowsOf(400, (at, index) => (index === 200 - away / 20_000 ? at + away : at))
    for (const concurrency of [1, 4]) {
      const { error } = await killedAfterEachBatch({ rows }, { concurrency })
      expect(error).toMatchObject({ _tag: "OutsideFilter", id: `tr_${200 - away / 20_000}` })
    }
  },
)

test("and what came in a listing that was given up", async () => {
  const service = { rows: rowsOf(400), hidden: { id: "tr_200", below: 1_000_000 } }
  const { known, error } = await killedAfterEachBatch(service, { concurrency: 1 })
  expect(known.some(({ given_up = [] }) => given_up.some(({ id }) => id === "tr_200"))).toBe(true)
  expect(error).toMatchObject({ _tag: "OutsideFilter", id: "tr_200" })
  expect((await killedAfterEachBatch({ rows: rowsOf(400) }, { concurrency: 4 })).error).toBeUndefined()
})

test.each(["lt", "gte"] as const)("a service that compares %s by the minute is found", async (bound) => {
  const rows = rowsOf(600)
  const { ended, ids } = await scan({ rows: rows.toReversed(), coarse: { bound, by: 60_000 } }, { concurrency: 8 })
  expect([failure(ended)?._tag, ids.length < 600]).toEqual(["OutsideFilter", true])
})

test("what comes while a transfer is confirmed is to be delivered, too", async () => {
  const created_at = CreatedAt.between(KeyedService.instant(start), KeyedService.instant(start + 300_000))
  const rows = rowsOf(60).toReversed()
  const service: KeyedService.Service = { rows, ignores: ["gte", "lt"], forgotten: { id: "tr_2", by: [3] } }
  const lost = { _tag: "OutsideFilter", id: "tr_2" }
  const listed = TransferPager.TransferPager.use((pager) => Stream.runDrain(pager.pages({ created_at })))
  const pages = await Effect.runPromise(Effect.result(Effect.provide(listed, KeyedService.make(service).layer)))
  expect(failure(pages)).toMatchObject(lost)
  expect(failure((await scan(service, {}, created_at)).ended)).toMatchObject(lost)
})

describe("what comes while a scan asks whether another has vanished", () => {
  // One is given up and vanishes; one is left out of ranges that are shorter than a day.
  const read = (moved: "fail" | "deliver") => {
    const rows = rowsOf(400).filter(({ id }) => id !== "tr_200")
    const ghost = { id: "tr_200", created_at: KeyedService.instant(start + 1_500_000) }
    const created_at = CreatedAt.between(KeyedService.instant(start), KeyedService.instant(end))
    const resume: Checkpoint.Checkpoint = {
      version: 2,
      query: Checkpoint.fingerprint({ created_at }),
      transfers: 0,
      remaining: [{ gte: KeyedService.instant(start), lt: KeyedService.instant(end) }],
      given_up: [ghost],
    }
    return scan({ rows, hidden: { id: "tr_100", below: 86_400_000 } }, { moved, resume, concurrency: 1 }, created_at)
  }

  test("is delivered by one for a mirror", async () => {
    const { ended, ids } = await read("deliver")
    expect([failure(ended), new Set(ids).size, ids.includes("tr_100")]).toEqual([undefined, 399, true])
  })

  test("is an error of any other", async () => {
    expect(failure((await read("fail")).ended)).toMatchObject({ _tag: "OutsideFilter", id: "tr_100" })
  })
})

describe("a scan that is resumed with the ids of what was delivered", () => {
  const away = 20 * 86_400_000
  const month = CreatedAt.between(KeyedService.instant(start), KeyedService.instant(start + 30 * 86_400_000))
  const service: KeyedService.Service = {
    rows: Array.from({ length: 1000 }, (_, index) => {
      const shown = start + index * 2_500_000
      return { id: `tr_${index}`, shown, compared: shown }
    }),
    filed: { id: "tr_100", at: start + 100 * 2_500_000 + away },
  }
  const resumed = async (kill: number, options: Pick<TransferPager.ScanOptions, "isKept"> = {}) => {
    const delivered = new IdSet()
    const settings = { concurrency: 1, windowSize: 60, delivered, ...options }
    const read = async (resume: Checkpoint.Checkpoint | undefined, batches: number) => {
      const { layer, sent } = KeyedService.make(service)
      const batch = TransferPager.TransferPager.use((pager) =>
        pager
          .scan({ created_at: month }, { ...settings, ...(resume && { resume }) })
          .pipe(Stream.take(batches), Stream.runLast),
      )
      const ended = await Effect.runPromise(Effect.result(Effect.provide(batch, layer)))
      return { ended, isSent: [...sent.rows].some(({ id }) => id === "tr_100") }
    }
    const { ended } = await read(undefined, kill)
    // Without what it knew, as if the transfer had come after the checkpoint.
    const { strays: _, given_up: __, ...checkpoint } = Option.getOrThrow(Result.getOrThrow(ended)).checkpoint
    const again = await read(checkpoint, Infinity)
    return { error: failure(again.ended), isLost: again.isSent && !delivered.has("tr_100") }
  }
  const kills = Array.from({ length: 12 }, (_, index) => index + 1)

  test("fails for what comes and was not delivered", async () => {
    const ended = await Promise.all(kills.map((kill) => resumed(kill)))
    const lost = ended.filter(({ isLost }) => isLost)
    expect(lost.length).toBeGreaterThan(5)
    for (const { error } of lost) expect(error).toMatchObject({ _tag: "OutsideFilter", id: "tr_100" })
  })

  test("does not miss what was not to be kept", async () => {
    const isKept: TransferPager.ScanOptions["isKept"] = ({ id }) => id !== "tr_100"
    const ended = await Promise.all(kills.map((kill) => resumed(kill, { isKept })))
    expect(ended.filter(({ error, isLost }) => isLost && error === undefined).length).toBeGreaterThan(0)
  })
})

test("a mirror's scan that resumes reads the seconds of what came too early again, by then of a service that is right", async () => {
  const odd = rowsOf(400, (at, index) => (index === 300 ? at - 2_000_000 : at))
  const read = (rows: ReadonlyArray<KeyedService.Row>, resume?: Checkpoint.Checkpoint) => {
    const batches: Array<TransferPager.Batch> = []
    const options = { concurrency: 1, windowSize: 20, moved: "deliver", ...(resume && { resume }) } as const
    return TransferPager.TransferPager.use((pager) =>
      Stream.runForEach(pager.scan({ created_at: within }, options), (batch) => Effect.sync(() => batches.push(batch))),
    ).pipe(
      Effect.provide(KeyedService.make({ rows }).layer),
      Effect.result,
      Effect.map((ended) => ({ error: failure(ended), batches })),
      Effect.runPromise,
    )
  }
  const broken = await read(odd)
  expect(broken.error).toMatchObject({ id: "tr_300" })
  const checkpoints = broken.batches.map(({ checkpoint }) => checkpoint).filter(({ strays }) => strays !== undefined)
  const resume = checkpoints.at(-1)
  expect(resume?.strays).toEqual([{ id: "tr_300", created_at: KeyedService.instant(start + 2_250_000) }])
  const right = await read(rowsOf(400), resume)
  const ids = [...broken.batches, ...right.batches].flatMap(({ results }) => results.map(({ id }) => String(id)))
  expect([right.error, new Set(ids).size]).toEqual([undefined, 400])
})
