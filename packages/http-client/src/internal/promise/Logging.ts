/** What the Promise client logs, and its listeners as hooks that can neither fail a call nor delay it. */
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Effect from "effect/Effect"
import { type HttpTransferApiOptions, invalid } from "../call/CallOptions.ts"
import { variable } from "./Environment.ts"
import type { Logger, LogLevel, TransferClientConfig } from "./Options.ts"

const levels = ["debug", "info", "warn", "off"] as const satisfies ReadonlyArray<LogLevel>

/** Each message is a line without what a terminal would interpret. Standard error on Node, where `console.debug` would write to standard output; the console of a browser. */
const standard = (): Logger => {
  const { console } = globalThis
  const print = (message: string) => console.error(`transferkit: ${escapeControls(message)}`)
  return { warn: print, info: print, debug: print }
}

/** Logs nothing. */
const quiet = (): void => {}

/** The logger of a client, silent below its level. */
export const makeLogger = ({ logger = standard(), logLevel }: TransferClientConfig): Logger => {
  const chosen = logLevel ?? variable("TRANSFERKIT_LOG") ?? "warn"
  const least = (levels as ReadonlyArray<string>).indexOf(chosen)
  if (least === -1) {
    throw invalid(logLevel === undefined ? "TRANSFERKIT_LOG" : "logLevel", levels.join(", "), chosen)
  }
  const from = (level: Exclude<LogLevel, "off">) => {
    const write = logger[level]
    if (typeof write !== "function") throw invalid("logger", "an object with warn, info and debug", logger)
    if (levels.indexOf(level) < least) return quiet
    // What a logger throws cannot be logged.
    return (message: string) => void (async () => write.call(logger, message))().catch(quiet)
  }
  return { warn: from("warn"), info: from("info"), debug: from("debug") }
}

/** What was thrown may be anything, also what throws when it is printed. */
const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return "no text"
  }
}

/** The hooks of a client, which log and call the listeners. Without either there are none: they cost a search for secrets. */
export const makeHooks = (
  { onRequest, onResponse }: TransferClientConfig,
  logger: Logger,
): Pick<HttpTransferApiOptions, "onRequest" | "onResponse" | "onRetry"> => {
  /** Calls the listener at once. If it throws or rejects, the log says so. */
  const listen = <A>(name: string, listener: ((value: A) => unknown) | undefined) => {
    if (listener === undefined) return quiet
    if (typeof listener !== "function") throw invalid(name, "a function", listener)
    return (value: A) =>
      void (async () => listener(value))().catch((error: unknown) =>
        logger.warn(`${name} failed; the call goes on: ${textOf(error)}`),
      )
  }
  const requested = listen("onRequest", onRequest)
  const responded = listen("onResponse", onResponse)
  const isSeen = [logger.debug, requested, responded].some((one) => one !== quiet)
  return {
    ...(isSeen && {
      onRequest: (curl) =>
        Effect.sync(() => {
          logger.debug(curl)
          requested(curl)
        }),
      onResponse: (response) =>
        Effect.sync(() => {
          const { status, milliseconds, requestId } = response
          logger.debug(`${status} after ${Math.round(milliseconds)} ms, request id ${requestId ?? "none"}`)
          responded(response)
        }),
    }),
    onRetry: ({ error, attempts, delay }) =>
      Effect.sync(() => logger.info(`retry ${attempts} in ${delay} ms: ${error.message}`)),
  }
}
