/** Help and versions on standard output, usage errors on standard error. */
import * as CommandLine from "@transferkit/report/CommandLine"
import * as HelpPage from "@transferkit/report/HelpPage"
import * as CliOutput from "effect/cli/CliOutput"
import type { Command } from "effect/cli/Command"
import * as CliCompletions from "effect/cli/Completions"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ErrorReport from "../output/ErrorReport.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"
import * as UsageError from "../UsageError.ts"
import * as HelpContent from "./HelpContent.ts"

/** The presenter. With `json`, errors are JSON, and so is the help: the command and all below it in the tree. */
export const layer = (options: { readonly json: boolean; readonly tree: Command.Any }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const screen = yield* Screen
      const page = { width: Math.min(screen.stdout.columns, 80), style: Style.make(screen.stdout) }
      return CliOutput.layerPresenter({
        present: (event) => {
          switch (event._tag) {
            case "Help":
              return printed(
                screen.page(
                  options.json
                    ? described(options.tree, event.helpDoc)
                    : `${HelpPage.render(HelpContent.of(event.helpDoc), page)}\n`,
                ),
              )
            case "Version":
              return printed(screen.print(`${event.name} ${event.version}\n`))
            case "InvalidInvocation": {
              const flags = HelpContent.flagsOf(event.helpDoc)
              const [example] = event.helpDoc.examples ?? []
              const shown = example && CommandLine.fold(example.command, 80)
              const about = { command: event.commandPath.join(" "), flags, example: shown }
              const error = UsageError.ofCliErrors(event.errors, about)
              return screen.fail(ErrorReport.render(error, options), options)
            }
          }
        },
      })
    }),
  )

/** A presenter has no errors, so a full disk is a defect. */
const printed = (print: ReturnType<Screen["Service"]["print"]>): Effect.Effect<void> =>
  Effect.orDie(Effect.catchTag(print, "OutputClosed", () => Effect.void))

const described = (tree: Command.Any, { commandPath = [] }: HelpDoc): string => {
  let command = CliCompletions.fromCommand(tree)
  for (const word of commandPath) command = command.subcommands.find(({ name }) => name === word) ?? command
  return `${JSON.stringify(command)}\n`
}
