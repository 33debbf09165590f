/**
 * Delivers what a sync has found: prints each event, and runs a command for it, again if it failed. The mirror keeps which
 * events are pending, so after a crash one may be delivered twice, never lost. While the mirror is away, this process knows
 * what it has delivered.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as EventCommand from "./internal/EventCommand.ts"
import type { MirrorError } from "./MirrorError.ts"
import * as TransferEvents from "./TransferEvents.ts"
import type { TransferMirror } from "./TransferMirror.ts"

/** A command that failed for an event. */
export interface FailedCommand {
  /** How, such as `exited with 3`. */
  readonly reason: string
  readonly event: TransferEvents.DeliveredEvent
  /** Seconds until it is due again; none if there is only one pass. */
  readonly retryAfter: number | undefined
}

/** How to deliver events. */
export interface Options<Event extends TransferEvents.DeliveredEvent, E, R> {
  /** A command of the shell, with the JSON of an event on standard input; none if events are only printed. */
  readonly command: string | undefined
  /** What the command inherits, less the secrets of TransferKit. */
  readonly env: NodeJS.ProcessEnv
  /** Seconds between two passes; none if there is only one. */
  readonly interval: number | undefined
  /** What to deliver of an event; nothing if it is of no interest. */
  readonly select: (event: TransferEvents.TransferEvent) => Event | undefined
  /** Prints an event, once, however often its command fails. */
  readonly print: (event: Event) => Effect.Effect<void, E, R>
  readonly onFailure: (failed: FailedCommand) => Effect.Effect<void, E, R>
}

/** The outcome of a delivery. */
export interface Outcome {
  readonly events: number
  /** How many of them wait for another attempt of their command. */
  readonly failed: number
}

/** Delivers the pending events of a partner. */
export type Deliver<E, R> = (partner_id: string) => Effect.Effect<Outcome, MirrorError | E, TransferMirror | R>

/** A failed command, and when it is due again. */
interface Failure {
  readonly attempts: number
  readonly dueMillis: number
}

/** Seconds before the next attempt never grow beyond this, or the interval if that is longer. */
const longestDelay = 300

/**
 * Makes the delivery of the pending events of partners. One whose command fails is retried with later passes, at first
 * with the next one and then less and less often; until then the later events of the same transfer wait, so that each
 * transfer's events stay in order. It does not hold up other transfers.
 *
 * @example
 * const silent = { print: () => Effect.void, onFailure: () => Effect.void }
 * const options = { command: "exit 3", env: {}, interval: undefined, select: (event) => event, ...silent }
 * const deliver = EventDelivery.make(options)
 * await run(deliver("demo")) // => { events: 0, failed: 0 }
 */
export const make = <Event extends TransferEvents.DeliveredEvent, E, R>({
  command,
  env,
  interval,
  select,
  print,
  onFailure,
}: Options<Event, E, R>): Deliver<E, R> => {
  const failures = new Map<bigint, Failure>()
  const printed = new Set<bigint>()
  /** Delivered, and not recorded while the mirror is away. */
  const unrecorded = new Set<bigint>()

  /** Runs the command if it is due, and returns whether it succeeded. */
  const execute = Effect.fnUntraced(function* (text: string, change_id: bigint, event: Event) {
    const before = failures.get(change_id)
    if (before !== undefined && (yield* Clock.currentTimeMillis) < before.dueMillis) return false
    const reason = yield* EventCommand.run(text, event, env)
    failures.delete(change_id)
    if (reason === undefined) return true
    const attempts = (before?.attempts ?? 0) + 1
    const retryAfter =
      interval === undefined ? undefined : Math.min(interval * 2 ** (attempts - 1), Math.max(interval, longestDelay))
    failures.set(change_id, { attempts, dueMillis: (yield* Clock.currentTimeMillis) + (retryAfter ?? 0) * 1000 })
    yield* onFailure({ reason, event, retryAfter })
    return false
  })

  const record = Effect.fnUntraced(function* (partner_id: string, change_ids: ReadonlyArray<bigint>) {
    for (const change_id of change_ids) unrecorded.add(change_id)
    yield* TransferEvents.delivered(partner_id, change_ids)
    for (const change_id of change_ids) unrecorded.delete(change_id)
  })

  return Effect.fnUntraced(function* (partner_id: string) {
    const waiting = new Set<string>()
    let [events, failed] = [0, 0]
    let last: TransferEvents.Positioned | undefined
    for (;;) {
      const batch: ReadonlyArray<TransferEvents.Positioned> = yield* TransferEvents.pending(partner_id, last)
      last = batch.at(-1)
      if (last === undefined) return { events, failed } satisfies Outcome
      const done: Array<bigint> = []
      for (const { change_id, event } of batch) {
        const selected = select(event)
        if (selected === undefined || unrecorded.has(change_id)) {
          done.push(change_id)
          continue
        }
        events++
        if (!printed.delete(change_id)) yield* print(selected)
        const { id } = selected.transfer
        if (command === undefined) done.push(change_id)
        else if (!waiting.has(id) && (yield* execute(command, change_id, selected))) {
          yield* record(partner_id, [change_id])
        } else {
          waiting.add(id)
          printed.add(change_id)
          failed++
        }
      }
      yield* record(partner_id, done)
    }
  })
}
