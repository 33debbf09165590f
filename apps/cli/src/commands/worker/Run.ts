/** Runs `transfers worker`. */
import { counted } from "@transferkit/domain/Quantity"
import * as MirrorWorkers from "@transferkit/mirror/MirrorWorkers"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Globals, only, withoutRows } from "../../flags/Globals.ts"
import * as MirrorTarget from "../../mirror/MirrorTarget.ts"
import * as SharedRate from "../../mirror/SharedRate.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import * as Accounts from "../sync/Accounts.ts"
import * as WorkerParent from "../sync/WorkerParent.ts"

/** The flags of the command. */
export interface Input {
  readonly to: string | undefined
  readonly concurrency: number
  readonly name: string | undefined
  readonly metrics: string | undefined
  readonly once: boolean
}

/** The server of `--metrics`, not yet listening. */
const metricsAt = Effect.fnUntraced(function* (text: string) {
  const MetricsServer = yield* Effect.promise(() => import("../../telemetry/MetricsServer.ts"))
  const at = yield* Effect.fromResult(MetricsServer.parseAddress(text))
  return { serve: (ready: Parameters<typeof MetricsServer.serve>[1]) => MetricsServer.serve(at, ready) }
})

export const run = Effect.fn("transfers worker")(function* (input: Input) {
  preferSmallHeap()
  WorkerParent.endWith()
  yield* only("worker", withoutRows)
  if ((yield* Globals).from !== undefined)
    return yield* new UsageError({ message: "worker reads the service: remove --from." })
  const to = yield* MirrorTarget.of(input.to, "worker")
  const metrics = input.metrics === undefined ? undefined : yield* metricsAt(input.metrics)
  const accounts = yield* Accounts.all
  const screen = yield* Screen
  const one = ({ partner_id, services }: Accounts.Account) => {
    const { concurrency, name: worker = MirrorWorkers.nameHere } = input
    const onWindow = (transfers: number) =>
      screen.say(`${partner_id}: read a window of ${counted(transfers, "transfer")}`)
    const options = { partner_id, worker, concurrency, ...(input.once ? {} : { onWindow }) }
    const work = SharedRate.share(partner_id)(MirrorWorkers.work(options))
    // The database may be restarting. The transfers of another service stay where they are.
    const retried = Effect.retry(work, {
      schedule: Schedule.spaced("1 second"),
      while: (error) => "isRetryable" in error && error.isRetryable,
    })
    const task = input.once ? Effect.raceFirst(work, MirrorWorkers.finish(partner_id)) : retried
    // The windows of the other partners are read before this process ends.
    return Effect.catchTag(Effect.asVoid(Effect.provide(task, services)), "WindowsFailed", Effect.succeed)
  }
  yield* Effect.gen(function* () {
    const { address, ping } = yield* TransferMirror
    if (metrics !== undefined) yield* metrics.serve(ping)
    if (!input.once) {
      const whose = accounts.map(({ partner_id }) => partner_id).join(", ")
      yield* screen.say(`Waiting for windows of ${whose} in ${address}`)
    }
    const ended = yield* Effect.forEach(accounts, one, { concurrency: "unbounded" })
    const failure = ended.find((it) => it !== undefined)
    if (failure === undefined) return
    // A sync that has started this process says the same, and ends it meanwhile.
    yield* Effect.sleep("1 second")
    return yield* failure
  }).pipe(Effect.scoped, Effect.provide(TransferMirror.layer(to)))
}, Effect.scoped)
