/**
 * One history, from the first process to a complete copy: processes read the service and write what they have read, with
 * the checkpoint, to a disk that outlives them. Checks what must hold after any history.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Checkpoint from "../../packages/domain/src/Checkpoint.ts"
import * as CreatedAt from "../../packages/domain/src/CreatedAt.ts"
import * as Dialect from "../../packages/domain/src/Dialect.ts"
import * as Timestamp from "../../packages/domain/src/Timestamp.ts"
import type { Transfer } from "../../packages/domain/src/Transfer.ts"
import { TransferApi } from "../../packages/domain/src/TransferApi.ts"
import type { TransferApiError } from "../../packages/domain/src/TransferApiError.ts"
import * as TransferPager from "../../packages/domain/src/TransferPager.ts"
import type { TransferPagerError } from "../../packages/domain/src/TransferPagerError.ts"
import * as HttpTransferApi from "../../packages/http-client/src/HttpTransferApi.ts"
import { HttpTransport } from "../../packages/http-client/src/HttpTransport.ts"
import * as Chance from "./Chance.ts"
import type { History, Life } from "./History.ts"
import { Mirror, sync } from "./Mirror.ts"
import { amountsOf, end, Service } from "./Service.ts"
import * as VirtualTime from "./VirtualTime.ts"

/** What reads the service: the pager, or a double with a fault that the simulation must find. */
export type Pager = Effect.Effect<TransferPager.TransferPager["Service"], never, TransferApi>

/** What outlives a process. */
interface Disk {
  readonly transfers: Array<Transfer>
  checkpoint: Checkpoint.Checkpoint | undefined
}

/** A history that broke a promise, and how. */
export interface Violation {
  readonly history: History
  readonly reason: string
}

/** Lives after those of the history, without faults: the last of them must be done. */
const lastLives: ReadonlyArray<Life> = [{ clockOffset: 0, death: undefined }]

/** Failed lives in which the faults of a history may run out, before they are taken away. */
const patience = 4

/** What a client may end with: anything else is a defect. */
const known: ReadonlySet<string> = new Set<(TransferApiError | TransferPagerError)["_tag"]>([
  "Unauthorized",
  "InvalidRequest",
  "RateLimited",
  "ServiceUnavailable",
  "UnexpectedStatus",
  "ConnectionFailed",
  "TimedOut",
  "MalformedResponse",
  "CursorCycle",
  "MissingCursor",
  "EmptyPages",
  "RepeatedPages",
  "OutsideFilter",
  "CursorExpired",
])

/** Runs a history. Gives the first promise that it breaks. */
export const run = async (history: History, pager: Pager = TransferPager.make): Promise<Violation | undefined> => {
  try {
    const reason = await simulate(history, pager)
    return reason === undefined ? undefined : { history, reason }
  } catch (error) {
    const cause = Cause.isCause(error) ? Cause.pretty(error) : String(error instanceof Error ? error.stack : error)
    return { history, reason: `a defect: ${cause}` }
  }
}

