/**
 * Delivers what a sync has found: prints each event, and runs the command of `--exec` for it. The mirror keeps how far it
 * got and what failed, so after a crash an event may be delivered twice, never lost.
 */
import * as Csv from "@transferkit/files/formats/Csv"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as TransferEvents from "@transferkit/mirror/TransferEvents"
import * as Effect from "effect/Effect"
import type { Output } from "../../flags/GlobalFlags.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as EventCommand from "../watch/EventCommand.ts"

interface Options {
  /** How to print them, if at all. One JSON document has no place for them. */
  readonly output: Output | undefined
  readonly exec: string | undefined
}

/** What became of some events. */
export interface Outcome {
  readonly events: number
  /** How many of them wait for another attempt of their command. */
  readonly failed: number
}

/**
 * Delivers the events of a partner that were not delivered yet. One whose command fails is retried with the next pass;
 * until then the later events of the same transfer wait, so that each transfer's events stay in order.
 */
export const delivery = Effect.fnUntraced(function* ({ output, exec }: Options) {
  const screen = yield* Screen
  const failures = new Set<bigint>()
  const print = (event: TransferEvents.TransferEvent) => {
    if (output === "ndjson") return screen.print(`${JSON.stringify(event)}\n`)
    if (output === "table") return screen.print(lineOf(event))
    const cells = [event.event, event.previous_status, event.seen_at, ...TransferColumns.toCells(event.transfer)]
    return output === "csv" ? screen.print(Csv.lines([cells], false)) : Effect.void
  }
  if (output === "csv") {
    const names = TransferColumns.flat.map(({ name }) => name)
    yield* screen.print(Csv.lines([["event", "previous_status", "seen_at", ...names]], true))
  }

  /** Runs the command, and returns whether it succeeded. */
  const execute = Effect.fnUntraced(function* (command: string, event: TransferEvents.TransferEvent) {
    const failure = yield* EventCommand.run(command, event)
    if (failure === undefined) return true
    const id = escapeControls(event.transfer.id)
    yield* screen.note(`The command ${failure} for ${id}. This event is delivered again with the next pass.\n`)
    return false
  })

  return Effect.fnUntraced(function* (partner_id: string) {
    const waiting = new Set<string>()
    let [after, events, failed] = [0n, 0, 0]
    for (;;) {
      const batch = yield* TransferEvents.undelivered(partner_id, after)
      const last = batch.at(-1)
      if (last === undefined) return { events, failed } satisfies Outcome
      for (const { change_id, event } of batch) {
        // An event is printed once, however often its command fails.
        if (!failures.delete(change_id)) yield* print(event)
        if (exec === undefined) continue
        if (!waiting.has(event.transfer.id) && (yield* execute(exec, event))) {
          yield* TransferEvents.delivered(partner_id, [change_id])
          continue
        }
        waiting.add(event.transfer.id)
        failures.add(change_id)
        yield* TransferEvents.failed(partner_id, change_id)
        failed++
      }
      if (exec === undefined) {
        yield* TransferEvents.delivered(
          partner_id,
          batch.map(({ change_id }) => change_id),
        )
      }
      after = last.change_id
      events += batch.length
    }
  })
})

const lineOf = ({ event, previous_status, transfer, seen_at }: TransferEvents.TransferEvent): string => {
  const was = previous_status === undefined || previous_status === transfer.status ? "" : `${previous_status} → `
  const parts = [
    seen_at.slice(0, 19).replace("T", " "),
    event,
    transfer.external_id ?? transfer.id,
    `${was}${event === "vanished" ? "not found" : transfer.status}`,
    TransferTable.money(transfer.source_total),
  ]
  return `${parts
    .filter((part) => part !== "")
    .map(escapeControls)
    .join("  ")}\n`
}
