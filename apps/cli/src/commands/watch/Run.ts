/** Runs `transfers watch`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { FileError } from "@transferkit/files/FileError"
import * as Csv from "@transferkit/files/formats/Csv"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { now } from "../../filter/Now.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals, Output } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as Style from "../../terminal/Style.ts"
import { UsageError } from "../../UsageError.ts"
import * as EventCommand from "./EventCommand.ts"
import * as WatchState from "./WatchState.ts"

/** The flags of the command. */
export interface Input extends TransferFilter.FilterFlags {
  readonly interval: number
  readonly look_back: number
  readonly state: string | undefined
  readonly exec: string | undefined
  readonly once: boolean
}

export const run = Effect.fn("transfers watch")(
  function* (input: Input, globals: Globals) {
    const output = yield* Report.outputOf(globals, "ndjson")
    if (output === "json") {
      return yield* new UsageError({
        message: "A watch has no end, so it cannot be one JSON document: use --output ndjson.",
      })
    }
    const at = yield* now
    const filter = yield* Effect.fromResult(TransferFilter.parse(input, at))
    const since = CreatedAt.ranges(filter.query.created_at ?? CreatedAt.all)[0]?.lower?.at ?? at
    if (input.state !== undefined) yield* FileLock.hold(input.state)
    let state = (yield* loadState(input)) ?? WatchState.start(since, input.look_back)
    const deliver = yield* delivery(input, output)
    for (;;) {
      const found = yield* poll(state, input, filter).pipe(
        Effect.catchIf(isTransient, (error) =>
          // A single poll must not pass for one that saw nothing.
          input.once ? Effect.fail(error) : Effect.as(warn(error.message, input), undefined),
        ),
      )
      if (found !== undefined) {
        const observed = WatchState.observe(state, found)
        yield* Effect.forEach(
          observed.events.filter((event) => filter.keeps(event.transfer)),
          deliver,
          { discard: true },
        )
        const dialect = yield* Dialect
        state = WatchState.prune(
          observed.state,
          WatchState.windowStart(observed.state, input.look_back),
          dialect.terminalStatuses,
        )
        yield* saveState(state, input)
      }
      if (input.once) return
      yield* Effect.sleep(Duration.seconds(input.interval))
    }
  },
  Effect.scoped,
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)

/** Errors after which the next poll may succeed. The client has already retried each. */
const isTransient = (error: { readonly _tag: string; readonly isRetryable?: boolean }): boolean =>
  error.isRetryable === true

const warn = Effect.fnUntraced(function* (message: string, input: Input) {
  const screen = yield* Screen
  yield* screen.note(`${escapeControls(message)} Retrying in ${input.interval} s.\n`)
})

/** All transfers of the window, and earlier ones that may have changed. */
const poll = Effect.fnUntraced(function* (
  state: WatchState.WatchState,
  input: Input,
  filter: TransferFilter.TransferFilter,
) {
  const pager = yield* TransferPager
  const { terminalStatuses } = yield* Dialect
  const from = WatchState.windowStart(state, input.look_back)
  const { external_id } = filter.query
  const collect = (created_at: CreatedAt.CreatedAt, id: string | undefined) =>
    Stream.runCollect(pager.transfers({ created_at, ...(id === undefined ? {} : { external_id: id }) }))
  const recent = yield* collect(CreatedAt.gte(from), external_id)
  const older = yield* Effect.forEach(
    WatchState.rechecks(state, from, terminalStatuses),
    (recheck) =>
      Effect.map(
        recheck.external_id === undefined
          ? collect(CreatedAt.and(CreatedAt.gte(recheck.created_at), CreatedAt.lte(recheck.created_at)), undefined)
          : collect(CreatedAt.all, recheck.external_id),
        (found) => found.filter(({ id }) => id === recheck.id),
      ),
    { concurrency: 4 },
  )
  return [...recent, ...older.flat()]
})

// ---------------------------------------------------------------------------------------------------- delivering

/** Prints an event, then runs the command for it. At-least-once: after a crash an event may be delivered twice, never lost. */
const delivery = Effect.fnUntraced(function* (input: Input, output: Exclude<Output, "json">) {
  const screen = yield* Screen
  if (output === "csv") {
    const names = TransferColumns.flat.map((column) => column.name)
    yield* screen.print(Csv.lines([["event", "previous_status", ...names]], true))
  }
  return Effect.fnUntraced(function* (event: WatchState.WatchEvent) {
    yield* screen.print(lineOf(event, output, screen))
    if (input.exec !== undefined) yield* EventCommand.run(input.exec, event)
  })
})

const lineOf = (event: WatchState.WatchEvent, output: Exclude<Output, "json">, screen: Screen["Service"]): string => {
  const { transfer, previous_status } = event
  if (output === "ndjson") return `${JSON.stringify(event)}\n`
  if (output === "csv") {
    return Csv.lines([[event.event, previous_status, ...TransferColumns.toCells(transfer)]], false)
  }
  const style = Style.make(screen.stdout)
  const was = previous_status === undefined || previous_status === transfer.status ? "" : `${previous_status} → `
  const time = TransferTable.terminalTime(transfer.updated_at ?? transfer.created_at)
  const short = [
    event.event,
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

// ---------------------------------------------------------------------------------------------------- state

const decode = S.decodeUnknownEffect(S.fromJsonString(WatchState.Schema))

const loadState = Effect.fnUntraced(function* (input: Input) {
  const path = input.state
  if (path === undefined || !(yield* TextFile.exists(path))) return undefined
  return yield* Effect.mapError(
    decode(yield* TextFile.read(path)),
    () => new FileError({ path, reason: "it is not the state of a watch: remove it to start again" }),
  )
})

const saveState = (state: WatchState.WatchState, input: Input) =>
  input.state === undefined
    ? Effect.void
    : AtomicFile.writeText(input.state, `${JSON.stringify(state)}\n`, { mode: 0o600 })