const simulate = async (history: History, pager: Pager): Promise<string | undefined> => {
  const chance = Chance.make(history.seed ^ 0x5eed)
  const service = new Service(history, chance)
  const disk: Disk = { transfers: [], checkpoint: undefined }
  const query = queryOf(history)
  using mirror = history.reader === "sync" ? new Mirror() : undefined
  const read = readerOf(history, pager, query, disk)
  const lives = [...history.lives, ...Array.from({ length: patience }, () => lastLives).flat()]
  let now = end
  let until: Timestamp.Timestamp | undefined
  let watermark: bigint | undefined
  for (const [index, life] of [...lives, ...lastLives].entries()) {
    if (index === lives.length) service.recover()
    const process = { open: 0 }
    if (history.reader === "pages") disk.transfers.length = 0
    const begun = Math.floor((now + life.clockOffset) / 1000) * 1000 + 1000
    const opened = await mirror?.open()
    const { ending, now: then } = await VirtualTime.run(
      (worldNow) => read(service.connect(worldNow, process), opened).pipe(Random.withSeed(history.seed), Effect.exit),
      { now, chance, ...life },
    )
    await mirror?.close()
    const reached = (await mirror?.betweenLives())?.watermark
    // One that is to come was of a clock that was ahead.
    const clock = BigInt(Math.floor(then + life.clockOffset)) * 1_000_000n
    if (watermark !== undefined && watermark <= clock && (reached === undefined || reached < watermark)) {
      return `the watermark of the mirror goes back from ${watermark} to ${reached}`
    }
    watermark = reached
    const broken = service.complaints[0] ?? countsOf(disk)
    if (broken !== undefined) return broken
    until = disk.checkpoint?.until
    if (ending._tag === "Hung") return "the process hung: it waits for nothing"
    if (ending._tag === "Interrupted" && ending.left > 0) return `${ending.left} timers outlived an interruption`
    if (ending._tag !== "Killed" && process.open !== 0) return `${process.open} requests outlived their process`
    if (ending._tag === "Done") {
      if (Exit.isSuccess(ending.value) && mirror !== undefined) {
        // What changed while it was read is for the next pass.
        if (index === lives.length) return compare(history, service, await mirror.readAll())
      } else if (Exit.isSuccess(ending.value)) {
        if (history.reader === "scan" && disk.checkpoint === undefined && history.until === undefined) {
          until = Timestamp.fromDate(new Date(begun))
        }
        return verify(history, service, disk, query, until)
      }
      const error = Exit.isSuccess(ending.value) ? undefined : Cause.squash(ending.value.cause)
      const tag = typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""
      if (Exit.isFailure(ending.value) && !known.has(tag)) return `a defect: ${Cause.pretty(ending.value.cause)}`
      if (Exit.isFailure(ending.value) && index === lives.length)
        return `failed although nothing was wrong any more: ${Cause.pretty(ending.value.cause)}`
    }
    now = then + 60_000
  }
  return "the last life died"
}

const instant = (age: number): Timestamp.Timestamp => Timestamp.fromDate(new Date(end - age))

const queryOf = ({ since, until }: History): CreatedAt.CreatedAt =>
  CreatedAt.and(
    since === undefined ? CreatedAt.all : CreatedAt.gt(instant(since)),
    until === undefined ? CreatedAt.all : CreatedAt.lte(instant(until)),
  )

type Opened = Awaited<ReturnType<Mirror["open"]>> | undefined

const readerOf =
  (history: History, pager: Pager, created_at: CreatedAt.CreatedAt, disk: Disk) =>
  (transport: HttpTransport["Service"], mirror: Opened) =>
    Effect.gen(function* () {
      const api = yield* Effect.orDie(
        HttpTransferApi.make({
          baseUrl: "https://service.example",
          partnerId: "demo",
          secretKey: Redacted.make("demo-secret"),
        }).pipe(Effect.provideService(HttpTransport, transport)),
      )
      const service = yield* Effect.provideService(pager, TransferApi, api)
      const { scan, transfers } = service
      const { limit, concurrency, windowSize } = history
      if (mirror !== undefined) return void (yield* sync(mirror, service, api, concurrency))
      if (history.reader === "pages") {
        return yield* Stream.runForEach(transfers({ created_at }, { limit }), (transfer) =>
          Effect.sync(() => void disk.transfers.push(transfer)),
        )
      }
      const resume = disk.checkpoint === undefined ? {} : { resume: disk.checkpoint }
      yield* Stream.runForEach(scan({ created_at }, { limit, concurrency, windowSize, ...resume }), (batch) =>
        Effect.gen(function* () {
          yield* Effect.sleep(1)
          // One transaction: a process dies before it, or after it.
          const checkpoint = Result.getOrThrow(Checkpoint.fromJson(JSON.stringify(batch.checkpoint)))
          if (disk.checkpoint !== undefined && !isAhead(checkpoint, disk.checkpoint)) {
            throw new Error(`the checkpoint goes back: ${JSON.stringify([disk.checkpoint, checkpoint])}`)
          }
          disk.transfers.push(...batch.results)
          disk.checkpoint = checkpoint
          yield* Effect.sleep(1)
        }),
      )
    }).pipe(Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken: history.lteToken }))

