/** `transfers-fake`. Stopped by a signal it ends with 0, with 2 where it cannot start as it was told to. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import manifest from "../package.json" with { type: "json" }
import { command } from "./Command.ts"
import * as Misuse from "./Misuse.ts"

/** What is wrong with the flags goes to stderr alone: the help on stdout would hide it. */
const present: CliOutput.Presenter["present"] = (event) =>
  event._tag === "InvalidInvocation"
    ? Effect.sync(() => {
        process.stderr.write(`${Misuse.explain(event.errors, process.env)}See transfers-fake --help.\n`)
      })
    : CliOutput.defaultPresenter.present(event)

/** Runs the program with the arguments of the process. */
export const main = (): void =>
  Command.run(command, { version: manifest.version }).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, CliOutput.layerPresenter({ present }))),
    // What is wrong with the flags has been said.
    Effect.tapError((error) =>
      Effect.sync(() => error._tag === "ShowHelp" || process.stderr.write(`transfers-fake: ${error.message}\n`)),
    ),
    Effect.tapDefect((defect) =>
      Effect.sync(() => process.stderr.write(`transfers-fake: unexpectedly, ${Cause.pretty(Cause.die(defect))}\n`)),
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
        const error = Cause.squash(exit.cause)
        const isHelp = typeof error === "object" && error !== null && "errors" in error && String(error.errors) === ""
        return onExit(isHelp ? 0 : 2)
      },
    }),
  )
