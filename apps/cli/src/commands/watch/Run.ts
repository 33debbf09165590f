/** Runs `transfers watch`: a sync with a mirror of its own, which begins when the watch does. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as EventDelivery from "@transferkit/mirror/EventDelivery"
import * as MirrorFollower from "@transferkit/mirror/MirrorFollower"
import * as MirrorStart from "@transferkit/mirror/MirrorStart"
import * as MirrorSync from "@transferkit/mirror/MirrorSync"
import type { TransferEvent } from "@transferkit/mirror/TransferEvents"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as EventPrinter from "../../events/EventPrinter.ts"
import { UndeliveredEvents, WatchBegunAhead } from "../../Failure.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import { now } from "../../filter/Now.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import * as Report from "../../output/Report.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"

/** The flags of the command. */
export interface Input extends Omit<FilterFlags, "until" | "stuck"> {
  readonly interval: number
  readonly look_back: number
  readonly state: string | undefined
  readonly exec: string | undefined
  readonly once: boolean
}

/** Rejects flags that contradict each other or cannot be read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  const output = yield* Report.streamedOutputOf("ndjson")
  if (output === "json" && !input.once) {
    return yield* new UsageError({
      message: "A watch has no end, so it cannot be one JSON document: use --output ndjson, or --once.",
    })
  }
  yield* GivenFilter.parse(input)
  return output
})

export const run = Effect.fn("transfers watch")(function* (input: Input) {
  const output = yield* check(input)
  const at = yield* now
  const filter = yield* GivenFilter.read(input)
  const given = CreatedAt.ranges(filter.query.created_at ?? CreatedAt.all)[0]?.lower?.at
  const since = given ?? at
  const partner_id = yield* Settings.partner
  const printer = yield* EventPrinter.make({ output, hasSeenAt: false, timeZone: filter.timeZone })
  const deliver = EventDelivery.make({
    command: input.exec,
    env: process.env,
    interval: input.once ? undefined : input.interval,
    print: printer.print,
    select: select(filter),
    onFailure: EventPrinter.warn,
  })
  // An instant or a day means the same by any clock.
  const { since: fixed } = TimeSpan.fixed({ since: input.since }, { now: at })
  const isByClock = given === undefined || fixed !== input.since
  const watched = { partner_id, since, clock: isByClock ? at : undefined, input }
  const poll = Effect.andThen(read(watched), deliver(partner_id))
  // A single poll must not pass for one that saw nothing.
  const once = Effect.flatMap(poll, (outcome) =>
    Effect.andThen(printer.end, Effect.andThen(confirm(watched), conclude(outcome, input, output))),
  )
  const follow = MirrorFollower.follow(Effect.andThen(poll, confirm(watched)), {
    interval: Duration.seconds(input.interval),
    onRetry: ({ message }) => warn(message, input),
  })
  yield* input.once ? once : follow
})

interface Watch {
  readonly partner_id: string
  readonly since: Timestamp.Timestamp
  /** What the clock said, if `since` follows from it. */
  readonly clock: Timestamp.Timestamp | undefined
  readonly input: Input
}

/** Transfers created shortly before the watch began are tracked but not reported as new. */
const read = Effect.fnUntraced(function* ({ partner_id, since, clock, input }: Watch) {
  const lookBack = Duration.seconds(input.look_back)
  if (!(yield* MirrorStart.hasBegun(partner_id))) {
    const pager = yield* TransferPager
    const from = Timestamp.lookBack(since, lookBack)
    const known = yield* Stream.runCollect(pager.transfers({ created_at: CreatedAt.between(from, since) }))
    yield* MirrorStart.begin({ partner_id, from, watermark: since, clock, known })
  }
  yield* MirrorSync.sync({ partner_id, lookBack, rereads: 0 })
})

/** Only after what was found has been delivered: nothing else may ever deliver it. */
const confirm = Effect.fnUntraced(function* ({ partner_id, input: { state } }: Watch) {
  const begun = yield* MirrorStart.begunAhead(partner_id)
  if (begun !== undefined) return yield* new WatchBegunAhead({ state, begun: begun.text })
})

/** A transfer that reappears unchanged is not reported. */
const select =
  ({ query: { external_id }, keeps }: TransferFilter.TransferFilter) =>
  ({ event, transfer, previous_status }: TransferEvent): EventPrinter.Printed | undefined =>
    event !== "vanished" && keeps(transfer) && (external_id === undefined || transfer.external_id === external_id)
      ? {
          event: event === "reappeared" ? "changed" : event,
          ...(previous_status === undefined ? {} : { previous_status }),
          transfer,
        }
      : undefined

const conclude = ({ failed, events }: EventDelivery.Outcome, { state, since }: Input, output: string) =>
  failed > 0
    ? new UndeliveredEvents({
        failed,
        events,
        retry:
          state === undefined
            ? "To retry in another run, keep the state with --state FOLDER."
            : "The next run with the same --state retries.",
      })
    : events > 0 || output !== "table"
      ? Effect.void
      : Effect.flatMap(Screen, ({ note }) =>
          note(
            state === undefined && since === undefined
              ? "No transfer is new or changed: the watch began just now. Go on from the last run with --state FOLDER, or begin earlier with --since TIME.\n"
              : "No transfer is new or changed.\n",
          ),
        )

const warn = Effect.fnUntraced(function* (message: string, input: Input) {
  const screen = yield* Screen
  yield* screen.warn(`${escapeControls(message)} Retrying in ${input.interval} s.\n`)
})
