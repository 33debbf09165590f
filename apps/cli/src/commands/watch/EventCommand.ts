/**
 * The command of `--exec`. Spawned by Node itself: its output goes to our standard error, and Effect's ChildProcess can
 * hand down only the same stream.
 */
import { spawn } from "node:child_process"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"

/** What to tell a command of. */
export interface CommandEvent {
  readonly event: string
  readonly transfer: Transfer
}

/** Runs a command for an event, with its JSON on standard input. A failing command is reported, and the watch continues. */
export const run = (command: string, event: CommandEvent): Effect.Effect<void, never, Screen> =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const code = yield* Effect.callback<number | null>((resume) => {
      const { TRANSFERS_SECRET_KEY: _, ...env } = process.env
      const child = spawn(command, {
        shell: true,
        stdio: ["pipe", 2, 2],
        env: {
          ...env,
          TRANSFER_EVENT: event.event,
          TRANSFER_ID: event.transfer.id,
          TRANSFER_STATUS: event.transfer.status,
        },
      })
      child.on("error", () => resume(Effect.succeed(127))).on("close", (exit) => resume(Effect.succeed(exit)))
      child.stdin?.on("error", () => {}).end(`${JSON.stringify(event)}\n`)
      return Effect.sync(() => child.kill())
    })
    if (code !== 0)
      yield* screen.note(`The command exited with ${code ?? "a signal"} for ${escapeControls(event.transfer.id)}.\n`)
  })
