/** A run of the program: the command line in, an exit code out, and everything that is not data on standard error. */
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { FileError } from "@transferkit/files/FileError"
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as ProcessEnd from "@transferkit/report/ProcessEnd"
import * as Cause from "effect/Cause"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { commandTree } from "./CommandTree.ts"
import * as ExitCode from "./ExitCode.ts"
import * as DashValues from "./flags/DashValues.ts"
import * as Layers from "./Layers.ts"
import * as ErrorReport from "./output/ErrorReport.ts"
import { leaveSignalsToTheSystem } from "./OwnProcess.ts"
import { Rerun } from "./Rerun.ts"
import { Screen } from "./terminal/Screen.ts"

/** Runs the command line and ends the process. */
export const main = (args: ReadonlyArray<string>, version: string): void => {
  const signals = listenToSignals()
  // A run goes on after the reader of its log has closed it.
  process.stderr.on("error", () => {})
  program(args, { version, screen: Screen.layer(screenOptions(args)) }).pipe(
    Effect.ensuring(Effect.sync(() => (signals.isCleaningUp = true))),
    Effect.provide(telemetry(version)),
    Effect.provideService(Rerun, { file: process.execPath, program: programOf(process), args }),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        const code = codeOf(exit, signals.first)
        ProcessEnd.end({ code, signal: signals.first }, () => onExit(code))
      },
    }),
  )
}

/** What Node runs; a single executable is Node and the program, and has its own path there. */
const programOf = ({ execArgv, execPath, argv: [, program = ""] }: NodeJS.Process): ReadonlyArray<string> =>
  program === execPath ? [] : [...execArgv, program]

/** Loaded if the environment names a collector. */
const telemetry = (version: string): Layer.Layer<never> =>
  (process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "") === ""
    ? Layer.empty
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./telemetry/Telemetry.ts")),
          ({ layer }) => layer(version),
        ),
      )

/** The exit code of a command line, on any screen. */
export const program = (
  args: ReadonlyArray<string>,
  { version, screen }: { readonly version: string; readonly screen: Layer.Layer<Screen> },
): Effect.Effect<number> => {
  const options = { json: isForScript(args), tree: commandTree }
  const given = DashValues.join(args)
  return Effect.suspend(() => DashValues.check(given, commandTree)).pipe(
    Effect.andThen(Command.runWith(commandTree, { version })(given)),
    Effect.as(ExitCode.done),
    // A presenter has no errors of its own.
    Effect.catchDefect((defect) => (defect instanceof FileError ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError(unwrapped),
    Effect.catch((failure) =>
      Effect.as(
        ErrorReport.isSilent(failure) ? Effect.void : fail(ErrorReport.render(failure, options), options),
        ExitCode.of(failure),
      ),
    ),
    Effect.catchDefect((defect) =>
      Effect.as(fail(ErrorReport.renderDefect(defect, options), options), ExitCode.defect),
    ),
    Effect.provide(Layers.platform(screen, options)),
  )
}

/** The error of a source is shown as that of its adapter. */
const unwrapped = (failure: ExitCode.Failure): ExitCode.Failure => {
  const cause = "cause" in failure ? failure.cause : undefined
  return cause instanceof FileError || cause instanceof MirrorError ? cause : failure
}

const fail = (text: string, options: { readonly json: boolean }) =>
  Effect.flatMap(Screen, (screen) => screen.fail(text, options))

/** The flags that decide how errors look, which are needed even if the rest of the command line cannot be read. */
const display = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    strict: false,
    options: {
      output: { type: "string", short: "o" },
      quiet: { type: "boolean", short: "q" },
      "no-color": { type: "boolean" },
    },
  }).values

const isForScript = (args: ReadonlyArray<string>): boolean => ["json", "ndjson"].includes(String(display(args).output))

const screenOptions = (args: ReadonlyArray<string>) => {
  const given = display(args)
  return { noColour: given["no-color"] === true, isQuiet: given.quiet === true }
}

const codeOf = (exit: Exit.Exit<unknown, unknown>, signal: Signal | undefined): number => {
  if (Exit.isSuccess(exit)) return typeof exit.value === "number" ? exit.value : ExitCode.done
  return Cause.hasInterruptsOnly(exit.cause) ? ExitCode.ofSignal[signal ?? "SIGINT"] : ExitCode.defect
}

type Signal = keyof typeof ExitCode.ofSignal

/** The signals of a run. Mutable. */
interface Signals {
  first: Signal | undefined
  /** Nothing is left but what may be lost, such as telemetry. */
  isCleaningUp: boolean
}

/** The first signal lets a command clean up; the second does not wait, nor does one that comes afterwards. */
const listenToSignals = (): Signals => {
  const signals: Signals = { first: undefined, isCleaningUp: false }
  const listen = (signal: Signal) =>
    process.on(signal, () => {
      if (signals.first === undefined && !signals.isCleaningUp) return void (signals.first = signal)
      leaveSignalsToTheSystem()
      const code = ExitCode.ofSignal[signal]
      ProcessEnd.end({ code, signal }, () => process.exit(code))
    })
  listen("SIGINT")
  listen("SIGTERM")
  return signals
}
