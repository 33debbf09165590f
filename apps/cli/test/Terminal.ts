/** Runs a command line on a terminal of a given width, within this process, and gives back what would be seen. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { program } from "../src/Main.ts"
import * as Screens from "../src/terminal/Screen.ts"

/** A terminal and the environment in it. */
export interface Terminal {
  readonly columns: number
  readonly env?: Readonly<Record<string, string>>
}

/** What is seen: data and talk in the order in which they came, and the exit code. */
export interface Seen {
  readonly text: string
  readonly code: number
}

export const see = async (args: ReadonlyArray<string>, { columns, env = {} }: Terminal): Promise<Seen> => {
  let text = ""
  const output: Screens.Output = {
    capabilities: { isTerminal: true, columns, colour: false },
    write: (more) => Effect.sync(() => void (text += more)),
  }
  const screen = Layer.succeed(Screens.Screen, Screens.over({ stdout: output, stderr: output }))
  const code = await Effect.runPromise(
    program(args, { version: "0.0.0", screen }).pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ HOME: "/home/me", ...env }))),
    ),
  )
  return { text, code }
}
