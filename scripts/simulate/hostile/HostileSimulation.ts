/**
 * One hostile history, from the first life of the reader to a complete copy or an error that fits what the service did.
 * What must hold is computed from the nanoseconds of the history alone, by no code of the domain.
 */
import { setImmediate } from "node:timers/promises"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Checkpoint from "../../../packages/domain/src/Checkpoint.ts"
import * as CreatedAt from "../../../packages/domain/src/CreatedAt.ts"
import * as Dialect from "../../../packages/domain/src/Dialect.ts"
import * as Timestamp from "../../../packages/domain/src/Timestamp.ts"
import { TransferApi } from "../../../packages/domain/src/TransferApi.ts"
import { InvalidRequest, UnexpectedStatus } from "../../../packages/domain/src/TransferApiError.ts"
import * as TransferPage from "../../../packages/domain/src/TransferPage.ts"
import * as TransferPager from "../../../packages/domain/src/TransferPager.ts"
import * as Chance from "../Chance.ts"
import type { Pager } from "../Simulation.ts"
import type { Deviation, HostileHistory } from "./HostileHistory.ts"
import { HostileService, second } from "./HostileService.ts"

/** The errors that fit each deviation. Whoever completes has read everything, exactly. */
const fitting: { readonly [deviation in Deviation]: ReadonlyArray<string> } = {
  none: [],
  "ignores the cursor": ["RepeatedPages", "OutsideFilter"],
  "repeats a cursor": ["CursorCycle"],
  "loses the cursor": ["MissingCursor"],
  "sends only others": ["OutsideFilter", "RepeatedPages"],
  "rejects old cursors": ["CursorExpired"],
  "sends empty pages": [],
  "sends rows twice": [],
  "sends larger pages": [],
}

/**
 * Whether an error fits what the service did. One that takes `lt` as inclusive sends what was not asked for, and windows
 * that are cut at such a second may see nothing else for a hundred pages.
 */
const fits = ({ deviation, isInclusive }: HostileHistory, tag: string, requests: number): boolean =>
  fitting[deviation].includes(tag) || (isInclusive && tag === "OutsideFilter" && requests > 100)

/** Whether nothing can complete: its pages never end. */
const isEndless = (deviation: Deviation): boolean => deviation === "sends only others"

class TooManyRequests extends Error {}

const rejected = new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "unknown" }] })

const api = (service: HostileService, most: number, chance: Chance.Chance): TransferApi["Service"] => ({
  capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
  origin: Effect.succeed(undefined),
  search: Effect.fnUntraced(function* (request) {
    // Responses overtake one another.
    for (let turns = Chance.whole(chance, 0, 4); turns > 0; turns--) yield* Effect.yieldNow
    if (service.requests >= most) return yield* Effect.die(new TooManyRequests(`not done after ${most} requests`))
    const text = service.page(request)
    return text === undefined ? yield* rejected : yield* Effect.fromResult(TransferPage.fromJson(text))
  }),
})

/** A clock that stands still. */
const clockAt = (millis: number): Clock.Clock => {
  const nanos = BigInt(millis) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.succeed(millis),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => nanos,
    monotonicTimeNanos: Effect.succeed(nanos),
    sleep: () => Effect.yieldNow,
  }
}

/** The query, put together by or, and, not in no particular way. */
const queryOf = ({ bounds, startsWanted }: HostileHistory): CreatedAt.CreatedAt =>
  bounds.reduce<CreatedAt.CreatedAt>(
    (filter, at) => {
      const from = CreatedAt.gte(Timestamp.fromEpochNanoseconds(at))
      return CreatedAt.or(CreatedAt.difference(filter, from), CreatedAt.difference(from, filter))
    },
    startsWanted ? CreatedAt.all : CreatedAt.none,
  )

/** Ids by hand: a bound that is passed turns wanted into not wanted. */
const expectedOf = ({ bounds, startsWanted, now, reader }: HostileHistory, service: HostileService) => {
  const until = (BigInt(now) / 1000n + 1n) * second
  const isOpen = startsWanted === (bounds.length % 2 === 0)
  return service.rows.filter(({ at }) => {
    const isWanted = startsWanted === (bounds.filter((bound) => bound <= at).length % 2 === 0)
    return isWanted && (reader === "pages" || !isOpen || at < until)
  })
}

