/** Where a command talks: standard output for data, standard error for the rest, and what each of them can show. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OutputClosed } from "../Failure.ts"
import * as Surface from "./Surface.ts"

/** The two streams. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly stdout: Surface.Surface
    readonly stderr: Surface.Surface
    /** Writes data, and waits until it is taken. */
    readonly print: (text: string) => Effect.Effect<void, OutputClosed>
    /** Writes to standard error; it does not matter whether anybody reads it. */
    readonly say: (text: string) => Effect.Effect<void>
  }
>()("@transferkit/cli/Screen") {
  /** The streams of this process. */
  static readonly layer = (options: { readonly noColour: boolean }): Layer.Layer<Screen> =>
    Layer.sync(Screen, () => ({
      stdout: Surface.of(process.stdout, { env: process.env, ...options }),
      stderr: Surface.of(process.stderr, { env: process.env, ...options }),
      print: (text) => (text === "" ? Effect.void : write(process.stdout, text)),
      say: (text) => Effect.ignore(write(process.stderr, text)),
    }))
}

/** A stream without a listener for its errors would end the process when its reader goes away. */
const listened = new WeakSet<NodeJS.WriteStream>()

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void, OutputClosed> =>
  Effect.callback((resume) => {
    if (!listened.has(stream)) {
      listened.add(stream)
      stream.on("error", () => {})
    }
    stream.write(text, (error) => {
      resume(error === undefined || error === null ? Effect.void : Effect.fail(new OutputClosed()))
    })
  })
