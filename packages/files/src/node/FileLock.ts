/**
 * Lets one process at a time work on a file. The lock is a small file beside it that says which process holds it. One
 * that a killed process left behind is taken over, so that nobody has to clean up by hand.
 */
import * as Files from "node:fs"
import { hostname } from "node:os"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import type * as Scope from "effect/Scope"
import { FileError, reasonOf } from "../FileError.ts"

/** What a lock says of the process that holds it. */
const Holder = S.fromJsonString(
  S.Struct({
    pid: S.Int,
    host: S.String,
    /** When the process started, as its system counts: the same number may be given to another process later. */
    process_started: S.optionalKey(S.String),
    since: S.String,
  }),
)

type Holder = typeof Holder.Type

/** Where the lock of a file is. */
export const pathOf = (file: string): string => `${file}.lock`

/** Locks a file until the scope ends, however it ends. Fails at once if another process that is alive has it. */
export const hold = (file: string): Effect.Effect<void, FileError, Scope.Scope> => {
  const path = pathOf(file)
  // An exit without a word to this program's scopes, as on a second interrupt, must not leave it behind.
  const removeAtExit = () => Files.rmSync(path, { force: true })
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const holder = yield* acquire(path, file)
        if (holder !== undefined) return yield* new FileError({ path: file, reason: refusal(holder, path) })
        process.once("exit", removeAtExit)
      }),
      () =>
        Effect.sync(() => {
          process.off("exit", removeAtExit)
          removeAtExit()
        }),
    ),
  )
}

const refusal = (holder: Holder, path: string): string => {
  const elsewhere =
    holder.host === hostname() ? "" : ` on ${holder.host}; if that process is gone for certain, remove ${path}`
  return `process ${holder.pid} has been writing it since ${holder.since}${elsewhere}. Wait for it to end, or stop it.`
}

/** How often to look again at a lock that is being written or taken over, which takes a moment. */
const patience = 100
const pause = "20 millis"

/** Takes a lock; else says who has it. */
const acquire = (path: string, file: string): Effect.Effect<Holder | undefined, FileError> =>
  Effect.gen(function* () {
    const { process_started } = statusOf(process.pid)
    const own = JSON.stringify({
      pid: process.pid,
      host: hostname(),
      process_started,
      since: DateTime.formatIso(yield* DateTime.now),
    })
    for (let attempts = 0; ; attempts++) {
      if (yield* create(path, own, file)) return undefined
      const found = read(path)
      if (found === undefined) continue
      const holder = Result.getOrUndefined(decode(found))
      if (holder !== undefined && isAlive(holder)) return holder
      // Not readable yet: its owner may be about to write it.
      if (holder === undefined && attempts < patience) yield* Effect.sleep(pause)
      else yield* removeStale(path, found, file)
    }
  })

/**
 * Removes a lock whose owner is dead. Of several processes that find it, only the one that holds the lock's own lock
 * may, and only while it is still the one that was found: else it could be that of whoever was faster.
 */
const removeStale = (path: string, found: string, file: string): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const breaking = pathOf(path)
    if ((yield* acquire(breaking, file)) !== undefined) return yield* Effect.sleep(pause)
    if (read(path) === found) Files.rmSync(path, { force: true })
    Files.rmSync(breaking, { force: true })
  }).pipe(Effect.uninterruptible)

const create = (path: string, content: string, file: string): Effect.Effect<boolean, FileError> =>
  Effect.try({
    try: () => {
      try {
        Files.writeFileSync(path, content, { flag: "wx" })
        return read(path) === content
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
        throw error
      }
    },
    catch: (error) => new FileError({ path: file, reason: reasonOf(error) }),
  })

const read = (path: string): string | undefined => {
  try {
    return Files.readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const decode = S.decodeUnknownResult(Holder)

/** Of a process on another machine nothing can be known, so it counts as alive. */
const isAlive = (holder: Holder): boolean => {
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // It may be another user's, which cannot be signalled.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false
  }
  const { process_state, process_started } = statusOf(holder.pid)
  // A zombie: dead, and its parent has not asked after it. In a container that may never happen.
  if (process_state === "Z") return false
  return process_started === undefined || process_started === (holder.process_started ?? process_started)
}

/** Where the system tells (Linux): the 3rd and the 22nd field of the status, counted behind the name in parentheses. */
const statusOf = (pid: number): { readonly process_state?: string; readonly process_started?: string } => {
  const status = read(`/proc/${pid}/stat`)
  const [state, ...fields] = status?.slice(status.lastIndexOf(")") + 2).split(" ") ?? []
  const started = fields[18]
  return state === undefined || started === undefined ? {} : { process_state: state, process_started: started }
}
