/** How a failure is shown to people and to scripts. */
import { escapeControls } from "@transferkit/domain/SafeText"
import * as ExitCode from "../ExitCode.ts"

/** Failures without a message: it has been printed, or its reader is gone. */
export const isSilent = ({ _tag }: ExitCode.Failure): boolean =>
  _tag === "Findings" || _tag === "OutputClosed" || _tag === "ShowHelp"

/** A failure as text for people, or as one JSON object for scripts. */
export const render = (failure: ExitCode.Failure, options: { readonly json: boolean }): string => {
  const message = messageOf(failure)
  return options.json
    ? json(failure._tag, message, ExitCode.of(failure), "requestId" in failure ? failure.requestId : undefined)
    : `error: ${linesOf(failure, message).map(escapeControls).join("\n")}\n${hintOf(failure)}`
}

/** Only our own messages have several lines; in others, a line break is the service's or a file's, and would forge one. */
const linesOf = (failure: ExitCode.Failure, message: string): ReadonlyArray<string> => {
  const own = failure._tag === "MirrorError" && failure.details !== undefined ? failure.details.split("\n") : []
  const lines = message.split("\n").slice(0, own.length === 0 ? undefined : -own.length)
  return failure._tag === "UsageError" ? lines : [lines.map((line) => line.trim()).join(" "), ...own]
}

/** A defect of this program. */
export const renderDefect = (defect: unknown, options: { readonly json: boolean }): string => {
  const message = defect instanceof Error ? defect.message : String(defect)
  return options.json ? json("Defect", message, ExitCode.defect) : `error: ${escapeControls(message)}\n`
}

const json = (code: string, message: string, exit_code: number, request_id?: string): string =>
  `${JSON.stringify({ error: { code, message, exit_code, ...(request_id === undefined ? {} : { request_id }) } })}\n`

/** The domain's messages name its options and checkpoints; users of this program have flags. */
const messageOf = (failure: ExitCode.Failure): string => {
  switch (failure._tag) {
    case "CheckpointMismatch":
      return "The spool belongs to an export with other filters. Resume with those, or start again with --force."
    case "EmptyPages":
      return `The service broke its contract: it sent more than ${failure.budget} empty pages in a row, each saying that another follows.`
    case "InvalidFilter":
      return `--${failure.name.replaceAll("_", "-")}: ${failure.reason}`
    case "SecondTooLarge":
      return `More than ${failure.most} transfers were created in the second from ${failure.second}, more than can be held at once. Leave that second out with --since and --until, and read it with transfers search --all.`
    default:
      return failure.message
  }
}

/** Failures that `transfers doctor` can explain. */
const hintOf = (failure: ExitCode.Failure): string => {
  switch (failure._tag) {
    case "ConnectionFailed":
    case "TimedOut":
    case "Unauthorized":
    case "UnexpectedStatus":
      return doctor
    case "MalformedResponse":
      return failure.pointer === "" ? doctor : ""
    default:
      return ""
  }
}

const doctor = "Run 'transfers doctor' to find the cause.\n"
