/** Prints events in each format, as they come. */
import { duration } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Csv from "@transferkit/files/formats/Csv"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import type { FailedCommand } from "@transferkit/mirror/EventDelivery"
import type { TransferEvent } from "@transferkit/mirror/TransferEvents"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import type { Output } from "../flags/Globals.ts"
import * as TransferTable from "../output/TransferTable.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"

/** An event; `seen_at` is printed if it is there. */
export type Printed = Omit<TransferEvent, "seen_at"> & { readonly seen_at?: string | undefined }

interface Options {
  readonly output: Output
  /** Whether rows of CSV say when an event was seen. */
  readonly hasSeenAt: boolean
  /** The time zone of the times that people see, unless it is UTC. */
  readonly timeZone?: DateTime.TimeZone | undefined
}

/** Begins the output, and returns how to print an event and how to end a JSON document. */
export const make = Effect.fnUntraced(function* ({ output, hasSeenAt, timeZone }: Options) {
  const screen = yield* Screen
  const seenAt = (cell: string | undefined) => (hasSeenAt ? [cell] : [])
  let printed = 0
  if (output === "csv") {
    const names = TransferColumns.flat.map(({ name }) => name)
    yield* screen.print(Csv.lines([["event", "previous_status", ...seenAt("seen_at"), ...names]], true))
  }
  return {
    print: (event: Printed) => {
      if (output === "table") return screen.draw(lineOf(event, screen, timeZone))
      // A list is begun by its first event.
      if (output === "json") return screen.print(`${printed++ === 0 ? "[" : ","}\n${JSON.stringify(event)}`)
      if (output === "ndjson") return screen.print(`${JSON.stringify(event)}\n`)
      const own = [event.event, event.previous_status, ...seenAt(event.seen_at)]
      return screen.print(Csv.lines([[...own, ...TransferColumns.toCells(event.transfer)]], false))
    },
    end: Effect.suspend(() => (output === "json" ? screen.print(printed === 0 ? "[]\n" : "\n]\n") : Effect.void)),
  }
})

/** Says that the command of an event failed. */
export const warn = Effect.fnUntraced(function* ({ reason, event, retryAfter }: FailedCommand) {
  const next = retryAfter === undefined ? "" : ` Retrying in ${duration(retryAfter)}.`
  yield* (yield* Screen).warn(`The command ${reason} for ${escapeControls(event.transfer.id)}.${next}\n`)
})

const lineOf = (
  { event, transfer, previous_status, seen_at }: Printed,
  screen: Screen["Service"],
  timeZone: DateTime.TimeZone | undefined,
): string => {
  const style = Style.make(screen.stdout)
  const was = previous_status === undefined || previous_status === transfer.status ? "" : `${previous_status} → `
  const at = seen_at === undefined ? (transfer.updated_at ?? transfer.created_at) : Timestamp.parseUnsafe(seen_at)
  const time = TransferTable.terminalTime(at, timeZone)
  const short = [
    event,
    escapeControls(transfer.external_id ?? transfer.id),
    escapeControls(was + (event === "vanished" ? "not found" : transfer.status)),
    TransferTable.money(transfer.source_total),
  ].join("  ")
  const destination = TransferTable.money(transfer.destination_total)
  const whole = destination === "" ? short : `${short} → ${destination}`
  const indent = " ".repeat(time.length + 2)
  const room = screen.stdout.columns - indent.length
  // On a narrow terminal, the source amount alone.
  const line = wrapAnsi(stringWidth(whole) > room ? short : whole, Math.max(1, room)).replaceAll("\n", `\n${indent}`)
  return `${style.quiet(time)}  ${line}\n`
}