const isAhead = (next: Checkpoint.Checkpoint, before: Checkpoint.Checkpoint): boolean =>
  CreatedAt.implies(Checkpoint.remaining(next), Checkpoint.remaining(before)) &&
  next.transfers >= before.transfers &&
  next.query === before.query

const countsOf = ({ transfers, checkpoint }: Disk): string | undefined =>
  checkpoint === undefined || checkpoint.transfers === transfers.length
    ? undefined
    : `the checkpoint counts ${checkpoint.transfers} transfers, and ${transfers.length} were delivered`

/**
 * What must hold once a mirror was synced twice without a fault, the second time without a change. A transfer that
 * arrives long after its creation is for `verify` to find, and so is one that vanishes when it could change no more.
 */
const compare = (history: History, service: Service, mirrored: ReadonlyArray<Transfer>): string | undefined => {
  const byId = new Map(mirrored.map((transfer) => [String(transfer.id), transfer]))
  if (byId.size !== mirrored.length) return "the mirror has a transfer twice"
  const settles = history.changes.some(({ what }) => what === "hour")
  for (const { id } of service.created.values()) {
    const [actual, expected] = [byId.get(id), service.get(id)]
    if (expected === undefined && actual !== undefined && !settles) return `the mirror still has ${id}, which vanished`
    if (expected !== undefined && actual === undefined && !service.arrived.has(id)) return `the mirror lacks ${id}`
    if (expected === undefined || actual === undefined || service.arrived.has(id)) continue
    const [mine, theirs] = [actual, expected].map((transfer) => essenceOf(transfer))
    if (mine !== theirs) return `the mirror has ${mine} for ${theirs}`
  }
  return undefined
}

const essenceOf = (transfer: unknown): string => {
  const { id, status, updated_at } = JSON.parse(JSON.stringify(transfer))
  return JSON.stringify([id, status, updated_at, amountsOf(Object(transfer))])
}

/** What must hold once a reader is done. */
const verify = (
  history: History,
  service: Service,
  { transfers, checkpoint }: Disk,
  query: CreatedAt.CreatedAt,
  until: Timestamp.Timestamp | undefined,
): string | undefined => {
  const wanted = until === undefined ? query : CreatedAt.and(query, CreatedAt.lt(until))
  const times = new Map<string, number>()
  for (const transfer of transfers) {
    times.set(transfer.id, (times.get(transfer.id) ?? 0) + 1)
    const created = service.created.get(transfer.id)
    if (created === undefined) return `${transfer.id} does not exist`
    if (!CreatedAt.matches(wanted, transfer.created_at)) return `${transfer.id} was not asked for`
    if (amountsOf(transfer) !== created.amounts) return `${transfer.id} has other amounts: ${amountsOf(transfer)}`
  }
  const twice = [...times].filter(([, count]) => count > 1)
  if (twice.length > 0) return `${twice.length} transfers were delivered twice: ${twice[0]?.[0]}`
  const lost = [...service.created.values()].filter(
    ({ id, at }) =>
      !times.has(id) &&
      !service.arrived.has(id) &&
      !service.vanished.has(id) &&
      CreatedAt.matches(wanted, Timestamp.fromDate(new Date(at))),
  )
  if (lost.length > 0) return `${lost.length} of ${service.created.size} transfers were lost: ${lost[0]?.id}`
  if (checkpoint !== undefined && !Checkpoint.isComplete(checkpoint)) return "it is done, and its checkpoint is not"
  const pages = service.created.size / history.limit
  const most = (1 + history.lives.length + patience) * (200 + 20 * pages + 8 * history.concurrency)
  return service.requests > most ? `${service.requests} requests for ${Math.ceil(pages)} pages` : undefined
}
