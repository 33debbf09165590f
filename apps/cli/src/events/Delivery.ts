/**
 * Delivers what a sync has found: prints each event, and runs the command of `--exec` for it, again if it failed. The
 * mirror keeps which events are pending, so after a crash one may be delivered twice, never lost. While the mirror is away,
 * this process knows what it has delivered.
 */
import { duration } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as EventCommand from "@transferkit/mirror/EventCommand"
import * as TransferEvents from "@transferkit/mirror/TransferEvents"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Screen } from "../terminal/Screen.ts"
import type { Printed } from "./EventPrinter.ts"

interface Options<E> {
  readonly exec: string | undefined
  /** Seconds between two passes; none if there is only one. */
  readonly interval: number | undefined
  readonly print: (event: Printed) => Effect.Effect<void, E>
  /** What to deliver of an event; nothing if it is of no interest. */
  readonly select?: (event: TransferEvents.TransferEvent) => Printed | undefined
}

/** The outcome of a delivery. */
export interface Outcome {
  readonly events: number
  /** How many of them wait for another attempt of their command. */
  readonly failed: number
}

/** A failed command, and when it is due again. */
interface Failure {
  readonly attempts: number
  readonly dueMillis: number
}

/** Seconds before the next attempt never grow beyond this, or the interval if that is longer. */
const longestDelay = 300

/**
 * Makes the delivery of the pending events of a partner. One whose command fails is retried with later passes, at first
 * with the next one and then less and less often; until then the later events of the same transfer wait, so that each
 * transfer's events stay in order. It does not hold up other transfers.
 */
export const make = Effect.fnUntraced(function* <E>({ exec, interval, print, select = (event) => event }: Options<E>) {
  const screen = yield* Screen
  const failures = new Map<bigint, Failure>()
  const printed = new Set<bigint>()
  /** Delivered, and not recorded while the mirror is away. */
  const unrecorded = new Set<bigint>()

  /** Runs the command if it is due, and returns whether it succeeded. */
  const execute = Effect.fnUntraced(function* (command: string, change_id: bigint, event: Printed) {
    const before = failures.get(change_id)
    if (before !== undefined && (yield* Clock.currentTimeMillis) < before.dueMillis) return false
    const failure = yield* EventCommand.run(command, event, process.env)
    failures.delete(change_id)
    if (failure === undefined) return true
    const attempts = (before?.attempts ?? 0) + 1
    const delay =
      interval === undefined ? 0 : Math.min(interval * 2 ** (attempts - 1), Math.max(interval, longestDelay))
    failures.set(change_id, { attempts, dueMillis: (yield* Clock.currentTimeMillis) + delay * 1000 })
    const next = interval === undefined ? "" : ` Retrying in ${duration(delay)}.`
    yield* screen.warn(`The command ${failure} for ${escapeControls(event.transfer.id)}.${next}\n`)
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
        // An event is printed once, however often its command fails.
        if (!printed.delete(change_id)) yield* print(selected)
        const { id } = selected.transfer
        if (exec === undefined) done.push(change_id)
        else if (!waiting.has(id) && (yield* execute(exec, change_id, selected))) {
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
})
