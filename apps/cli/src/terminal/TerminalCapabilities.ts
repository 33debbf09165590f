/**
 * What an output stream can show. Effect's own TerminalCapabilities knows neither standard error nor a width, and bin
 * needs this before Effect is loaded.
 */

/** What one of the two output streams can show. */
export interface TerminalCapabilities {
  readonly isTerminal: boolean
  /** Cells per line; infinite without a terminal. */
  readonly columns: number
  readonly colour: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** The capabilities of a stream, from its kind and the environment (https://no-color.org). */
export const of = (
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  options: { readonly env: Environment; readonly noColour: boolean },
): TerminalCapabilities => {
  const { env } = options
  const isTerminal = stream.isTTY === true
  const wanted = isSet(env, "FORCE_COLOR") ? env["FORCE_COLOR"] !== "0" : isTerminal && env["TERM"] !== "dumb"
  return {
    isTerminal,
    // A terminal without a size, as in some containers, reports 0 columns.
    columns: isTerminal ? stream.columns || 80 : Number.POSITIVE_INFINITY,
    colour: wanted && !options.noColour && !isSet(env, "NO_COLOR"),
  }
}

const isSet = (env: Environment, name: string): boolean => env[name] !== undefined && env[name] !== ""
