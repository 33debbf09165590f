/** What a command of this program can fail with of its own accord, and how any failure is told to people and scripts. */
import * as Data from "effect/Data"
import * as ExitCode from "./ExitCode.ts"
import { escapeControls } from "./terminal/Escape.ts"

/** The command line or the configuration is not right. `message` says what is accepted. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** The command did its work and found something; what it found has been printed. */
export class Findings extends Data.TaggedError("Findings")<{ readonly count: number }> {}

/** Nobody reads standard output any more, as with `transfers … | head`. */
export class OutputClosed extends Data.TaggedError("OutputClosed")<{}> {}

/** Errors that end a run without a word: what they have to say has been said, or nobody listens. */
export const isSilent = (error: unknown): boolean =>
  error instanceof Findings || error instanceof OutputClosed || tagOf(error) === "ShowHelp"

/** A failure as text for people, or as one JSON object for scripts. */
export const render = (error: unknown, options: { readonly json: boolean }): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (!options.json) return `error: ${message.split("\n").map(escapeControls).join("\n")}\n${hintOf(error)}`
  const requestId = typeof error === "object" && error !== null && "requestId" in error ? error.requestId : undefined
  return `${JSON.stringify({
    error: {
      code: tagOf(error),
      message,
      exit_code: ExitCode.ofError(error),
      ...(typeof requestId === "string" ? { request_id: requestId } : {}),
    },
  })}\n`
}

/** What `transfers doctor` can tell more of. */
const hintOf = (error: unknown): string => {
  const isWholeBody = typeof error === "object" && error !== null && "pointer" in error && error.pointer === ""
  const isForDoctor = ["ConnectionFailed", "TimedOut", "Unauthorized", "UnexpectedStatus"].includes(tagOf(error))
  return isForDoctor || isWholeBody ? "Run 'transfers doctor' to find out what is wrong.\n" : ""
}

const tagOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"
    ? error._tag
    : "Defect"