const isIn = (at: bigint, { remaining }: Checkpoint.Checkpoint): boolean =>
  remaining.some(
    ({ gte, lt }) =>
      (gte === undefined || at >= gte.epochNanoseconds) && (lt === undefined || at < lt.epochNanoseconds),
  )

/** Turns of the event loop in a row in which nothing is requested or delivered: a reader that still runs needs a few. */
const patience = 1000

/** How an effect ends; nothing if it hangs: `activity` changes with all it does, and time stands still within it. */
const endOf = async <A, E>(
  effect: Effect.Effect<A, E>,
  activity: () => number,
): Promise<Exit.Exit<A, E> | undefined> => {
  const controller = new AbortController()
  const ended: Array<Exit.Exit<A, E>> = []
  const running = Effect.runPromiseExit(effect, { signal: controller.signal }).then((exit) => ended.push(exit))
  let last = activity()
  for (let idle = 0; ended.length === 0 && idle < patience; idle++) {
    await setImmediate()
    if (activity() !== last) [last, idle] = [activity(), 0]
  }
  const [exit] = ended
  controller.abort()
  await running
  return exit
}

/** What is wrong with how the reader ended, if anything is. */
export const run = async (history: HostileHistory, pager: Pager = TransferPager.make): Promise<string | undefined> => {
  const service = new HostileService(history)
  const expected = expectedOf(history, service)
  const delivered: Array<string> = []
  let checkpoint: Checkpoint.Checkpoint | undefined
  const most = (1 + history.lives.length) * (600 + 40 * Math.ceil(history.rows.length / history.limit))
  const bound = fitting[history.deviation].length > 0 ? 30_000 : most
  const created_at = queryOf(history)
  const { limit, concurrency, lteToken, reader } = history
  const chance = Chance.make(history.seed ^ 0x5eed)
  const faultOf = (): string | undefined => {
    const twice = delivered.find((id, index) => delivered.indexOf(id) !== index)
    if (twice !== undefined) return `${twice} was delivered twice`
    const other = delivered.find((id) => !expected.some((row) => row.id === id))
    if (other !== undefined) return `${other} was not asked for`
    const lost = expected.find(
      ({ id, at }) => checkpoint !== undefined && !isIn(at, checkpoint) && !delivered.includes(id),
    )
    return lost && `${lost.id} is neither delivered nor in the checkpoint`
  }
  const read = (batches: number | undefined) =>
    Effect.gen(function* () {
      const { scan, transfers } = yield* pager
      if (reader === "pages") {
        delivered.length = 0
        yield* Stream.runForEach(transfers({ created_at }, { limit }), ({ id }) =>
          Effect.sync(() => void delivered.push(id)),
        )
        return true
      }
      const resume = checkpoint === undefined ? {} : { resume: checkpoint }
      let left = batches ?? Infinity
      yield* Stream.runForEachWhile(scan({ created_at }, { limit, concurrency, ...resume }), (batch) =>
        Effect.sync(() => {
          delivered.push(...batch.results.map(({ id }) => String(id)))
          checkpoint = Result.getOrThrow(Checkpoint.fromJson(JSON.stringify(batch.checkpoint)))
          return --left > 0
        }),
      )
      return left > 0
    }).pipe(
      Effect.provideService(TransferApi, api(service, bound, chance)),
      Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken }),
      Effect.provideService(Clock.Clock, clockAt(history.now)),
    )
  for (const life of [...history.lives, undefined]) {
    const exit = await endOf(read(life), () => service.requests + delivered.length)
    if (exit === undefined) return "the reader hangs: it waits for nothing"
    const wrong = reader === "scan" ? faultOf() : undefined
    if (wrong !== undefined) return wrong
    if (Exit.isFailure(exit)) {
      const error = Cause.squash(exit.cause)
      const tag = typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : undefined
      if (tag !== undefined && fits(history, tag, service.requests)) return undefined
      return `it ended with ${tag ?? "a defect"}: ${error instanceof Error ? error.message : String(error)}`
    }
    if (!exit.value) continue
    if (isEndless(history.deviation) && service.requests > 0) return "it is complete, although the pages never ended"
    const lost = expected.find(({ id }) => !delivered.includes(id))
    return lost === undefined ? faultOf() : `${lost.id} is lost`
  }
  return "the last life ended early"
}
