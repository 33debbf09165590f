/** The processes of `--workers`: each runs `transfers worker`, and ends when no window is left, or with this one. */
import * as Effect from "effect/Effect"
import type { Globals } from "../../flags/GlobalFlags.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as WorkerProcess from "../worker/WorkerProcess.ts"

/** What to start. */
export interface Options {
  readonly to: string
  readonly workers: number
  readonly concurrency: number
}

/** Starts the processes besides this one, and waits for them. */
export const run = ({ to, workers, concurrency }: Options, globals: Globals): Effect.Effect<void, never, Screen> => {
  const args = ["--once", "--concurrency", String(concurrency), ...WorkerProcess.flagsOf(globals)]
  const one = Effect.flatMap(Screen, ({ note }) =>
    Effect.flatMap(ended(args, to), (how) =>
      how === undefined ? Effect.void : note(`A worker ended early: ${how}\n`),
    ),
  )
  return Effect.forEach(Array.from({ length: workers - 1 }), () => one, { concurrency: "unbounded", discard: true })
}

/** How the program ended, unless it did as it should. */
const ended = (args: ReadonlyArray<string>, to: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const child = WorkerProcess.start(args, to, ["ignore", "ignore", "inherit"])
    child
      .on("error", ({ message }) => resume(Effect.succeed(message)))
      .on("close", (code, signal) => resume(Effect.succeed(WorkerProcess.early(code, signal))))
    return Effect.sync(() => child.kill())
  })
