/** Where a command talks: standard output for data, standard error for the rest, and what each of them can show. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OutputClosed } from "./Failure.ts"

/** What one of the two streams can show. */
export interface Surface {
  readonly isTerminal: boolean
  /** Cells in a line; infinite where nothing is there to wrap it. */
  readonly columns: number
  readonly colour: boolean
}

/** The two streams. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly stdout: Surface
    readonly stderr: Surface
    /** Writes data, and waits until it is taken. */
    readonly print: (text: string) => Effect.Effect<void, OutputClosed>
    /** Writes to standard error; it does not matter whether anybody reads it. */
    readonly say: (text: string) => Effect.Effect<void>
  }
>()("@transferkit/cli/Screen") {
  /** The streams of this process. */
  static readonly layer = (options: { readonly noColour: boolean }): Layer.Layer<Screen> =>
    Layer.sync(Screen, () => ({
      stdout: surfaceOf(process.stdout, options.noColour),
      stderr: surfaceOf(process.stderr, options.noColour),
      print: (text) => (text === "" ? Effect.void : write(process.stdout, text)),
      say: (text) => Effect.ignore(write(process.stderr, text)),
    }))
}

const isSet = (name: string): boolean => {
  const value = process.env[name]
  return value !== undefined && value !== ""
}

const surfaceOf = (stream: NodeJS.WriteStream, noColour: boolean): Surface => {
  const isTerminal = stream.isTTY === true
  const wantsColour = isTerminal && process.env["TERM"] !== "dumb"
  const forced = isSet("FORCE_COLOR") && process.env["FORCE_COLOR"] !== "0"
  return {
    isTerminal,
    columns: isTerminal ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    colour: !noColour && !isSet("NO_COLOR") && (forced || wantsColour),
  }
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
