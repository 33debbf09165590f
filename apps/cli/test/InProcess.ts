/** Runs the command in this process, many times faster than in one of its own, for tests that are not about processes. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { program } from "../src/Main.ts"
import * as Screens from "../src/terminal/Screen.ts"
import * as TerminalCapabilities from "../src/terminal/TerminalCapabilities.ts"
import * as Cli from "./Cli.ts"

/** Runs the command to its end, with output that is no terminal; with standard input, in a process after all. */
export const run = async (args: ReadonlyArray<string>, options: Cli.RunOptions = {}): Promise<Cli.Run> => {
  const readsInput = args.includes("-") || args.includes("--secret-key-stdin")
  if (readsInput || options.through !== undefined) return Cli.run(args, options)
  const env = { HOME: "/nonexistent", ...options.env }
  const seen = { stdout: "", stderr: "" }
  const output = (name: keyof typeof seen): Screens.Output => ({
    capabilities: TerminalCapabilities.of({}, { env, noColour: args.includes("--no-color") }),
    write: (more) => Effect.sync(() => void (seen[name] += Buffer.from(more).toString())),
  })
  const screen = Screens.over({ stdout: output("stdout"), stderr: output("stderr"), isQuiet: args.includes("--quiet") })
  const code = await Effect.runPromise(
    program(args, { version: "0.0.0", screen: Layer.succeed(Screens.Screen, screen) }).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
    ),
  )
  return { code, ...seen }
}
