/** What `transfers completions` does. */
import type * as Command from "effect/cli/Command"
import * as CliCompletions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import * as Profiles from "../../service/Profiles.ts"
import { Screen } from "../../terminal/Screen.ts"
import type { shells } from "./Command.ts"
import * as ShellCompletions from "./ShellCompletions.ts"

/** The arguments of the command. */
export interface Input {
  readonly shell: (typeof shells)[number]
  readonly tree: Command.Command.Any
}

export const run = Effect.fn("transfers completions")(function* (input: Input) {
  const screen = yield* Screen
  // A shell that starts should not stumble over a file of profiles that is broken.
  const profiles = yield* Effect.orElseSucceed(Profiles.load, () => ({}))
  const tree = CliCompletions.fromCommand(input.tree)
  yield* screen.print(`${ShellCompletions.script(input.shell, tree, Object.keys(profiles).filter(Profiles.isName))}\n`)
})
