/** Runs `transfers completions`. */
import type * as Command from "effect/cli/Command"
import * as CliCompletions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { only } from "../../flags/Globals.ts"
import * as Profiles from "../../service/Profiles.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as ShellCompletions from "./ShellCompletions.ts"

/** The arguments of the command. */
export interface Input {
  readonly shell: CliCompletions.Shell
  readonly tree: Command.Command.Any
}

export const run = Effect.fn("transfers completions")(function* (input: Input) {
  yield* only("completions", ["table"])
  const screen = yield* Screen
  // A broken file of profiles must not break the start of a shell.
  const profiles = yield* Effect.orElseSucceed(Profiles.load, () => ({}))
  const tree = CliCompletions.fromCommand(input.tree)
  yield* screen.print(`${ShellCompletions.script(input.shell, tree, Object.keys(profiles).filter(Profiles.isName))}\n`)
})
