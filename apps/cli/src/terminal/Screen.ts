/** Standard output for data and standard error for the rest, with what each of them can show. */
import { escapeControls, escapeData } from "@transferkit/domain/SafeText"
import { FileError, reasonOf } from "@transferkit/files/FileError"
import * as Pager from "@transferkit/report/Pager"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { OutputClosed } from "../Failure.ts"
import * as StandardStream from "./StandardStream.ts"
import * as TerminalCapabilities from "./TerminalCapabilities.ts"

/** The two streams. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly stdout: TerminalCapabilities.TerminalCapabilities
    readonly stderr: TerminalCapabilities.TerminalCapabilities
    /** Writes data, and waits until it is accepted. A terminal gets what it would interpret as escapes. */
    readonly print: (text: string) => Effect.Effect<void, OutputClosed | FileError>
    /** Writes bytes. */
    readonly printBytes: (bytes: Uint8Array) => Effect.Effect<void, OutputClosed | FileError>
    /** Writes what this program has laid out and coloured itself, with all text from outside escaped. */
    readonly draw: (text: string) => Effect.Effect<void, OutputClosed | FileError>
    /** The same for a page that may be longer than the terminal: a pager shows it from its start. */
    readonly page: (text: string) => Effect.Effect<void, OutputClosed | FileError>
    /** Writes for people to standard error, wrapped to the terminal. Never fails, even if the stream is closed. */
    readonly note: (text: string) => Effect.Effect<void>
    /** The same for a sentence about data: a line break in it is an escape, and cannot look like another line. */
    readonly say: (sentence: string) => Effect.Effect<void>
    /** As `note`, for what a person must know even with `--quiet`. */
    readonly warn: (text: string) => Effect.Effect<void>
    /** As `note`, for text that must stay as it is, such as JSON. */
    readonly noteExactly: (text: string) => Effect.Effect<void>
    /** An error: as it is if scripts read it, else wrapped. */
    readonly fail: (text: string, options: { readonly json: boolean }) => Effect.Effect<void>
  }
>()("@transferkit/cli/Screen") {
  /** The streams of this process. */
  static readonly layer = ({ isQuiet = false, ...options }: ScreenOptions): Layer.Layer<Screen> => {
    const output = (stream: typeof process.stdout | typeof process.stderr): Output => ({
      capabilities: TerminalCapabilities.of(stream, { env: process.env, ...options }),
      write: (data) =>
        Effect.callback((resume) =>
          StandardStream.write(stream, data, (error) => resume(error ? Effect.fail(error) : Effect.void)),
        ),
    })
    return Layer.sync(Screen, () => {
      const screen = over({ stdout: output(process.stdout), stderr: output(process.stderr), isQuiet })
      return {
        ...screen,
        page: (text) => Effect.suspend(() => (Pager.show(text, process) ? Effect.void : screen.draw(text))),
      }
    })
  }
}

/** How the streams of this process are used. */
export interface ScreenOptions {
  readonly noColour: boolean
  /** Only data, warnings and errors: no notes, and no progress, which is drawn on a terminal only. */
  readonly isQuiet?: boolean
}

/** A stream to write to, and what it can show. */
export interface Output {
  readonly capabilities: TerminalCapabilities.TerminalCapabilities
  readonly write: (data: string | Uint8Array) => Effect.Effect<void, Error>
}

/** A screen over two outputs. */
export const over = ({
  stdout,
  stderr,
  isQuiet = false,
}: Readonly<Record<"stdout" | "stderr", Output>> & { readonly isQuiet?: boolean }): Screen["Service"] => {
  const tell = (text: string) => (text === "" ? Effect.void : Effect.ignore(stderr.write(text)))
  // A line that fits keeps the spaces it begins with: they align it with another.
  const { columns } = stderr.capabilities
  const wrapLine = (line: string) => (stringWidth(line) > columns ? wrapAnsi(line, columns) : line)
  const wrap = (text: string) => (stderr.capabilities.isTerminal ? escapeData(text).replace(/.+/g, wrapLine) : text)
  const noteExactly = (text: string) => (isQuiet ? Effect.void : tell(text))
  const note = (text: string) => noteExactly(wrap(text))
  const draw = (text: string) => (text === "" ? Effect.void : Effect.mapError(stdout.write(text), lost))
  return {
    stdout: stdout.capabilities,
    stderr: { ...stderr.capabilities, isTerminal: stderr.capabilities.isTerminal && !isQuiet },
    print: (text) => draw(stdout.capabilities.isTerminal ? escapeData(text) : text),
    printBytes: (bytes) => Effect.mapError(stdout.write(bytes), lost),
    draw,
    page: draw,
    note,
    say: (sentence) => note(`${escapeControls(sentence)}\n`),
    warn: (text) => tell(wrap(text)),
    noteExactly,
    fail: (text, { json }) => tell(json ? (stderr.capabilities.isTerminal ? escapeData(text) : text) : wrap(text)),
  }
}

/** A reader that closed its end wants no more; a full disk must not pass for success. */
const lost = (error: Error): OutputClosed | FileError =>
  StandardStream.isClosed(error)
    ? new OutputClosed()
    : new FileError({ path: "standard output", reason: reasonOf(error) })
