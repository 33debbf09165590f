/** Where a command talks: standard output for data, standard error for the rest, and what each of them can show. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import wrapAnsi from "wrap-ansi"
import { FileError, OutputClosed } from "../Failure.ts"
import { reasonOf } from "../files/AtomicFile.ts"
import * as StandardStream from "./StandardStream.ts"
import * as Surface from "./Surface.ts"

/** The two streams. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly stdout: Surface.Surface
    readonly stderr: Surface.Surface
    /** Writes data, and waits until it is taken. */
    readonly print: (text: string) => Effect.Effect<void, OutputClosed | FileError>
    /** Tells people something on standard error, wrapped to the terminal; it does not matter whether anybody reads it. */
    readonly say: (text: string) => Effect.Effect<void>
    /** The same for what must stay as it is, such as JSON. */
    readonly sayExactly: (text: string) => Effect.Effect<void>
  }
>()("@transferkit/cli/Screen") {
  /** The streams of this process. */
  static readonly layer = (options: { readonly noColour: boolean }): Layer.Layer<Screen> =>
    Layer.sync(Screen, () => {
      const stderr = Surface.of(process.stderr, { env: process.env, ...options })
      const sayExactly = (text: string) => Effect.ignore(write(process.stderr, text))
      return {
        stdout: Surface.of(process.stdout, { env: process.env, ...options }),
        stderr,
        print: (text) => (text === "" ? Effect.void : Effect.mapError(write(process.stdout, text), lost)),
        say: (text) => sayExactly(stderr.isTerminal ? wrapAnsi(text, stderr.columns) : text),
        sayExactly,
      }
    })
}

/** A reader that went away wants no more; a full disk behind standard output must not pass for success. */
const lost = (error: Error): OutputClosed | FileError =>
  StandardStream.isGone(error)
    ? new OutputClosed()
    : new FileError({ path: "standard output", reason: reasonOf(error) })

const write = (stream: typeof process.stdout | typeof process.stderr, text: string): Effect.Effect<void, Error> =>
  Effect.callback((resume) =>
    StandardStream.write(stream, text, (error) => resume(error ? Effect.fail(error) : Effect.void)),
  )
