/** `transfers-fake`. Exits with 0 when a signal stops it, with 2 if it cannot start. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { escapeLines } from "@transferkit/domain/SafeText"
import * as ProcessEnd from "@transferkit/report/ProcessEnd"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import manifest from "../package.json" with { type: "json" }
import { command } from "./Command.ts"
import { say } from "./Say.ts"
import * as UsageError from "./UsageError.ts"

/** Prints usage errors to stderr only: the help on stdout would hide them. */
const present: CliOutput.Presenter["present"] = (event) => {
  switch (event._tag) {
    case "Help":
      return Effect.promise(async () => {
        const page = `${(await import("./Help.ts")).render(event.helpDoc)}\n`
        if (!(await import("@transferkit/report/Pager")).show(page, process)) process.stdout.write(page)
      })
    case "InvalidInvocation":
      return Effect.sync(() => {
        process.stderr.write(
          `${escapeLines(UsageError.explain(event.errors, event.helpDoc))}See transfers-fake --help.\n`,
        )
      })
    default:
      return CliOutput.defaultPresenter.present(event)
  }
}

/** Runs the program with the arguments of the process. */
export const main = (): void => {
  const signals = heard()
  Command.run(command, { version: manifest.version }).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, CliOutput.layerPresenter({ present }))),
    // Usage errors are printed already.
    Effect.tapError((error) => Effect.sync(() => error._tag === "ShowHelp" || say(error.message))),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        const code = codeOf(exit)
        ProcessEnd.end({ code, signal: signals[0] }, () => onExit(code))
      },
    }),
  )
}

const codeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const error = Cause.squash(exit.cause)
  // Also one of the end that a signal asked for.
  if (Cause.hasDies(exit.cause)) say(textOf(error))
  const isHelp = CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0
  return isHelp ? 0 : 2
}

/** What a recording has at its end is known: its message is enough. */
const textOf = (defect: unknown): string =>
  defect instanceof Error &&
  (Predicate.isTagged(defect, "SecretRecorded") || Predicate.isTagged(defect, "UnwritableRecording"))
    ? defect.message
    : `unexpectedly, ${Cause.pretty(Cause.die(defect))}`

/** The signals that came. The second ends the process at once. */
const heard = (): ReadonlyArray<NodeJS.Signals> => {
  const signals: Array<NodeJS.Signals> = []
  const names = ["SIGINT", "SIGTERM"] as const
  for (const name of names) {
    process.on(name, () => {
      if (signals.push(name) === 1) return
      for (const each of names) process.removeAllListeners(each)
      process.kill(process.pid, name)
    })
  }
  return signals
}
