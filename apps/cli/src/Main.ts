/** A run of the program: the command line in, an exit code out, and everything that is not data on standard error. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { builtIns } from "./BuiltIns.ts"
import { commandTree } from "./CommandTree.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Failure from "./Failure.ts"
import * as HelpPage from "./help/HelpPage.ts"
import { Screen } from "./terminal/Screen.ts"
import * as Style from "./terminal/Style.ts"
import * as Misuse from "./UsageError.ts"

/** Runs the command line and ends the process. */
export const main = (args: ReadonlyArray<string>, version: string): void => {
  endAtSecondInterrupt()
  const screen = Screen.layer({ noColour: args.includes("--no-color") })
  program(args, { version, screen }).pipe(
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => onExit(ExitCode.ofExit(exit)),
    }),
  )
}

/** What a command line does, on any screen. */
export const program = (
  args: ReadonlyArray<string>,
  { version, screen }: { readonly version: string; readonly screen: Layer.Layer<Screen> },
) =>
  Command.runWith(commandTree, { version })(args).pipe(
    Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : tell(Cause.squash(cause), args))),
    Effect.provide(services(args, screen)),
  )

const tell = (error: unknown, args: ReadonlyArray<string>) =>
  Failure.isSilent(error)
    ? Effect.void
    : Effect.flatMap(Screen, (screen) => {
        const json = wantsJson(args)
        const text = Failure.render(error, { json })
        return json ? screen.sayExactly(text) : screen.say(text)
      })

/** Also known when the command line could not be read. */
const wantsJson = (args: ReadonlyArray<string>): boolean =>
  args.some((arg, index) => {
    const value =
      /^(?:--output|-o)=(.*)$/.exec(arg)?.[1] ?? (arg === "--output" || arg === "-o" ? args[index + 1] : undefined)
    return value === "json" || value === "ndjson"
  })

const services = (args: ReadonlyArray<string>, screen: Layer.Layer<Screen>) =>
  Layer.mergeAll(
    NodeServices.layer,
    screen,
    presenter(args).pipe(Layer.provide(screen)),
    CliConfig.layer({ builtIns }),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  )

/** Help that was asked for is data; what is wrong with a command line is not. */
const presenter = (args: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const screen = yield* Screen
      const page = { width: Math.min(screen.stdout.columns, 80), style: Style.make(screen.stdout) }
      return CliOutput.layerPresenter({
        present: (event) => {
          switch (event._tag) {
            case "Help":
              return Effect.ignore(screen.print(`${HelpPage.render(event.helpDoc, page)}\n`))
            case "Version":
              return Effect.ignore(screen.print(`${event.name} ${event.version}\n`))
            case "InvalidInvocation":
              return Effect.provideService(
                tell(Misuse.explain(event.errors, event.commandPath.join(" ")), args),
                Screen,
                screen,
              )
          }
        },
      })
    }),
  )

/** The first interrupt lets a command put its things in order, the second one does not wait. */
const endAtSecondInterrupt = (): void => {
  let interrupts = 0
  process.on("SIGINT", () => {
    interrupts++
    if (interrupts > 1) process.exit(ExitCode.interrupted)
  })
}
