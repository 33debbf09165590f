/** A worker of `transfers export`: reads the windows that standard input names, and prints what it finds. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as TransferPager from "@transferkit/domain/TransferPager"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as SharedRate from "../../mirror/SharedRate.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as WindowLines from "./WindowLines.ts"

/** Reads windows until standard input ends. `to` is a mirror that deals the permits for requests. */
export const run = ({ to, concurrency }: { readonly to: string; readonly concurrency: number }, globals: Globals) =>
  Effect.gen(function* () {
    const pager = yield* TransferPager.TransferPager
    const { stdin } = yield* Stdio.Stdio
    const { print } = yield* Screen
    const windows = yield* Queue.unbounded<string>()
    let isStopped = false
    const listen = stdin.pipe(
      Stream.orDie,
      Stream.decodeText,
      Stream.splitLines,
      Stream.runForEach((line) =>
        Effect.suspend(() => {
          if (line !== WindowLines.stop) return Queue.offer(windows, line)
          isStopped = true
          return Effect.void
        }),
      ),
    )
    const read = Effect.fnUntraced(function* (window: string) {
      isStopped = false
      const created_at = Checkpoint.remaining(Result.getOrThrow(Checkpoint.fromJson(window)))
      const report = yield* Ref.make(TransferPager.emptyReport)
      yield* Stream.runForEachWhile(
        pager.scan({ created_at }, { report, concurrency }),
        Effect.fnUntraced(function* ({ results, checkpoint, expected }) {
          const { tally } = yield* Ref.get(report)
          const texts = results.map((transfer) => JSON.stringify(transfer))
          const after = `${WindowLines.mark}${WindowLines.encodeBatch({ checkpoint, expected, tally })}`
          yield* print(`${[...texts, after].join("\n")}\n`)
          return !isStopped
        }),
      )
      yield* print(`${WindowLines.end}\n`)
    })
    const work = Effect.forever(Effect.flatMap(Queue.take(windows), read))
    yield* SharedRate.share(yield* Settings.partnerOf(globals))(Effect.raceFirst(listen, work))
  }).pipe(Effect.provide(Layers.service(globals)), Effect.provide(TransferMirror.layer(to)))
