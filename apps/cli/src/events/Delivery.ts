/** Delivers the events of a watch: prints each, then runs the command of `--exec` for it, again if it failed. */
import type { Transfer } from "@transferkit/domain/Transfer"
import type { FileError } from "@transferkit/files/FileError"
import * as Csv from "@transferkit/files/formats/Csv"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import type { Output } from "../../flags/GlobalFlags.ts"
import { duration } from "../../output/Quantity.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as Style from "../../terminal/Style.ts"
import * as EventCommand from "./EventCommand.ts"
import type { WatchEvent } from "./WatchState.ts"

interface Options {
  readonly interval: number
  readonly exec: string | undefined
  readonly once: boolean
}

/** What became of some events. */
interface Outcome {
  /** The ids of the events that are done. */
  readonly delivered: ReadonlySet<string>
  /** How many events wait for another attempt of their command. */
  readonly failed: number
}

/** A failed command, and when it is due again. */
interface Failure {
  readonly attempts: number
  readonly dueMillis: number
}

/** Seconds before the next attempt never grow beyond this, or the polling interval if that is longer. */
const longestDelay = 300

/**
 * Makes the delivery of a watch. An event is done when its command has succeeded, and `save` is called with all that are
 * done. A failed one does not hold up the others. At-least-once: after a crash an event may be delivered twice, never lost.
 */
export const make = Effect.fnUntraced(function* ({ interval, exec, once }: Options, output: Output) {
  const screen = yield* Screen
  const failures = new Map<string, Failure>()
  let printed = 0
  if (output === "csv") {
    const names = TransferColumns.flat.map((column) => column.name)
    yield* screen.print(Csv.lines([["event", "previous_status", ...names]], true))
  }

  const print = (event: WatchEvent) => {
    if (output === "table") return screen.draw(lineOf(event, screen))
    // The list of a single poll is begun by its first event.
    if (output === "json") return screen.print(`${printed++ === 0 ? "[" : ","}\n${JSON.stringify(event)}`)
    if (output === "ndjson") return screen.print(`${JSON.stringify(event)}\n`)
    const cells = [event.event, event.previous_status, ...TransferColumns.toCells(event.transfer)]
    return screen.print(Csv.lines([cells], false))
  }

  /** Runs the command for an event that is due, and returns whether the event is done. */
  const execute = Effect.fnUntraced(function* (command: string, event: WatchEvent) {
    const { id } = event.transfer
    const before = failures.get(id)
    if (before !== undefined && (yield* Clock.currentTimeMillis) < before.dueMillis) return false
    const failure = yield* EventCommand.run(command, event)
    failures.delete(id)
    if (failure === undefined) return true
    const attempts = (before?.attempts ?? 0) + 1
    const delay = Math.min(interval * 2 ** (attempts - 1), Math.max(interval, longestDelay))
    failures.set(id, { attempts, dueMillis: (yield* Clock.currentTimeMillis) + delay * 1000 })
    const next = once ? "" : ` Retrying in ${duration(delay)}.`
    yield* screen.note(`The command ${failure} for ${escapeControls(id)}.${next}\n`)
    return false
  })

  return Effect.fnUntraced(function* <R>(
    events: ReadonlyArray<WatchEvent>,
    keeps: (transfer: Transfer) => boolean,
    save: (delivered: ReadonlySet<string>) => Effect.Effect<void, FileError, R>,
  ) {
    const delivered = new Set<string>()
    for (const event of events) {
      const { id } = event.transfer
      if (keeps(event.transfer)) {
        // An event is printed once, however often its command fails.
        if (!failures.has(id)) yield* print(event)
        if (exec !== undefined) {
          if (!(yield* execute(exec, event))) continue
          delivered.add(id)
          yield* save(delivered)
          continue
        }
      }
      delivered.add(id)
    }
    if (output === "json") yield* screen.print(printed === 0 ? "[]\n" : "\n]\n")
    const outcome: Outcome = { delivered, failed: events.length - delivered.size }
    return outcome
  })
})

const lineOf = ({ event, transfer, previous_status }: WatchEvent, screen: Screen["Service"]): string => {
  const style = Style.make(screen.stdout)
  const was = previous_status === undefined || previous_status === transfer.status ? "" : `${previous_status} → `
  const time = TransferTable.terminalTime(transfer.updated_at ?? transfer.created_at)
  const short = [
    event,
    escapeControls(transfer.external_id ?? transfer.id),
    escapeControls(was + transfer.status),
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
