/**
 * Delivers what a sync has found: prints each event, and runs the command of `--exec` for it. The mirror keeps how far it
 * got, so after a crash an event may be delivered twice, never lost.
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

/** Delivers the events of a partner that were not delivered yet. */
export const delivery = Effect.fnUntraced(function* ({ output, exec }: Options) {
  const screen = yield* Screen
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
  return Effect.fnUntraced(function* (partner_id: string) {
    for (;;) {
      const events = yield* TransferEvents.undelivered(partner_id)
      const last = events.at(-1)
      if (last === undefined) return
      for (const { change_id, event } of events) {
        yield* print(event)
        if (exec === undefined) continue
        const failure = yield* EventCommand.run(exec, event)
        if (failure !== undefined) {
          const id = escapeControls(event.transfer.id)
          return yield* screen.note(
            `The command ${failure} for ${id}. This event is delivered again with the next pass.\n`,
          )
        }
        yield* TransferEvents.delivered(partner_id, change_id)
      }
      yield* TransferEvents.delivered(partner_id, last.change_id)
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
