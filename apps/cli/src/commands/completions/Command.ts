/** `transfers completions` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { OfflineHelp } from "../../help/OfflineHelp.ts"
import { lazily } from "../../Lazy.ts"

/** The shells that can be completed for. */
const shells = ["bash", "zsh", "fish"] as const

const run = lazily(() => import("./Run.ts"))

/** `tree` returns the root command, which contains this one. */
export const completions = (tree: () => Command.Command.Any) =>
  Command.make(
    "completions",
    { shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("bash, zsh or fish")) },
    ({ shell }) => run({ shell, tree: tree() }),
  ).pipe(
    Command.annotate(OfflineHelp, true),
    Command.withDescription("Print a shell script that completes commands, flags and values."),
    Command.withExamples([
      { command: 'eval "$(transfers completions bash)"', description: "In ~/.bashrc" },
      { command: 'eval "$(transfers completions zsh)"', description: "In ~/.zshrc, after compinit" },
      {
        command: "transfers completions fish > ~/.config/fish/completions/transfers.fish",
        description: "Once, for fish",
      },
    ]),
  )
