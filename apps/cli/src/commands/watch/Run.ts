/** Runs `transfers watch`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { FileError } from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import { UndeliveredEvents } from "../../Failure.ts"
import { now } from "../../filter/Now.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as Delivery from "./Delivery.ts"
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
    if (output === "json" && !input.once) {
      return yield* new UsageError({
        message: "A watch has no end, so it cannot be one JSON document: use --output ndjson, or --once.",
      })
    }
    const at = yield* now
    const filter = yield* TransferFilter.read(input, globals)
    const since = CreatedAt.ranges(filter.query.created_at ?? CreatedAt.all)[0]?.lower?.at ?? at
    if (input.state !== undefined) {
      yield* FileLock.hold(input.state)
      yield* AtomicFile.removeLeftovers(input.state)
    }
    let state = (yield* loadState(input)) ?? WatchState.start(since, input.look_back)
    const deliver = yield* Delivery.make(input, output)
    for (;;) {
      const found = yield* poll(state, input, filter).pipe(
        Effect.catchIf(isTransient, (error) =>
          // A single poll must not pass for one that saw nothing.
          input.once ? Effect.fail(error) : Effect.as(warn(error.message, input), undefined),
        ),
      )
      if (found !== undefined) {
        const observed = WatchState.observe(state, found)
        const { terminalStatuses } = yield* Dialect
        const stateAfter = (delivered: ReadonlySet<string>) => {
          const after = WatchState.delivered(observed.state, delivered)
          return WatchState.prune(after, WatchState.windowStart(after, input.look_back), terminalStatuses)
        }
        const { delivered, failed } = yield* deliver(observed.events, filter.keeps, (done) =>
          saveState(stateAfter(done), input),
        )
        state = stateAfter(delivered)
        yield* saveState(state, input)
        if (input.once && failed > 0) {
          return yield* new UndeliveredEvents({
            failed,
            events: observed.events.length,
            retry:
              input.state === undefined
                ? "To retry in another run, keep the state with --state FILE."
                : "The next run with the same --state retries.",
          })
        }
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
