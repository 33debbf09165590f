/** The exit codes: the closed list that scripts can rely on. */
import type { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import type { SourceError } from "@transferkit/domain/TransferSource"
import type { FileError } from "@transferkit/files/FileError"
import type { InvalidConfiguration } from "@transferkit/http-client/InvalidConfiguration"
import type { CannotListen } from "@transferkit/mcp/CannotListen"
import type { MirrorError, WindowsFailed } from "@transferkit/mirror/MirrorError"
import type { CliError } from "effect/cli/CliError"
import type {
  Findings,
  NotCovered,
  OutOfMemory,
  OutputClosed,
  ProgramTimedOut,
  UndeliveredEvents,
  WatchBegunAhead,
} from "./Failure.ts"
import type { UsageError } from "./UsageError.ts"

/** Everything was done. */
export const done = 0
/** Done, with findings: violations, breaks, differences, events that were not delivered. */
export const findings = 1
/** The command line, the configuration or a file is wrong. */
export const usage = 2
/** The service rejected the credentials. */
export const unauthorized = 3
/** The service or the network failed, or the service rejected the request. */
export const service = 4
/** The service broke its contract. */
export const contract = 5
/** A defect of this program. */
export const defect = 70
/** More memory was needed than the process may use. */
export const outOfMemory = 71
/** A query, an expression or a template took longer than `--timeout`: as the command `timeout` has it. */
export const timedOut = 124
/** Ended by Ctrl-C or a signal: 128 and its number, as shells report it. */
export const ofSignal = { SIGINT: 130, SIGTERM: 143 } as const

/** Each code with its meaning, for help pages. */
export const meanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [done, "done"],
  [findings, "done, with findings: violations, breaks, differences"],
  [usage, "the command line, the configuration or a file is wrong"],
  [unauthorized, "the service rejected the credentials"],
  [service, "the service or the network failed"],
  [contract, "the service broke its contract"],
  [defect, "a defect of this program"],
  [outOfMemory, "out of memory"],
  [timedOut, "a query or an expression took longer than its --timeout"],
  [ofSignal.SIGINT, "interrupted"],
  [ofSignal.SIGTERM, "terminated"],
]

/** Any error that a command can fail with. */
export type Failure =
  | CannotListen
  | CliError
  | FileError
  | Findings
  | InvalidConfiguration
  | InvalidFilter
  | MirrorError
  | NotCovered
  | OutOfMemory
  | OutputClosed
  | ProgramTimedOut
  | SourceError
  | UndeliveredEvents
  | UsageError
  | WatchBegunAhead
  | WindowsFailed

const byTag: { readonly [Tag in Exclude<Failure["_tag"], "MirrorError">]: number } = {
  Findings: findings,
  UndeliveredEvents: findings,
  OutputClosed: done,
  OutOfMemory: outOfMemory,
  ProgramTimedOut: timedOut,

  ShowHelp: usage,
  DuplicateOption: usage,
  InvalidValue: usage,
  MissingArgument: usage,
  MissingOption: usage,
  UnexpectedArgument: usage,
  UnknownSubcommand: usage,
  UnrecognizedOption: usage,
  UserError: usage,
  ValidationError: usage,
  UsageError: usage,
  CannotListen: usage,
  InvalidConfiguration: usage,
  InvalidFilter: usage,
  FileError: usage,
  SourceFailed: usage,
  NotCovered: usage,
  WatchBegunAhead: usage,
  CheckpointMismatch: usage,
  InvalidPagerOption: usage,

  Unauthorized: unauthorized,

  InvalidRequest: service,
  RateLimited: service,
  ServiceUnavailable: service,
  UnexpectedStatus: service,
  ConnectionFailed: service,
  TimedOut: service,
  CursorExpired: service,
  SecondTooLarge: service,
  WindowsFailed: service,

  MalformedResponse: contract,
  CursorCycle: contract,
  MissingCursor: contract,
  EmptyPages: contract,
  RepeatedPages: contract,
  OutsideFilter: contract,
  MovedTransfer: contract,
}

/** Those of a mirror. */
export const byKind: { readonly [Kind in MirrorError["kind"]]: number } = {
  unavailable: service,
  busy: service,
  taken_over: service,
  brake: contract,
  rejected: usage,
  usage,
}

/** The code of a failure. The compiler rejects a failure without one. */
export const of = (failure: Failure): number =>
  failure._tag === "MirrorError" ? byKind[failure.kind] : byTag[failure._tag]
