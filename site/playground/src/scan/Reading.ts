/** Two readers of the same history: the pager's scan, and the loop over cursors that most scripts are. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Example from "./Example.ts"
import * as Service from "./Service.ts"

/** Creation times, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** One of the readers, as far as it got. Changed in place while it runs. */
export interface Reading {
  readonly exchanges: Array<Service.Exchange>
  /** Ids as they were delivered, repeats included. */
  readonly delivered: Array<string>
  /** The windows of the scan that are complete. */
  readonly complete: Array<Span>
  /** How it ended: done, or the message of its error. */
  end: { readonly at: number; readonly error: string | undefined } | undefined
}

/** A run of both, until it is stopped. */
export interface Run {
  readonly scan: Reading
  readonly loop: Reading
  readonly ids: ReadonlySet<string>
  /** Milliseconds since the start; of the end once both have ended. */
  readonly elapsed: () => number
  readonly isOver: () => boolean
  readonly stop: () => void
}

/** Starts both readers, each against a service of its own with the same transfers. */
export const start = (example: Example.Example): Run => {
  const startedAt = performance.now()
  const now = () => performance.now() - startedAt
  const [scan, loop] = [empty(), empty()]
  const services = [Service.make(example), Service.make(example)] as const
  const run = (reading: Reading, program: Effect.Effect<void, unknown>) =>
    Effect.runFork(
      Effect.map(Effect.exit(program), (exit) => {
        const error = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
        reading.end = { at: now(), error: error === undefined ? undefined : messageOf(error) }
      }),
    )
  const fibers = [
    run(scan, byScan(example, services[0].connect(scan.exchanges, now), scan)),
    run(loop, byCursor(example, services[1].connect(loop.exchanges, now), loop)),
  ]
  const isOver = () => scan.end !== undefined && loop.end !== undefined
  return {
    scan,
    loop,
    ids: services[0].ids,
    isOver,
    elapsed: () => (isOver() ? Math.max(scan.end?.at ?? 0, loop.end?.at ?? 0) : now()),
    stop: () => fibers.forEach((fiber) => Effect.runFork(Fiber.interrupt(fiber))),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const empty = (): Reading => ({ exchanges: [], delivered: [], complete: [], end: undefined })

const at = (millis: number): Timestamp.Timestamp => Timestamp.fromDate(new Date(millis))

/** What both are asked for: the later two thirds of the time that is shown. */
export const askedFor = (example: Example.Example): Span => {
  const { from, to } = Example.rangeOf(example)
  return { from: Math.ceil((from + (to - from) / 3) / 1000) * 1000, to }
}

const byScan = (example: Example.Example, api: TransferApi["Service"], reading: Reading) =>
  Effect.gen(function* () {
    const { scan } = yield* Effect.provideService(TransferPager.make, TransferApi, api)
    const { from, to } = askedFor(example)
    const { limit, windowSize } = example.history ?? {}
    const options = {
      concurrency: example.concurrency,
      ...(limit === undefined ? {} : { limit }),
      ...(windowSize === undefined ? {} : { windowSize }),
    }
    yield* Stream.runForEach(scan({ created_at: CreatedAt.between(at(from), at(to)) }, options), (batch) =>
      Effect.sync(() => {
        for (const { id } of batch.results) reading.delivered.push(id)
        for (const { lower, upper } of CreatedAt.ranges(batch.window)) {
          if (lower !== undefined && upper !== undefined) {
            reading.complete.push({ from: millisOf(lower.at), to: millisOf(upper.at) })
          }
        }
      }),
    )
  })

const millisOf = ({ epochNanoseconds }: Timestamp.Timestamp): number => Number(epochNanoseconds / 1_000_000n)

/**
 * Page after page by the cursor, from the newest, until a page ends before the start of the time that is asked for: right
 * if the service lists by creation time, and if no cursor is ever rejected. After a rejection it starts again, and takes
 * no transfer twice; what moved in between it does not see.
 */
const byCursor = (example: Example.Example, api: TransferApi["Service"], reading: Reading) =>
  Effect.gen(function* () {
    const { from } = askedFor(example)
    const limit = example.history?.limit ?? 20
    const seen = new Set<string>()
    let after_cursor: string | undefined
    for (;;) {
      const response = yield* Effect.result(
        api.search({ limit, ...(after_cursor === undefined ? {} : { after_cursor }) }),
      )
      if (response._tag === "Failure") {
        if (after_cursor === undefined) return yield* Effect.fail(response.failure)
        after_cursor = undefined
        continue
      }
      const { results, page_info } = response.success
      for (const { id, created_at } of results) {
        if (millisOf(created_at) >= from && !seen.has(id)) reading.delivered.push(id)
        seen.add(id)
      }
      const last = results.at(-1)
      if (!page_info.has_next_page || last === undefined || millisOf(last.created_at) < from) return
      after_cursor = page_info.end_cursor
    }
  })

/** What a reader lost and doubled, of the transfers that were asked for. */
export const compare = (example: Example.Example, ids: ReadonlySet<string>, { delivered }: Reading) => {
  const { from } = askedFor(example)
  const ages = Example.agesOf(example)
  const counts = new Map<string, number>()
  for (const id of delivered) counts.set(id, (counts.get(id) ?? 0) + 1)
  const asked = [...ids].filter((_, index) => Example.end - (ages[index] ?? 0) >= from)
  return {
    asked: asked.length,
    lost: asked.filter((id) => !counts.has(id)),
    doubled: [...counts.values()].filter((count) => count > 1).length,
  }
}
