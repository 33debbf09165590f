/** What a run says of itself in one number: the closed list that scripts can rely on. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

/** All of it was done. */
export const done = 0
/** It was done, and it found something: violations, breaks, differences. */
export const findings = 1
/** The command line, the configuration or a file is not right. */
export const usage = 2
/** The service refused the credentials. */
export const unauthorized = 3
/** The service or the network failed, or the service refused the request. */
export const service = 4
/** The service broke its contract. */
export const contract = 5
/** A defect of this program. */
export const defect = 70
/** Interrupted by Ctrl-C or a signal. */
export const interrupted = 130

/** Each code with its meaning, for help pages. */
export const meanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [done, "done"],
  [findings, "done, and there are findings: violations, breaks, differences"],
  [usage, "the command line, the configuration or a file is not right"],
  [unauthorized, "the service refused the credentials"],
  [service, "the service or the network failed"],
  [contract, "the service broke its contract"],
  [defect, "a defect of this program"],
  [interrupted, "interrupted"],
]

const byTag: Readonly<Record<string, number>> = {
  Findings: findings,
  OutputClosed: done,
  ShowHelp: usage,
  Unauthorized: unauthorized,
  InvalidRequest: service,
  RateLimited: service,
  ServiceUnavailable: service,
  UnexpectedStatus: service,
  ConnectionFailed: service,
  TimedOut: service,
  MalformedResponse: contract,
  CursorCycle: contract,
  MissingCursor: contract,
  EmptyPages: contract,
  OutsideFilter: contract,
}

/** The code of an error that a command failed with. What is not known to be the service's is the user's to mend. */
export const ofError = (error: unknown): number => {
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  if (typeof tag !== "string") return defect
  return Object.hasOwn(byTag, tag) ? (byTag[tag] ?? usage) : usage
}

/** The code of a whole run. */
export const ofExit = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return done
  if (Cause.hasInterruptsOnly(exit.cause)) return interrupted
  const error = Cause.findErrorOption(exit.cause)
  return error._tag === "Some" ? ofError(error.value) : defect
}
