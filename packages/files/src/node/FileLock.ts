/**
 * Lets one process at a time work on a file. The lock is a small file beside it that names the process. A lock of a dead
 * process is taken over, so that no one has to clean up. Lock libraries detect that by the age of the file, which takes
 * a timer and leaves a gap; this asks the system for the process.
 */
import * as Files from "node:fs"
import { hostname } from "node:os"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import type * as Scope from "effect/Scope"
import { FileError, reasonOf, reasonToMake } from "../FileError.ts"

/** The process that holds a lock. */
const Holder = S.fromJsonString(
  S.Struct({
    pid: S.Int,
    host: S.String,
    /** When the process started, in the system's units: its number may be reused later. */
    process_started: S.optionalKey(S.String),
    since: S.String,
  }),
)

type Holder = typeof Holder.Type

/** The path of the lock of a file. */
export const pathOf = (file: string): string => `${file}.lock`

/** Locks a file until the scope ends. Fails if another live process holds it: at once, or after `patience`. */
export const hold = (
  file: string,
  { patience = 0 }: { readonly patience?: Duration.Input } = {},
): Effect.Effect<void, FileError, Scope.Scope> => {
  const path = pathOf(file)
  // An exit that skips the scopes, as on a second interrupt, must not leave the lock behind.
  // What somebody has put in its place is theirs, such as a folder.
  const removeAtExit = () => {
    try {
      Files.rmSync(path, { force: true })
    } catch {}
  }
  return Effect.andThen(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
        let holder = yield* acquire(path, file)
        while (holder !== undefined && (yield* Clock.currentTimeMillis) < deadline) {
          yield* Effect.sleep(pause)
          holder = yield* acquire(path, file)
        }
        if (holder !== undefined) return yield* new FileError({ path: file, reason: describe(holder, path) })
        process.once("exit", removeAtExit)
      }),
      () =>
        Effect.sync(() => {
          process.off("exit", removeAtExit)
          removeAtExit()
        }),
      { interruptible: true },
    ),
    Effect.ignore(removeLeftover(pathOf(path), file)),
  )
}

const describe = (holder: Holder, path: string): string => {
  const elsewhere = holder.host === hostname() ? "" : ` on ${holder.host}; if that process is gone, remove ${path}`
  return `process ${holder.pid} has been writing it since ${holder.since}${elsewhere}. Wait for it to end, or stop it.`
}

/** Attempts at a lock that is being written or taken over, which takes a moment. */
const maxAttempts = 100
const pause = "20 millis"

/** Takes a lock, or returns its holder. */
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
      const holder = found.text === undefined ? undefined : Result.getOrUndefined(decode(found.text))
      if (holder !== undefined && isAlive(holder)) return holder
      // A process that was killed before it wrote to its lock has left it empty.
      const isOurs = holder !== undefined || found.text === ""
      // Not readable yet, or gone by now: its owner may be writing or removing it.
      if (found.fault === undefined && holder === undefined && attempts < maxAttempts) yield* Effect.sleep(pause)
      else if (found.text !== undefined && !isOurs) {
        const reason = `${path} is not its lock, and would be lost: name another file, or move that one away`
        return yield* new FileError({ path: file, reason })
      } else if (found.text !== undefined && attempts < 2 * maxAttempts) yield* removeStale(path, found.text, file)
      else {
        const reason = `its lock ${path} ${found.fault ?? "cannot be taken"}. If nothing is writing the file, remove the lock.`
        return yield* new FileError({ path: file, reason })
      }
    }
  })

/**
 * Removes a lock whose owner is dead. Of several processes that find it, only the one that holds the lock's own lock may,
 * and only if the lock is still the one that was found, because a faster process may have replaced it.
 */
const removeStale = (path: string, found: string, file: string): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const breaking = pathOf(path)
    if ((yield* acquire(breaking, file)) !== undefined) return yield* Effect.sleep(pause)
    yield* attempt(file, () => {
      if (read(path).text === found) Files.rmSync(path, { force: true })
      Files.rmSync(breaking, { force: true })
    })
  })

/** A process that was killed while it took a lock over has left the lock's own lock. */
const removeLeftover = (breaking: string, file: string): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    if (!Files.existsSync(breaking) || (yield* acquire(breaking, file)) !== undefined) return
    yield* attempt(file, () => Files.rmSync(breaking, { force: true }))
  })

const create = (path: string, content: string, file: string): Effect.Effect<boolean, FileError> =>
  attempt(file, () => {
    try {
      Files.writeFileSync(path, content, { flag: "wx" })
      return read(path).text === content
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false
      throw error
    }
  })

const attempt = <A>(file: string, body: () => A): Effect.Effect<A, FileError> =>
  Effect.try({ try: body, catch: (error) => new FileError({ path: file, reason: reasonToMake(error, dirname(file)) }) })

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

/** Many times the size of a lock. */
const maxBytes = 4096

/** A pipe must not block the process, and whoever may write to the folder must not choose what is read. */
const openFlags = Files.constants.O_RDONLY | (Files.constants.O_NONBLOCK ?? 0) | (Files.constants.O_NOFOLLOW ?? 0)

/** The text of a lock, or the reason why it has none. */
const read = (path: string): { readonly text?: string; readonly fault?: string } => {
  let file: number | undefined
  try {
    file = Files.openSync(path, openFlags)
    if (!Files.fstatSync(file).isFile()) return { fault: "is not a file" }
    const bytes = Buffer.alloc(maxBytes + 1)
    const size = Files.readSync(file, bytes)
    return size > maxBytes ? { fault: "is not a lock: it is too large" } : { text: bytes.toString("utf8", 0, size) }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {}
    return { fault: codeOf(error) === "ELOOP" ? "is a symbolic link" : `cannot be read (${reasonOf(error)})` }
  } finally {
    if (file !== undefined) Files.closeSync(file)
  }
}

const decode = S.decodeUnknownResult(Holder)

/** A process on another machine counts as alive, because nothing is known of it. */
const isAlive = (holder: Holder): boolean => {
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // Another user's process cannot be signalled.
    if (codeOf(error) !== "EPERM") return false
  }
  const { process_state, process_started } = statusOf(holder.pid)
  // A zombie: dead, but not reaped by its parent, which in a container may never happen.
  if (process_state === "Z") return false
  return process_started === undefined || process_started === (holder.process_started ?? process_started)
}

/** On Linux: the 3rd and the 22nd field of the status, counted after the name in parentheses. */
const statusOf = (pid: number): { readonly process_state?: string; readonly process_started?: string } => {
  const status = read(`/proc/${pid}/stat`).text
  const [state, ...fields] = status?.slice(status.lastIndexOf(")") + 2).split(" ") ?? []
  const started = fields[18]
  return state === undefined || started === undefined ? {} : { process_state: state, process_started: started }
}
